# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is decided only when Trackplex is the project being built, never when it is a part of another one.
include_guard()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Every program lands in one folder: build/<preset>/bin.
if(NOT CMAKE_RUNTIME_OUTPUT_DIRECTORY)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endif()
