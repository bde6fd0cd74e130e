// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <trackplex/core/counted.hpp>
#include <utility>
#include <vector>

namespace trackplex::benchmarks {

/// What building computes for one candidate on a layer, or for one hit, and the operations of it.
std::vector<std::pair<std::string, OperationCounts>> layer_operations();

}  // namespace trackplex::benchmarks
