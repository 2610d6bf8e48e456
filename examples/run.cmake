# Runs ${command}, which must succeed and print what stands in ${expected}.
execute_process(COMMAND ${command} OUTPUT_VARIABLE output RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "It fails, and prints:\n${output}")
endif()
file(READ ${expected} text)
if(NOT output STREQUAL text)
  message(FATAL_ERROR "Expected:\n${text}\nIt prints:\n${output}")
endif()
