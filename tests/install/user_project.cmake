# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Configures, builds and runs a project of a user:
# cmake -DSOURCE=... -DBINARY=... -DSETTINGS=<initial cache> -DGENERATOR=... -P user_project.cmake -- \
#   <program> <argument>...
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BINARY}" -G "${GENERATOR}" -C "${SETTINGS}"
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BINARY}" COMMAND_ERROR_IS_FATAL ANY)

set(command "")
set(after_dashes OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(after_dashes)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(after_dashes ON)
  endif()
endforeach()
list(POP_FRONT command program)
execute_process(COMMAND "${BINARY}/${program}" ${command} COMMAND_ERROR_IS_FATAL ANY)
