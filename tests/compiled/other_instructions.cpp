// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/compiled.hpp>

int main() {}
