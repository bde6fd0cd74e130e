# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include_guard()
if(NOT Python3_FOUND)
  message(STATUS "The tests of programs are left out: they need Python 3")
endif()
include(TrackplexMpiTests)

# trackplex_program_file(<variable> <program>): the path of a program, which may be a link to another one.
function(trackplex_program_file variable program)
  set(file $<TARGET_FILE:${program}>)
  get_target_property(to ${program} TRACKPLEX_LINK_TO)
  if(to)
    set(file $<TARGET_FILE_DIR:${to}>/${program})
  endif()
  set(${variable} "${file}" PARENT_SCOPE)
endfunction()

# trackplex_add_program_test(<program> [SCRIPT <file>] [LABEL <label>]): the Python script, by default
# tests/test_<program>.py, runs the program as a whole: mostly starts and files, so two run side by side on two cores. One beside it
# whose name ends with _ranks runs it on many ranks.
function(trackplex_add_program_test program)
  cmake_parse_arguments(arg "" "SCRIPT;LABEL" "" SCRIPT tests/test_${program}.py LABEL ${program} ${ARGN})
  if(Python3_FOUND)
    trackplex_program_file(file ${program})
    add_test(NAME ${program}.program COMMAND ${Python3_EXECUTABLE} "${CMAKE_CURRENT_SOURCE_DIR}/${arg_SCRIPT}" ${file})
    set_tests_properties(${program}.program PROPERTIES LABELS ${arg_LABEL}
                                                       ENVIRONMENT "OMP_PROC_BIND=false;OMP_WAIT_POLICY=passive;TRACKPLEX_OFFERED_LANES=${TRACKPLEX_OFFERED_LANES}")
  endif()
  cmake_path(ABSOLUTE_PATH arg_SCRIPT OUTPUT_VARIABLE script)
  string(REGEX REPLACE "\\.py$" "_ranks.py" script "${script}")
  if(EXISTS "${script}")
    trackplex_add_ranks_test(${program} "${script}")
  endif()
endfunction()
