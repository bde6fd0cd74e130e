# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For the folders of programs, which also build by themselves against the installed package:
# cmake -S examples/<program> -B build -DCMAKE_PREFIX_PATH=<where Trackplex is installed>
include_guard()

if(NOT TARGET trackplex::trackplex)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
  endif()
  find_package(trackplex REQUIRED COMPONENTS io OPTIONAL_COMPONENTS hdf5 lzma mpi)
  add_subdirectory("${CMAKE_CURRENT_LIST_DIR}" common)
endif()

# trackplex_add_program(<name> SOURCES <file>... [KERNELS <file>...] [REALS <type>...] [KIND <kind of kernels>] [OWN_KERNELS]
#                       [LINKS <name>...])
#
# A program with tests/test_<name>.py. KERNELS are compiled once per execution space and number type: see trackplex_add_kernels, also for
# what follows them. LINKS are further names of the program, which it runs under; each is a target and has a test, too.
function(trackplex_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OWN_KERNELS" "KIND" "SOURCES;KERNELS;REALS;LINKS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE trackplex::program)
  if(arg_KERNELS)
    set(options "")
    if(arg_OWN_KERNELS)
      set(options OWN_KERNELS)
    endif()
    trackplex_add_kernels(${name} SOURCES ${arg_KERNELS} LINK trackplex::program REALS ${arg_REALS} KIND ${arg_KIND} ${options})
  endif()
  foreach(link IN LISTS arg_LINKS)
    add_custom_command(TARGET ${name} POST_BUILD COMMAND "${CMAKE_COMMAND}" -E create_symlink $<TARGET_FILE_NAME:${name}>
                                                         $<TARGET_FILE_DIR:${name}>/${link} VERBATIM)
    add_custom_target(${link} DEPENDS ${name})
    set_target_properties(${link} PROPERTIES TRACKPLEX_LINK_TO ${name})
  endforeach()
  if(COMMAND trackplex_add_program_test)
    foreach(program IN ITEMS ${name} ${arg_LINKS})
      trackplex_add_program_test(${program})
    endforeach()
  endif()
endfunction()
