// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_ut_chain.hpp>

#include "lhcb/scifi/forward_events.hpp"
#include "lhcb/scifi_reference.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

/// Banks of the SciFi with the hits of tracks through VELO and UT, whose magnet is that of the
/// search for long tracks. The same on all machines.

namespace trackplex::test {

/// small_scifi() with layers at their nominal z at y = 0, where the search expects them.
inline lhcb::ScifiGeometry nominal_scifi() {
  auto geometry = small_scifi();
  for (std::size_t mat = 0; mat < geometry.z.size(); ++mat)
    geometry.z[mat] += geometry.y[mat] * geometry.dzdy[mat];
  return geometry;
}

/// Finds the channels of a SciFi (without links of their own) by their positions, and makes banks.
class ScifiEncoder {
 public:
  explicit ScifiEncoder(const lhcb::ScifiGeometry& geometry) : geometry_(geometry) {
    for (std::size_t mat = 0; mat < geometry.length.size(); ++mat) {
      if (geometry.length[mat] == 0.f) continue;
      for (std::uint32_t c = 0; c < lhcb::scifi_mat_channels; ++c)
        for (int fraction = 0; fraction < 2; ++fraction) {
          const auto id = std::uint32_t(mat + 512) << 9 | c;
          const auto hit = scifi_hit(geometry, id, fraction, 4);
          zones_[std::size_t(hit.zone)].push_back({hit.x, id, fraction});
        }
    }
    for (auto& channels : zones_)
      std::sort(channels.begin(), channels.end(),
                [](const auto& a, const auto& b) { return a.x < b.x; });
  }

  /// Adds a hit of a zone near x (at y = 0, mm), if there is a fibre; returns whether there is.
  bool add(int zone, double x) {
    const auto& channels = zones_[std::size_t(zone)];
    const auto next = std::lower_bound(channels.begin(), channels.end(), x,
                                       [](const auto& c, double value) { return c.x < value; });
    if (next == channels.end() || next->x - x > 0.2) return false;
    const auto& first = geometry_.first_channel;
    const auto bank =
        std::size_t(std::upper_bound(first.begin(), first.end(), next->id) - first.begin()) - 1;
    const auto word = (next->id - first[bank]) << 2 | std::uint32_t(next->fraction) << 1;
    if (word != 0) words_[bank].push_back(word);  // which would be padding
    return word != 0;
  }

  /// The banks of the hits since the last call, as version 5.
  lhcb::RawBanks take() {
    lhcb::RawBanks banks;
    banks.version = 5;
    for (std::size_t b = 0; b < words_.size(); ++b) {
      auto& words = words_[b];
      std::sort(words.begin(), words.end());
      words.erase(std::unique(words.begin(), words.end()), words.end());
      banks.push_back(std::uint16_t(b), scifi_payload(words));
      words.clear();
    }
    return banks;
  }

 private:
  struct Channel {
    double x;
    std::uint32_t id;
    int fraction;
  };
  lhcb::ScifiGeometry geometry_;
  std::array<std::vector<Channel>, lhcb::scifi_zones> zones_;
  std::array<std::vector<std::uint32_t>, lhcb::scifi_banks> words_;
};

/// Gives events banks of the SciFi of the detector: the hits of their tracks through VELO and UT,
/// and some noise in each zone. Returns the number of these tracks with 10 hits and more.
inline std::size_t add_long_tracks(std::span<lhcb::RawEvent> events, const lhcb::Detector& detector,
                                   int noise = 20) {
  const HostExecutor exec;
  const auto magnet = lhcb::forward_magnet<double>(exec, lhcb::forward_tables());
  const auto found = lhcb::velo_ut_chain<double>(exec, detector, {})(events);
  ScifiEncoder encoder(*detector.scifi);
  ForwardRandom random(17);
  std::size_t n = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    for (const auto& ut : found[e].ut_tracks) {
      const auto& s = found[e].velo_tracks.states[ut.velo_track];
      const ForwardTrack track{
          s.x - s.tx * s.z, s.y - s.ty * s.z, s.tx, s.ty, ut.qop, true, {}, 0., 0.};
      const auto curve = forward_truth(track, magnet);
      int hits = 0;
      for (int layer = 0; layer < lhcb::scifi_layers; ++layer) {
        const double z = lhcb::scifi_z[std::size_t(layer)], x = curve.at(z);
        const double x_ut = ut.x + ut.slope * (z - lhcb::ut_z_middle);
        const double y =
            track.y + track.ty * z + magnet.y_shift(layer, ut.slope, track.ty, x - x_ut);
        hits +=
            encoder.add(2 * layer + (y > 0. ? 1 : 0), x - y * lhcb::scifi_dxdy[std::size_t(layer)]);
      }
      n += hits >= 10;
    }
    for (int zone = 0; zone < lhcb::scifi_zones; ++zone)
      for (int i = 0; i < noise; ++i) encoder.add(zone, random.between(-2500., 2500.));
    events[e].scifi = encoder.take();
  }
  return n;
}

}  // namespace trackplex::test
