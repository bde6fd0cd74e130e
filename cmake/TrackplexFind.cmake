# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The packages that Trackplex can do without; also used by the installed package. One is available where find_package finds it and a
# program with it compiles and links. That its target exists says nothing: CMake's module for MPI makes one of an MPI that it does
# not find. What is found may be half installed: a library without headers, headers without a library.
include_guard()
include(CheckCXXSourceCompiles)
include(CheckLanguage)

# trackplex_package(<package> <target> <packages of Debian> <header> [<expression>]): a package, and what a program with it needs:
# the header, and the library, of which the expression calls a function. Headers that take long to compile come without one.
function(trackplex_package package target debian header)
  set(source "#if !__has_include(<${header}>)\n#error\n#endif\nint main() {}\n")
  if(ARGN)
    set(source "#include <${header}>\nint main() { return ${ARGN}; }\n")
  endif()
  foreach(variable IN ITEMS target debian source)
    set(trackplex_${package}_${variable} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()
trackplex_package(nlohmann_json nlohmann_json::nlohmann_json nlohmann-json3-dev nlohmann/json.hpp)
trackplex_package(simdjson simdjson::simdjson libsimdjson-dev simdjson.h)
trackplex_package(ZLIB ZLIB::ZLIB zlib1g-dev zlib.h "zlibVersion() == nullptr")
trackplex_package(HDF5 hdf5::hdf5 libhdf5-dev hdf5.h "H5open()")
trackplex_package(MPI MPI::MPI_CXX "libopenmpi-dev openmpi-bin" mpi.h "MPI_Finalize()")
trackplex_package(fmt fmt::fmt libfmt-dev fmt/core.h)
trackplex_package(CLI11 CLI11::CLI11 libcli11-dev CLI/CLI.hpp)
trackplex_package(Catch2 Catch2::Catch2 libcatch2-dev catch2/catch_version.hpp)
trackplex_package(benchmark benchmark::benchmark libbenchmark-dev benchmark/benchmark.h)
set(trackplex_HDF5_arguments COMPONENTS C)
set(trackplex_MPI_arguments COMPONENTS CXX)

# The packages that components need.
set(trackplex_io_packages nlohmann_json simdjson ZLIB)
set(trackplex_hdf5_packages HDF5)
set(trackplex_mpi_packages MPI)

# trackplex_find(<package> [<version>]): sets TRACKPLEX_<package>_AVAILABLE, and where that is false TRACKPLEX_<package>_PROBLEM. A
# target that the parent project has is taken instead of looking for the package.
macro(trackplex_find package)
  set(TRACKPLEX_${package}_AVAILABLE FALSE)
  set(TRACKPLEX_${package}_PROBLEM "${package} was not found (Debian: ${trackplex_${package}_debian})")
  set(MPI_CXX_SKIP_MPICXX ON) # its interface of C is enough
  if("${package}" STREQUAL "HDF5") # CMake's module for it compiles C
    check_language(C)
    if(CMAKE_C_COMPILER)
      enable_language(C)
    endif()
  endif()
  if(TARGET ${trackplex_${package}_target})
    trackplex_check_usable(${package})
  elseif("${package}" STREQUAL "HDF5" AND NOT CMAKE_C_COMPILER)
    set(TRACKPLEX_HDF5_PROBLEM "CMake finds HDF5 only with a C compiler (Debian: gcc libhdf5-dev)")
  else()
    find_package(${package} ${ARGN} QUIET ${trackplex_${package}_arguments})
    if(${package}_FOUND)
      trackplex_check_usable(${package})
    endif()
  endif()
endmacro()

# trackplex_check_usable(<package>): sets both variables. A target that is built here, as those of fetched dependencies are, is
# linked with when it is there; success is remembered until the compiler, its flags or the package change.
function(trackplex_check_usable package)
  set(target ${trackplex_${package}_target})
  set(TRACKPLEX_${package}_AVAILABLE TRUE PARENT_SCOPE)
  get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  foreach(library IN ITEMS ${target} ${libraries})
    if(TARGET ${library})
      get_target_property(is_imported ${library} IMPORTED)
      if(NOT is_imported)
        return()
      endif()
    endif()
  endforeach()
  string(MD5 key "${CMAKE_CXX_COMPILER} ${CMAKE_CXX_FLAGS} ${folders} ${libraries}")
  set(CMAKE_REQUIRED_LIBRARIES ${target})
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles("${trackplex_${package}_source}" TRACKPLEX_USES_${package}_${key})
  if(NOT TRACKPLEX_USES_${package}_${key})
    unset(TRACKPLEX_USES_${package}_${key} CACHE)
    set(TRACKPLEX_${package}_AVAILABLE FALSE PARENT_SCOPE)
    set(TRACKPLEX_${package}_PROBLEM "${package} is half installed: no program with it compiles and links (Debian: \
${trackplex_${package}_debian}, what the compiler says is in ${CMAKE_BINARY_DIR}${CMAKE_FILES_DIRECTORY})" PARENT_SCOPE)
  endif()
endfunction()

# trackplex_missing(<variable> <package>...): the problems of those that are not available, as a text; empty if all are.
function(trackplex_missing variable)
  set(problems "")
  foreach(package IN LISTS ARGN)
    if(NOT TRACKPLEX_${package}_AVAILABLE)
      list(APPEND problems "${TRACKPLEX_${package}_PROBLEM}")
    endif()
  endforeach()
  list(JOIN problems ", " text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
