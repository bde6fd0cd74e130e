# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The targets trackplex::trackplex, trackplex::io, trackplex::hdf5, trackplex::lzma and trackplex::mpi. Each owns the headers of its folders.
include_guard()
include(GNUInstallDirs)
include(TrackplexFloatingPoint)
include(TrackplexFma)

set(include_dir "${PROJECT_SOURCE_DIR}/include")

# trackplex_component(<name> [<definition>]): where its packages are available, an INTERFACE target trackplex_<name> with the headers of
# include/trackplex/<name>. The installed one is linked to its dependencies by trackplex-config.cmake, since fetched ones may not be
# exported.
function(trackplex_component name)
  trackplex_missing(missing ${trackplex_${name}_packages})
  if(missing)
    message(STATUS "trackplex::${name} is left out: ${missing}")
    return()
  endif()
  set(libraries "")
  foreach(package IN LISTS trackplex_${name}_packages)
    list(APPEND libraries ${trackplex_${package}_target})
  endforeach()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${include_dir}/trackplex/${name}/*.hpp")
  add_library(trackplex_${name} INTERFACE)
  add_library(trackplex::${name} ALIAS trackplex_${name})
  set_target_properties(trackplex_${name} PROPERTIES EXPORT_NAME ${name})
  target_sources(trackplex_${name} INTERFACE FILE_SET HEADERS BASE_DIRS "${include_dir}" FILES ${headers})
  target_link_libraries(trackplex_${name} INTERFACE trackplex::trackplex "$<BUILD_INTERFACE:${libraries}>")
  target_compile_definitions(trackplex_${name} INTERFACE ${ARGN})
  set(TRACKPLEX_COMPONENTS ${TRACKPLEX_COMPONENTS} ${name} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${include_dir}/trackplex/*.hpp")
list(FILTER headers EXCLUDE REGEX "/include/trackplex/(io|hdf5|lzma|mpi)/")
add_library(trackplex INTERFACE)
add_library(trackplex::trackplex ALIAS trackplex)
target_sources(trackplex INTERFACE FILE_SET HEADERS BASE_DIRS "${include_dir}" FILES ${headers})
target_compile_features(trackplex INTERFACE cxx_std_20)
target_link_libraries(trackplex INTERFACE Kokkos::kokkos)
add_library(trackplex_floating_point INTERFACE)
trackplex_disable_contraction(trackplex_floating_point)
trackplex_check_fma(trackplex_floating_point)
target_link_libraries(trackplex INTERFACE $<BUILD_INTERFACE:trackplex_floating_point>)

set(TRACKPLEX_COMPONENTS "")
trackplex_component(io)
trackplex_component(hdf5 TRACKPLEX_HAS_HDF5) # with it, the readers and writers of tables in io know HDF5
trackplex_component(lzma TRACKPLEX_HAS_LZMA) # with it, readers in io know .xz
trackplex_component(mpi TRACKPLEX_HAS_MPI)

# The version is written twice, here and in the header; they must agree.
file(STRINGS "${include_dir}/trackplex/version.hpp" version_lines REGEX "TRACKPLEX_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
list(TRANSFORM version_lines REPLACE ".* ([0-9]+)$" "\\1")
list(JOIN version_lines "." header_version)
if(NOT header_version VERSION_EQUAL PROJECT_VERSION)
  message(FATAL_ERROR "include/trackplex/version.hpp says ${header_version}, CMakeLists.txt says ${PROJECT_VERSION} \
(a release changes both): make them equal")
endif()
