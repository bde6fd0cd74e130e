// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <charconv>

/// @file
/// Checks that the C++ library reads floating-point numbers.

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000
#error \
    "Trackplex reads files with std::from_chars of floating-point numbers, which libc++ has from version 20 on: compile this source with a newer one, or with GNU's library."
#endif
