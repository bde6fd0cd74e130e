// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/spaces.hpp>

#include <vector>

namespace trackplex::test {

/// The team sizes that kernels are tested with on a host space, as far as it has so many threads:
/// test cases tagged [teams] run with 32, too. None on a device, where all tests have teams.
template <class Space>
std::vector<int> tested_team_sizes() {
  std::vector<int> sizes;
  if constexpr (is_host_space<Space>)
    for (const int size : {1, 2, 8, 32})
      if (size <= concurrency_of(Space())) sizes.push_back(size);
  return sizes;
}

}  // namespace trackplex::test
