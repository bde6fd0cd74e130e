// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <vector>

namespace trackplex::lhcb::detail {

/// Functions that take in events want pointers to them, so that events may lie anywhere.
template <class Event>
std::vector<const Event*> pointers_to(std::span<const Event> events) {
  std::vector<const Event*> pointers;
  pointers.reserve(events.size());
  for (const auto& event : events) pointers.push_back(&event);
  return pointers;
}

}  // namespace trackplex::lhcb::detail
