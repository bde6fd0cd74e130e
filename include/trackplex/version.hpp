// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Version of Trackplex. The configuration checks that it equals the one in CMakeLists.txt.

/// First number of the version.
#define TRACKPLEX_VERSION_MAJOR 0
/// Second number of the version.
#define TRACKPLEX_VERSION_MINOR 1
/// Third number of the version.
#define TRACKPLEX_VERSION_PATCH 0

/// Version as one number for comparisons in the preprocessor: 10000 * major + 100 * minor + patch.
#define TRACKPLEX_VERSION \
  (TRACKPLEX_VERSION_MAJOR * 10000 + TRACKPLEX_VERSION_MINOR * 100 + TRACKPLEX_VERSION_PATCH)

/// Version as text.
#define TRACKPLEX_VERSION_STRING "0.1.0"
