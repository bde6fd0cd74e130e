// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/hits/hits_on_layers.hpp>

#include <concepts>
#include <vector>

namespace trackplex::hits {

/// Returns the events of a list, each in a list of its own: the events of a chain.
/// @throws UsageError if the last event is not complete
template <std::derived_from<HostHitsOnLayers> Host>
std::vector<Host> split(const Host& events) {
  check_complete("split", events);
  std::vector<Host> list;
  for (int event = 0; event < events.events(); ++event)
    append_events(events, event, 1, list.emplace_back(events.without_events()));
  return list;
}

}  // namespace trackplex::hits
