# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The programs of this build tell their git revision. The header is written at each build, but touched only when the
# revision changed. Included by TrackplexLibrary.cmake; run as a script (cmake -P) by its target.
if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(
    COMMAND git describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY "${SOURCE_DIR}"
    OUTPUT_VARIABLE revision
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT revision) # a released archive
    set(revision "unknown")
  endif()
  file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#pragma once\n#define TRACKPLEX_GIT_HASH \"${revision}\"\n")
  return()
endif()

set(git_hash_dir "${PROJECT_BINARY_DIR}/generated")
set(git_hash_header "${git_hash_dir}/trackplex/program/git_hash.hpp")
add_custom_target(
  trackplex_git_hash
  COMMAND ${CMAKE_COMMAND} "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DHEADER=${git_hash_header}" -P
          "${CMAKE_CURRENT_LIST_FILE}"
  BYPRODUCTS "${git_hash_header}"
  COMMENT "Asking git for the revision")
add_dependencies(trackplex_program trackplex_git_hash)
target_include_directories(trackplex_program INTERFACE "$<BUILD_INTERFACE:${git_hash_dir}>")
