// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <version>

/// @file
/// Checks that the C++ library has `std::stop_token`.

#ifndef __cpp_lib_jthread
#error \
    "Trackplex's pipeline uses std::stop_token, which libc++ has from version 20 on: compile with a newer one, with -fexperimental-library (version 18 or 19), or with GNU's library."
#endif
