# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include_guard()

# trackplex_git_hash(<variable>): the revision of these sources, "unknown" outside a repository of their own. A commit or checkout
# makes CMake configure again.
function(trackplex_git_hash variable)
  set(hash "")
  find_program(TRACKPLEX_GIT git)
  mark_as_advanced(TRACKPLEX_GIT)
  if(TRACKPLEX_GIT)
    set(git "${TRACKPLEX_GIT}" -C "${PROJECT_SOURCE_DIR}")
    execute_process(
      COMMAND ${git} rev-parse --show-prefix
      OUTPUT_VARIABLE prefix RESULT_VARIABLE no_repository
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(no_repository EQUAL 0 AND prefix STREQUAL "")
      execute_process(
        COMMAND ${git} rev-parse --short=12 HEAD
        OUTPUT_VARIABLE hash
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      execute_process(
        COMMAND ${git} rev-parse --git-path logs/HEAD
        OUTPUT_VARIABLE log
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      cmake_path(ABSOLUTE_PATH log BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
      if(EXISTS "${log}")
        set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${log}")
      endif()
    endif()
  endif()
  if(hash STREQUAL "")
    set(hash unknown)
  endif()
  set(${variable} ${hash} PARENT_SCOPE)
endfunction()
