# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is decided only when Trackplex is the project being built, never when it is a part of another one.
include_guard()
include(CheckCXXSourceCompiles)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Every program lands in one folder: build/<preset>/bin.
if(NOT CMAKE_RUNTIME_OUTPUT_DIRECTORY)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endif()

# The kernels call fma(); without the instruction each call is a slow library function (with the same result).
# A separate result variable per set of flags, so that changed flags are checked again.
string(MD5 flags_id "${CMAKE_CXX_COMPILER} ${CMAKE_CXX_FLAGS}")
check_cxx_source_compiles(
  "#if !defined(__FMA__) && !defined(__aarch64__) && !defined(__powerpc64__) && !defined(__CUDACC__) && !defined(__HIP__)
   #error no fused multiply-add
   #endif
   int main() {}"
  TRACKPLEX_HAS_FMA_${flags_id})
if(NOT TRACKPLEX_HAS_FMA_${flags_id})
  message(
    WARNING
      "The compiler flags '${CMAKE_CXX_FLAGS}' enable no fused multiply-add instruction (fma is then computed in \
software: equal results, many times slower). Use a preset, or add -march=native or -mfma to CMAKE_CXX_FLAGS.")
endif()
