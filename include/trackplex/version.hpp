// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// The version of Trackplex; the configuration checks that it equals the one in CMakeLists.txt.
#define TRACKPLEX_VERSION_MAJOR 0
#define TRACKPLEX_VERSION_MINOR 1
#define TRACKPLEX_VERSION_PATCH 0

/// For comparisons in the preprocessor: 10000 * major + 100 * minor + patch.
#define TRACKPLEX_VERSION \
  (TRACKPLEX_VERSION_MAJOR * 10000 + TRACKPLEX_VERSION_MINOR * 100 + TRACKPLEX_VERSION_PATCH)

#define TRACKPLEX_VERSION_STRING "0.1.0"
