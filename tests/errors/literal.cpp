// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: deleted
#include <trackplex/trackplex.hpp>

auto wrong(trackplex::Lanes<float, 8> x) { return x * 0.5; }
