// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: no matching function for call to .sin
#include <trackplex/trackplex.hpp>

auto wrong(trackplex::Lanes<int, 8> x) { return trackplex::sin(x); }
