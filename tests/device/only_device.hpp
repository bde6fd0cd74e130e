// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Precompiled for tests on the emulated device, before all else: tests of hosts, which are not
/// templates on the space, are parsed but not compiled.

#include <Kokkos_Core.hpp>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>

#undef TEST_CASE
#define TEST_CASE(...) \
  template <class>     \
  [[maybe_unused]] static void INTERNAL_CATCH_UNIQUE_NAME(host_test)()
