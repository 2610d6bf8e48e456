# Installs ${build} below ${work}, then configures, builds and runs the project beside this file against it.
function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(REMOVE_RECURSE ${work})
step(${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix)
step(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${generator} -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${work}/prefix
  -D EXPRAX_PRECOMPILE=ON)
step(${CMAKE_COMMAND} --build ${work}/build)
step(${work}/build/consume)
if(NOT EXISTS ${work}/build/CMakeFiles/consume.dir/cmake_pch.hxx)
  message(FATAL_ERROR "EXPRAX_PRECOMPILE=ON precompiled nothing")
endif()
