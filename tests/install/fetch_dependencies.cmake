# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Configures Trackplex with every dependency fetched, from archives of projects that only name the targets:
# cmake -DSOURCE=<Trackplex> -DBINARY=<folder> -DGENERATOR=... -DCOMPILER=... -P fetch_dependencies.cmake
set(targets_Kokkos Kokkos::kokkos)
set(targets_Catch2 Catch2::Catch2)
set(targets_fmt fmt::fmt)
set(targets_CLI11 CLI11::CLI11)
set(targets_nlohmann_json nlohmann_json::nlohmann_json)
set(targets_simdjson simdjson::simdjson)
set(targets_benchmark benchmark::benchmark)

file(REMOVE_RECURSE "${BINARY}")
set(settings "")
foreach(package IN ITEMS Kokkos Catch2 fmt CLI11 nlohmann_json simdjson benchmark)
  set(folder "${BINARY}/archives/${package}")
  set(archive "${folder}.tar.gz")
  file(WRITE "${folder}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(${package} LANGUAGES CXX)
add_library(fetched_${package} INTERFACE)
add_library(${targets_${package}} ALIAS fetched_${package})
install(TARGETS fetched_${package} EXPORT ${package})
install(EXPORT ${package} DESTINATION cmake)
")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E tar czf "${archive}" ${package} WORKING_DIRECTORY "${BINARY}/archives"
                  COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 "${archive}" hash)
  list(APPEND settings "-DTRACKPLEX_${package}_URL=file://${archive}" "-DTRACKPLEX_${package}_SHA256=${hash}"
       "-DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON")
endforeach()

execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BINARY}/build" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" -DTRACKPLEX_FETCH_DEPENDENCIES=ON
          -DKokkos_ENABLE_SERIAL=ON ${settings} COMMAND_ERROR_IS_FATAL ANY
  OUTPUT_VARIABLE output ECHO_OUTPUT_VARIABLE)
foreach(package IN ITEMS Kokkos Catch2 fmt CLI11 nlohmann_json simdjson benchmark)
  if(NOT output MATCHES "${package} is not installed [^\n]*: fetching the pinned release")
    message(FATAL_ERROR "${package} was not fetched")
  endif()
endforeach()
if(output MATCHES "(tests/|benchmarks|examples|programs)[^\n]* left out")
  message(FATAL_ERROR "left out: ${CMAKE_MATCH_0}")
endif()

# A damaged archive is refused.
file(APPEND "${BINARY}/archives/fmt.tar.gz" "more")
file(REMOVE_RECURSE "${BINARY}/build")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BINARY}/build" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" ${settings}
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE output)
if(status EQUAL 0 OR NOT output MATCHES "SHA256 hash of")
  message(FATAL_ERROR "an archive with another hash was taken: ${output}")
endif()
