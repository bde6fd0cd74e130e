# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The target check_headers: each header compiles alone. Kokkos is precompiled, for those that include it, and headers that
# include one another share a source (see scripts/lib/header_chains.py). As for the library trackplex::compiled: header-only, they
# include their implementation files as well. The sources are written when CMake configures.
include_guard()
if(NOT Python3_FOUND)
  message(STATUS "The check that headers compile alone is left out: it needs Python 3")
  return()
endif()

set(header_checks_dir "${PROJECT_BINARY_DIR}/header_checks")
set(absent_components io hdf5 lzma mpi)
list(REMOVE_ITEM absent_components ${TRACKPLEX_COMPONENTS})
execute_process(
  COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/scripts/lib/header_chains.py" "${PROJECT_SOURCE_DIR}/include"
          "${header_checks_dir}" --without ${absent_components}
  COMMAND_ERROR_IS_FATAL ANY)
file(GLOB kokkos_checks "${header_checks_dir}/kokkos/*.cpp")
file(GLOB plain_checks "${header_checks_dir}/plain/*.cpp")

add_library(check_headers OBJECT EXCLUDE_FROM_ALL ${kokkos_checks} ${plain_checks})
target_link_libraries(check_headers PRIVATE trackplex::trackplex)
foreach(component IN LISTS TRACKPLEX_COMPONENTS)
  target_link_libraries(check_headers PRIVATE trackplex::${component})
endforeach()
target_compile_definitions(check_headers PRIVATE TRACKPLEX_COMPILED)
target_compile_options(check_headers PRIVATE -O0 -g0)
set_target_properties(check_headers PROPERTIES UNITY_BUILD OFF)
if(NOT Kokkos_ENABLE_CUDA AND NOT Kokkos_ENABLE_HIP)
  target_precompile_headers(check_headers PRIVATE <Kokkos_Core.hpp>)
  set_source_files_properties(${plain_checks} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endif()
