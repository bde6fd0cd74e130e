// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/decode_ut.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <tuple>

/// A small UT, events of it, and an independent decoding.

namespace trackplex::test {

struct SmallUt {
  lhcb::UtBoards boards;
  lhcb::UtGeometry geometry;
  lhcb::UtSectorGroups groups;
};

/// A UT of regular sectors: in each region 8 columns; the strips of U and V layers step in y. Where
/// `overlapping`, the sectors of a column stand so close that their strips overlap in y, and in
/// pairs at the same place. Every board reads six sectors, but the last ones read none; a few
/// hybrids are left open.
inline SmallUt small_ut(bool overlapping = false) {
  SmallUt ut;
  auto& g = ut.geometry;
  const int columns = 8;
  const float pitch = 0.19f, length = 97.28f;
  for (int layer = 0; layer < lhcb::ut_layers; ++layer)
    for (int region = 0; region < lhcb::ut_regions; ++region) {
      const int begin = lhcb::ut_region_offsets[layer * lhcb::ut_regions + region];
      const int end = lhcb::ut_region_offsets[layer * lhcb::ut_regions + region + 1];
      for (int sector = 0; sector < end - begin; ++sector) {
        const int column = sector % columns, place = sector / columns;
        const int step = overlapping ? place / 2 : place;
        const bool stereo = layer == 1 || layer == 2;
        g.first_strip.push_back(sector % 3 == 0 ? 3 : 1);
        g.pitch.push_back(region == 1 ? pitch / 2 : pitch);
        g.length.push_back(length);
        g.x_per_strip.push_back(g.pitch.back());
        g.y_per_strip.push_back(!stereo ? 0.f : layer == 1 ? 0.0166f : -0.0166f);
        g.z_per_strip.push_back(0.001f);
        g.x.push_back(float(100 * (columns * region + column) - 1200) + 0.3f * float(step % 4));
        g.y.push_back(float(step - 6) * (overlapping ? 5.f : 97.f));
        g.z.push_back(2320.f + 45.f * float(layer) + float(place % 2));
        g.cosine.push_back(stereo ? 0.99619f : 1.f);
      }
    }
  ut.groups = lhcb::ut_sector_groups(g);

  auto& b = ut.boards;
  const int n = 200;
  b.strips_per_hybrid.assign(n, lhcb::ut_strips_per_sector);
  for (auto* values : {&b.station, &b.layer, &b.region, &b.sector, &b.channel})
    values->assign(lhcb::UtBoards::hybrids_per_board * n, 0);
  for (int sector = 0; sector < lhcb::ut_sectors; ++sector) {
    if (sector % 97 == 50) continue;                // an open hybrid
    const int i = (sector * 7) % lhcb::ut_sectors;  // boards mix all layers
    const auto region =
        std::upper_bound(lhcb::ut_region_offsets.begin(), lhcb::ut_region_offsets.end(), sector) -
        lhcb::ut_region_offsets.begin() - 1;
    b.station[i] = std::uint32_t(1 + region / 6);
    b.layer[i] = std::uint32_t(1 + region / 3 % 2);
    b.region[i] = std::uint32_t(1 + region % 3);
    b.sector[i] = std::uint32_t(1 + sector - lhcb::ut_region_offsets[region]);
    b.channel[i] =
        2u << 23 | b.station[i] << 21 | b.layer[i] << 19 | b.region[i] << 17 | b.sector[i] << 10;
  }
  for (int board = 190; board < n; ++board) b.strips_per_hybrid[board] = 0;
  return ut;
}

/// Packs hit words to a payload of version 3.
inline std::vector<std::uint32_t> ut_payload(const std::vector<std::uint16_t>& words) {
  std::vector<std::uint32_t> payload(1 + (words.size() + 1) / 2, 0);
  payload[0] = 128u << 16 | std::uint32_t(words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    payload[1 + i / 2] |= std::uint32_t(words[i]) << 16 * (i % 2);
  return payload;
}

/// An event of random banks, in no order: unknown boards, open and impossible hybrids, empty banks,
/// and words that come twice. Most hits are crowded in few strips where `dense`.
inline lhcb::RawEvent random_ut_event(int banks, int hits_per_bank, unsigned seed,
                                      bool dense = false) {
  std::mt19937 random(seed);
  lhcb::RawEvent event;
  event.name = "event " + std::to_string(seed);
  event.ut.version = 3;
  for (int bank = 0; bank < banks; ++bank) {
    const auto source = std::uint16_t(dense ? random() % 12 : random() % 205);
    std::vector<std::uint16_t> words(random() % 4 == 0 ? 0 : random() % (2 * hits_per_bank + 1));
    for (auto& word : words) word = std::uint16_t(dense ? random() & 0xb83fu : random() & 0xbfffu);
    if (words.size() > 2) words.back() = words.front();
    auto payload = ut_payload(words);
    if (random() % 3 == 0) payload.push_back(random());  // ADC counts follow
    event.ut.push_back(source, payload);
  }
  return event;
}

/// The event with the hits of each bank in ascending order, none twice, and the banks in that of
/// the boards, as detectors send them.
inline lhcb::RawEvent in_order(const lhcb::RawEvent& event) {
  std::map<std::uint16_t, std::set<std::uint16_t>> boards;
  for (std::size_t bank = 0; bank < event.ut.size(); ++bank) {
    const auto payload = event.ut.payload(bank);
    auto& words = boards[event.ut.sources[bank]];
    for (std::uint32_t i = 0; i < (payload[0] & 0xffffu); ++i)
      words.insert(std::uint16_t(payload[1 + i / 2] >> 16 * (i % 2) & 0x3fffu));
  }
  lhcb::RawEvent ordered;
  ordered.name = event.name + ", in order";
  ordered.ut.version = 3;
  for (const auto& [board, words] : boards)
    ordered.ut.push_back(board, ut_payload({words.begin(), words.end()}));
  return ordered;
}

template <class Real>
struct UtReferenceHit {
  int group;
  Real y_begin, y_end, x, z, weight;
  std::uint32_t id;
  friend bool operator==(const UtReferenceHit&, const UtReferenceHit&) = default;
};

template <class Real>
struct UtReferenceEvent {
  std::vector<UtReferenceHit<Real>> hits;
  std::uint32_t unmapped = 0;
};

/// The hits of an event one by one, then sorted.
template <class Real>
UtReferenceEvent<Real> decoded_ut(const SmallUt& ut, const lhcb::RawEvent& event) {
  UtReferenceEvent<Real> result;
  for (std::size_t bank = 0; bank < event.ut.size(); ++bank) {
    const auto payload = event.ut.payload(bank);
    const std::uint32_t board = event.ut.sources[bank];
    for (std::uint32_t i = 0; i < (payload[0] & 0xffffu); ++i) {
      const std::uint32_t word = payload[1 + i / 2] >> 16 * (i % 2) & 0xffffu;
      const std::uint32_t channel = word >> 2 & 0xfffu;
      if (board >= ut.boards.size() || ut.boards.strips_per_hybrid[board] == 0 ||
          channel / 512 >= 6 || ut.boards.station[6 * board + channel / 512] == 0) {
        ++result.unmapped;
        continue;
      }
      const std::uint32_t at = 6 * board + channel / 512, strip = channel % 512 + 1;
      const auto& b = ut.boards;
      const auto& g = ut.geometry;
      const int s = lhcb::ut_region_offsets[6 * (b.station[at] - 1) + 3 * (b.layer[at] - 1) +
                                            b.region[at] - 1] +
                    int(b.sector[at]) - 1;
      // from strip 1 on, which need not be the first of the geometry
      const double n = 0.25 * (word & 3) + strip - 1, first = 1. - g.first_strip[s];
      const auto along = [&](float origin, float step) {
        return std::fma(Real(n), Real(step), Real(origin + first * step));
      };
      const Real y = along(g.y[s], g.y_per_strip[s]);
      result.hits.push_back({ut.groups.of_sector[s], y, y + Real(g.length[s]),
                             along(g.x[s], g.x_per_strip[s]), along(g.z[s], g.z_per_strip[s]),
                             Real(12. / (double(g.pitch[s]) * g.pitch[s])),
                             0xBu << 28 | (b.channel[at] + strip)});
    }
  }
  std::stable_sort(result.hits.begin(), result.hits.end(), [](const auto& a, const auto& b) {
    return std::tie(a.group, a.y_begin, a.x) < std::tie(b.group, b.y_begin, b.x);
  });
  return result;
}

}  // namespace trackplex::test
