# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For the folders of programs, which also build by themselves against the installed package:
# cmake -S examples/<program> -B build -DCMAKE_PREFIX_PATH=<where Trackplex is installed>
include_guard()

if(NOT TARGET trackplex::trackplex)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
  endif()
  find_package(trackplex REQUIRED COMPONENTS io OPTIONAL_COMPONENTS hdf5 mpi)
  add_subdirectory("${CMAKE_CURRENT_LIST_DIR}" common)
endif()

# trackplex_add_program(<name> SOURCES <file>... [KERNELS <file>...] [REALS <type>...] [KIND <kind of kernels>] [OWN_KERNELS])
#
# A program with tests/test_<name>.py. KERNELS are compiled once per execution space and number type: see trackplex_add_kernels, also for
# what follows them.
function(trackplex_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OWN_KERNELS" "KIND" "SOURCES;KERNELS;REALS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE trackplex::program)
  if(arg_KERNELS)
    set(options "")
    if(arg_OWN_KERNELS)
      set(options OWN_KERNELS)
    endif()
    trackplex_add_kernels(${name} SOURCES ${arg_KERNELS} LINK trackplex::program REALS ${arg_REALS} KIND ${arg_KIND} ${options})
  endif()
  if(COMMAND trackplex_add_program_test)
    trackplex_add_program_test(${name})
  endif()
endfunction()
