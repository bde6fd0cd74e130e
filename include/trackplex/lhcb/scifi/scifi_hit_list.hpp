// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/scifi_channel.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace trackplex::lhcb {

/// SciFi hits of an event on the host, in the order of ScifiHits: a view of arrays, which others
/// own. Lengths are in mm.
struct ScifiHitList {
  std::span<const double> x,                   ///< (hit): x of the fibre, extended to y = 0
      z,                                       ///< (hit): z of the fibre, extended to y = 0
      y_begin,                                 ///< (hit): lowest y of the fibre
      y_end;                                   ///< (hit): highest y of the fibre
  std::span<const std::uint8_t> cluster_size;  ///< (hit): pseudo size, see scifi_sigma
  std::span<const std::uint32_t> ids;          ///< (hit): LHCbID
  std::array<std::uint32_t, scifi_zones + 1>
      zone_offsets{};         ///< first hit of each zone, and the end
  std::uint32_t invalid = 0;  ///< ScifiHits::invalid

  /// Number of hits.
  std::size_t size() const { return ids.size(); }

  /// Compares all members, and the contents of all arrays.
  friend bool operator==(const ScifiHitList& a, const ScifiHitList& b) {
    const auto equal = [&](auto member) { return std::ranges::equal(a.*member, b.*member); };
    return equal(&ScifiHitList::x) && equal(&ScifiHitList::z) && equal(&ScifiHitList::y_begin) &&
           equal(&ScifiHitList::y_end) && equal(&ScifiHitList::cluster_size) &&
           equal(&ScifiHitList::ids) && a.zone_offsets == b.zone_offsets && a.invalid == b.invalid;
  }
};

}  // namespace trackplex::lhcb
