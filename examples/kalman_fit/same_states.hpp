// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace kalman_fit {

/// The first track whose fingerprints differ, or that only one of the runs has.
inline std::optional<std::size_t> first_difference(const std::vector<std::uint64_t>& a,
                                                   const std::vector<std::uint64_t>& b) {
  const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (at == a.end() && other == b.end()) return std::nullopt;
  return std::size_t(at - a.begin());
}

}  // namespace kalman_fit
