// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reconstruct.hpp"

#include <trackplex/lhcb/fingerprints.hpp>

namespace lhcb_velo_ut {

std::string hash_of(std::span<const EventResult> events) {
  trackplex::Fingerprint hash;
  for (const auto& event : events) trackplex::lhcb::add_result(hash, event);
  return hash.hex();
}

}  // namespace lhcb_velo_ut
