// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/split_line.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE BeamLine split(const BeamLine& line, int parts) {
  BeamLine result;
  for (const auto& [name, kind] : line) {
    const int n = kind.is_whole() || !(kind.length() > 0.) ? 1 : parts;
    for (int i = 0; i < n; ++i) result.push_back({name, kind.part(i, n)});
  }
  return result;
}

}  // namespace trackplex::beam
