// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Version of Trackplex (Semantic Versioning). CMake checks that it equals that of CMakeLists.txt.

/// Major version.
#define TRACKPLEX_VERSION_MAJOR 0
/// Minor version; before 1.0 it may change interfaces.
#define TRACKPLEX_VERSION_MINOR 2
/// Patch version.
#define TRACKPLEX_VERSION_PATCH 0

/// Version as a number for comparisons in the preprocessor: 10000 * major + 100 * minor + patch.
#define TRACKPLEX_VERSION \
  (TRACKPLEX_VERSION_MAJOR * 10000 + TRACKPLEX_VERSION_MINOR * 100 + TRACKPLEX_VERSION_PATCH)

/// Version as a text.
#define TRACKPLEX_VERSION_STRING "0.2.0"
