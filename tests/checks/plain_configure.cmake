# Configures ${source} in ${work} as one who has a compiler, xsimd and Boost, and nothing else: it must succeed, and say what is left out.
file(REMOVE_RECURSE ${work})
set(without)
foreach(package IN ITEMS doctest benchmark Eigen3 PNG Python3)
  list(APPEND without -D CMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${work} -G ${generator} --no-warn-unused-cli -D CMAKE_CXX_COMPILER=${compiler} ${without}
  OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE failed)
if(failed OR errors)
  message(FATAL_ERROR "${output}${errors}")
endif()
if(NOT output MATCHES "exprax: no doctest, so no tests")
  message(FATAL_ERROR "It does not say that there are no tests:\n${output}")
endif()
