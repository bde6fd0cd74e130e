# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Dependencies: an installed package where there is one, else a pinned release archive from the public repository of
# the dependency (option TRACKPLEX_FETCH_DEPENDENCIES). FETCHCONTENT_SOURCE_DIR_<NAME> points to unpacked sources instead of a
# download; TRACKPLEX_<package>_URL and TRACKPLEX_<package>_SHA256 to another archive: a mirror, another release. The SHA-256
# sums are those of the public Spack recipes.
include_guard()
include(FetchContent)
include(TrackplexFind)

set(TRACKPLEX_KOKKOS_MINIMUM 3.4)
set(TRACKPLEX_KOKKOS_LIMIT 6) # exclusive

# trackplex_declare(<package> <URL> <SHA-256>): what is fetched where the package is not installed.
function(trackplex_declare package url sha256)
  foreach(setting IN ITEMS URL SHA256)
    if(TRACKPLEX_${package}_${setting})
      string(TOLOWER ${setting} name)
      set(${name} "${TRACKPLEX_${package}_${setting}}")
    endif()
  endforeach()
  FetchContent_Declare(
    ${package}
    SYSTEM # first: CMake 3.25 takes what follows the hash for a part of it
    DOWNLOAD_EXTRACT_TIMESTAMP OFF
    URL "${url}"
    URL_HASH "SHA256=${sha256}")
endfunction()

trackplex_declare(Kokkos https://github.com/kokkos/kokkos/releases/download/4.7.02/kokkos-4.7.02.tar.gz
                  a81826ac0a167933d13506bc2a986fb5517038df9abb780fe9bb2c1d4e80803b)
trackplex_declare(Catch2 https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz
                  c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c)
trackplex_declare(fmt https://github.com/fmtlib/fmt/releases/download/11.0.2/fmt-11.0.2.zip
                  40fc58bebcf38c759e11a7bd8fdc163507d2423ef5058bba7f26280c5b9c5465)
trackplex_declare(CLI11 https://github.com/CLIUtils/CLI11/archive/v2.4.2.tar.gz
                  f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
trackplex_declare(nlohmann_json https://github.com/nlohmann/json/archive/v3.11.3.tar.gz
                  0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406)
trackplex_declare(simdjson https://github.com/simdjson/simdjson/archive/v3.12.2.tar.gz
                  8ac7c97073d5079f54ad66d04381ec75e1169c2e20bfe9b6500bc81304da3faf)
trackplex_declare(benchmark https://github.com/google/benchmark/archive/v1.8.5.tar.gz
                  d26789a2b46d8808a48a4556ee58ccc7c497fcd4c0af9b90197674a81e04798a)

# What a fetched dependency builds and, where it can, installs: the installed package needs them, too.
macro(trackplex_set_fetch_options)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(CMAKE_CXX_STANDARD 20)
  set(Kokkos_ENABLE_TESTS OFF)
  set(FMT_INSTALL ON)
  set(CLI11_BUILD_TESTS OFF)
  set(CLI11_BUILD_EXAMPLES OFF)
  set(JSON_BuildTests OFF)
  set(JSON_Install ON)
  set(CATCH_INSTALL_DOCS OFF)
  set(CATCH_INSTALL_EXTRAS OFF)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  set(BENCHMARK_ENABLE_WERROR OFF)
endmacro()

# trackplex_dependency(<package> [<version>])
#
# trackplex_find, and a download of what it does not find.
macro(trackplex_dependency package)
  trackplex_find(${package} ${ARGN})
  if(NOT TRACKPLEX_${package}_AVAILABLE AND NOT TARGET ${trackplex_${package}_target})
    if(TRACKPLEX_FETCH_DEPENDENCIES)
      message(STATUS "${package} is not installed (Debian: ${trackplex_${package}_debian}): fetching the pinned release")
      trackplex_fetch(${package})
      set(TRACKPLEX_${package}_AVAILABLE TRUE)
    else()
      set(TRACKPLEX_${package}_PROBLEM "${package} was not found (Debian: ${trackplex_${package}_debian}, or set ${package}_ROOT, or \
download it with -DTRACKPLEX_FETCH_DEPENDENCIES=ON)")
    endif()
  endif()
endmacro()
macro(trackplex_fetch package)
  block()
    trackplex_set_fetch_options()
    FetchContent_MakeAvailable(${package})
  endblock()
endmacro()

if(NOT TARGET Kokkos::kokkos)
  find_package(Kokkos QUIET)
  if(NOT Kokkos_FOUND AND TRACKPLEX_FETCH_DEPENDENCIES)
    message(STATUS "Kokkos is not installed (scripts/setup builds it): fetching the pinned release")
    trackplex_fetch(Kokkos)
  elseif(NOT Kokkos_FOUND)
    message(FATAL_ERROR "Trackplex needs Kokkos ${TRACKPLEX_KOKKOS_MINIMUM} or newer (set Kokkos_ROOT, or run scripts/setup, or \
allow the download with -DTRACKPLEX_FETCH_DEPENDENCIES=ON)")
  endif()
endif()
# Kokkos' own version file accepts only one major version, so the range is checked here.
if(Kokkos_VERSION
   AND (Kokkos_VERSION VERSION_LESS TRACKPLEX_KOKKOS_MINIMUM
        OR Kokkos_VERSION VERSION_GREATER_EQUAL TRACKPLEX_KOKKOS_LIMIT))
  message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} (${Kokkos_DIR}) is not supported (Trackplex is written for \
${TRACKPLEX_KOKKOS_MINIMUM} to below ${TRACKPLEX_KOKKOS_LIMIT}): point Kokkos_ROOT to another one")
endif()
# An installed Kokkos has what it was built with, whatever a preset asks of one that is fetched.
if(Kokkos_FOUND)
  foreach(backend IN ITEMS SERIAL OPENMP CUDA HIP)
    set(Kokkos_ENABLE_${backend} OFF)
    if(backend IN_LIST Kokkos_DEVICES)
      set(Kokkos_ENABLE_${backend} ON)
    endif()
  endforeach()
  message(STATUS "Kokkos ${Kokkos_VERSION} with ${Kokkos_DEVICES}: ${Kokkos_DIR}")
  # Its Views have another layout on the device than on the host there, or it does not compile.
  if(Kokkos_ENABLE_CUDA
     AND CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.9
     AND Kokkos_VERSION VERSION_LESS 4.7.1
     AND (CUDAToolkit_VERSION VERSION_GREATER_EQUAL 13 OR Kokkos_VERSION VERSION_GREATER_EQUAL 4.7))
    message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} (${Kokkos_DIR}) does not work with CUDA ${CUDAToolkit_VERSION}: \
point Kokkos_ROOT to 4.7.01 or newer, or take an older CUDA")
  endif()
  # Its OpenMP comes as flags, which this compiler takes without having the library.
  if(Kokkos_ENABLE_OPENMP AND NOT Kokkos_ENABLE_CUDA AND NOT Kokkos_ENABLE_HIP)
    trackplex_package(Kokkos Kokkos::kokkos "g++, for clang: libomp-dev" omp.h "omp_get_max_threads()")
    trackplex_check_usable(Kokkos)
    if(NOT TRACKPLEX_Kokkos_AVAILABLE)
      message(FATAL_ERROR "Kokkos (${Kokkos_DIR}) has OpenMP, which ${CMAKE_CXX_COMPILER} does not: install it (Debian: \
${trackplex_Kokkos_debian}), or point Kokkos_ROOT to a Kokkos without")
    endif()
  endif()
else()
  message(STATUS "Kokkos as a part of this build: ${Kokkos_SOURCE_DIR}")
endif()

# Optional: the components exist where their packages are available.
trackplex_dependency(nlohmann_json)
trackplex_dependency(simdjson)
trackplex_find(ZLIB)
trackplex_find(LibLZMA)
foreach(package IN ITEMS HDF5 MPI)
  if(TRACKPLEX_ENABLE_${package})
    trackplex_find(${package})
  else()
    set(TRACKPLEX_${package}_AVAILABLE FALSE)
    set(TRACKPLEX_${package}_PROBLEM "TRACKPLEX_ENABLE_${package} is OFF")
  endif()
endforeach()
if(PROJECT_IS_TOP_LEVEL OR TRACKPLEX_ENABLE_TESTS OR TRACKPLEX_ENABLE_DOCS)
  find_package(Python3 QUIET COMPONENTS Interpreter)
endif()
