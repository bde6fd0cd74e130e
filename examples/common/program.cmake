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

# trackplex_load_hdf5_on_demand(<program>): HDF5 is loaded when the program first uses it. Not where HDF5 is no shared library of ELF.
function(trackplex_load_hdf5_on_demand program)
  if(NOT TARGET trackplex::hdf5 OR NOT TARGET hdf5::hdf5 OR NOT CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
    return()
  endif()
  get_target_property(path hdf5::hdf5 IMPORTED_LOCATION)
  if(NOT path)
    set(path "${HDF5_C_LIBRARY_hdf5}")
  endif()
  file(REAL_PATH "${path}" path)
  if(NOT path MATCHES "/([^/]+[.]so[.][0-9]+)[^/]*$")
    return()
  endif()
  set(source "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/hdf5_on_demand.cpp")
  target_sources(${program} PRIVATE "${source}")
  set_source_files_properties(
    "${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -fvisibility=hidden
                           COMPILE_DEFINITIONS "TRACKPLEX_HDF5_NAME=\"${CMAKE_MATCH_1}\";TRACKPLEX_HDF5_PATH=\"${path}\"")
  target_link_libraries(${program} PRIVATE ${CMAKE_DL_LIBS})
  target_link_options(${program} PRIVATE LINKER:--as-needed)
endfunction()

# trackplex_add_program(<name> SOURCES <file>... [KERNELS <file>...] [REALS <type>...] [KIND <kind of kernels>] [OWN_KERNELS]
#                       [LINKS <name>...])
#
# A program with tests/test_<name>.py. KERNELS are compiled once per execution space and number type: see trackplex_add_kernels, also for
# what follows them. LINKS are further names of the program, which it runs under; each is a target and has a test, too.
function(trackplex_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OWN_KERNELS" "KIND" "SOURCES;KERNELS;REALS;LINKS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE trackplex::program)
  trackplex_load_hdf5_on_demand(${name})
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
