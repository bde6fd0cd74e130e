// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_display.hpp"

namespace lhcb_velo_ut {

std::string event_display(const trackplex::lhcb::Detector&, const std::string&,
                          const EventResult&) {
  return {};
}

}  // namespace lhcb_velo_ut
