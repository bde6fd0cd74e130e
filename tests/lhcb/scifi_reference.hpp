// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/decode_scifi.hpp>
#include <trackplex/simulation/detail/scifi_words.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>

/// A small regular SciFi, random banks, and an independent decoding.

namespace trackplex::test {

/// A SciFi of regular mats, 131 mm wide, with links of their own where asked for. Where
/// `overlapping`, modules are closer than they are wide.
inline lhcb::ScifiGeometry small_scifi(bool has_links = false, bool overlapping = false) {
  lhcb::ScifiGeometry g;
  for (auto* list : {&g.x, &g.y, &g.z, &g.step_x, &g.step_y, &g.step_z, &g.u_begin, &g.half_pitch,
                     &g.die_gap, &g.sipm_pitch, &g.dxdy, &g.dzdy, &g.length})
    list->assign(lhcb::scifi_mat_count, 0.f);
  for (int q = 0; q < lhcb::scifi_quarters; ++q) {
    const int layer = q / 4;
    const bool upper = q % 4 >= 2, left = q % 2 == 0;
    g.modules.push_back(layer < 8 ? 5 : 6);
    for (int m = 0; m < 4 * int(g.modules.back()); ++m) {
      const int i = 32 * q + m;
      const double slope = lhcb::scifi_dxdy[std::size_t(layer)];
      const double middle = (left ? -1. : 1.) * (66. + (overlapping ? 120. : 132.5) * m);
      const double sign = (left == upper) ? 1. : -1.;  // of the channels
      const double cosine = 1. / std::sqrt(1. + slope * slope);
      g.x[i] = float(middle + (upper ? 1. : -1.) * 2424. * slope);
      g.y[i] = upper ? 2424.f : -2424.f;
      g.z[i] = float(lhcb::scifi_z[std::size_t(layer)]) + 0.1f * float(m % 3);
      g.step_x[i] = float(sign * cosine);
      g.step_y[i] = float(-sign * slope * cosine);
      g.u_begin[i] = -65.16f;
      g.half_pitch[i] = 0.125f;
      g.die_gap[i] = 0.22f;
      g.sipm_pitch[i] = 32.7f;
      g.dxdy[i] = float(slope);
      g.dzdy[i] = float(lhcb::scifi_dzdy);
      g.length[i] = upper ? -2423.f : 2423.f;
    }
  }
  for (int b = 0; b < lhcb::scifi_banks; ++b) {
    const int quarter = b / 5, fifth = b % 5;
    // mats where the banks of a quarter begin: one module each, or six modules for five banks
    const int mat = quarter < 32 ? 4 * fifth : std::vector{0, 4, 9, 14, 19}[std::size_t(fifth)];
    const auto first = std::uint32_t((32 * quarter + mat + 512) << 9);
    if (!has_links) {
      g.first_channel.push_back(first);
      continue;
    }
    g.sources.push_back(std::uint32_t(0x4800 + 7 * ((b * 11) % lhcb::scifi_banks)));
    for (int link = 0; link < lhcb::scifi_bank_links; ++link)  // in another order, some open
      g.sipms.push_back(link < 16 ? first + 128u * std::uint32_t(link ^ 5)
                                  : (link == 20 ? 0xffffffffu : 0u));
  }
  return g;
}

using simulation::detail::scifi_payload;
using simulation::detail::scifi_word;
using simulation::detail::ScifiCluster;

/// Words of clusters in ascending order as boards send them.
inline std::vector<std::uint32_t> scifi_words(const std::vector<ScifiCluster>& clusters,
                                              int version) {
  std::vector<std::uint32_t> words;
  for (const auto& c : clusters) simulation::detail::add_scifi_words(words, c, version);
  return words;
}

/// An event of random banks, in no order: unknown sources, open and impossible links, empty banks,
/// and words in any order. All hits are in a few SiPMs where `dense`.
inline lhcb::RawEvent random_scifi_event(const lhcb::ScifiGeometry& geometry, int version,
                                         int banks, int words_per_bank, unsigned seed,
                                         bool dense = false) {
  std::mt19937 random(seed);
  lhcb::RawEvent event;
  event.name = "event " + std::to_string(seed);
  event.scifi.version = version;
  std::vector<std::uint16_t> sources;
  for (int b = 0; b < lhcb::scifi_banks; ++b)
    sources.push_back(
        std::uint16_t(geometry.has_links() ? geometry.sources[std::size_t(b)] : std::uint32_t(b)));
  if (geometry.has_links())
    for (const std::uint16_t unknown : {7, 0x47ff, 0x4801, 0xffff}) sources.push_back(unknown);
  for (std::size_t i = sources.size(); i > 1; --i) std::swap(sources[i - 1], sources[random() % i]);
  for (int bank = 0; bank < banks; ++bank) {
    std::vector<std::uint32_t> words(random() % 4 == 0 ? 0 : random() % (2 * words_per_bank + 1));
    for (auto& word : words) {
      const int link = int(dense                ? random() % 2
                           : random() % 40 == 0 ? random() % 128
                                                : random() % 16);
      const int cell = int(dense ? random() % 24 : random() % 128);
      word = scifi_word(link, cell, int(random() % 2), random() % 3 == 0);
    }
    if (random() % 3 != 0) std::sort(words.begin(), words.end());
    if (words.size() > 2 && random() % 4 == 0) words.back() = words.front();
    event.scifi.push_back(sources[std::size_t(bank)], scifi_payload(words));
  }
  return event;
}

template <class Real>
struct ScifiReferenceHit {
  int zone;
  Real x, z, y_begin, y_end, weight;
  int size;
  std::uint32_t id;
  friend bool operator==(const ScifiReferenceHit&, const ScifiReferenceHit&) = default;
};

template <class Real>
struct ScifiReferenceEvent {
  std::vector<ScifiReferenceHit<Real>> hits;
  std::uint32_t invalid = 0;
};

/// Channel of the bank's links (128 each), fraction and pseudo size of each cluster of a bank.
struct ScifiReferenceCluster {
  int channel, fraction, size;
};

/// The clusters of a bank of any version, word by word.
inline std::vector<ScifiReferenceCluster> scifi_clusters(std::vector<std::uint32_t> words,
                                                         int version, std::uint32_t& invalid) {
  if (!words.empty() && words.back() == 0) words.pop_back();
  std::vector<ScifiReferenceCluster> found;
  const auto cell_of = [](std::uint32_t word) { return int(word >> 2 & 127); };
  const auto emit = [&](std::uint32_t word, int offset, int fraction, int size) {
    if (cell_of(word) + offset < 0) {
      ++invalid;
      return;
    }
    found.push_back({int(word >> 2) + offset, fraction, size});
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t a = words[i];
    const int fraction = int(a >> 1 & 1);
    const bool follows = i + 1 < words.size() && words[i + 1] >> 9 == a >> 9;
    const std::uint32_t b = follows ? words[i + 1] : 0;
    const int d = cell_of(b) - cell_of(a), other = int(b >> 1 & 1);
    if (a % 2 == 0) {
      emit(a, 0, fraction, 4);
    } else if (version == 4 || version == 7) {
      emit(a, 0, fraction, 0);
    } else if (version == 5) {
      if (!follows || b % 2 == 0) {
        emit(a, 0, fraction, 4);
        continue;
      }
      ++i;
      const int width = 2 * d - 1 + other;
      if (d < 1) {
        ++invalid;
      } else if (d <= 4) {
        emit(a, (width - 1) / 2 - 1, (width - 1) % 2, width);
      } else {
        for (int j = 4; j < d; j += 4) emit(a, j, fraction, 0);
        emit(a, d, other, 0);
      }
    } else if (!follows) {
      if (fraction == 0 && version == 6)
        ++invalid;
      else
        emit(a, 0, fraction, 0);
    } else if (fraction == 0) {
      ++invalid;
    } else {
      ++i;
      const int width = d + 2;
      if (d < 0 || (version == 8 && (b % 2 == 0 || other == 1))) {
        ++invalid;
      } else if (width <= 8) {
        emit(a, (width - 1) / 2 - 1, (width - 1) % 2, width);
      } else {
        int j = 0;
        for (; j < width - 4; j += 4) emit(a, j, 1, 0);
        emit(a, j + (width - j - 1) / 2 - 1, (width - 1) % 2, 0);
      }
    }
  }
  return found;
}

/// A hit of channel `id`, in double precision.
inline ScifiReferenceHit<double> scifi_hit(const lhcb::ScifiGeometry& g, std::uint32_t id,
                                           int fraction, int size) {
  const std::size_t mat = (id >> 9) - 512;
  const int channel = int(id & 127), sipm = int(id >> 7 & 3);
  const double u = double(g.u_begin[mat]) +
                   (2 * channel + 1 + fraction) * double(g.half_pitch[mat]) +
                   (channel >= 64 ? double(g.die_gap[mat]) : 0.) + sipm * double(g.sipm_pitch[mat]);
  const double x = double(g.x[mat]) + u * double(g.step_x[mat]),
               y = double(g.y[mat]) + u * double(g.step_y[mat]),
               z = double(g.z[mat]) + u * double(g.step_z[mat]), far = y + double(g.length[mat]);
  const double sigma = 0.05 + 0.03 * size;
  return {(int(id >> 14) - 16) >> 1,
          x - y * double(g.dxdy[mat]),
          z - y * double(g.dzdy[mat]),
          std::min(y, far),
          std::max(y, far),
          1. / (sigma * sigma),
          size,
          0xAu << 28 | id};
}

/// The hits of an event one by one, then sorted by zone and x.
inline ScifiReferenceEvent<double> decoded_scifi(const lhcb::ScifiGeometry& g,
                                                 const lhcb::RawEvent& event) {
  ScifiReferenceEvent<double> result;
  for (std::size_t b = 0; b < event.scifi.size(); ++b) {
    std::vector<std::uint32_t> words;
    const auto payload = event.scifi.payload(b);
    for (std::size_t i = 2; i < 2 * payload.size(); ++i)
      words.push_back(payload[i / 2] >> 16 * (i % 2) & 0xffffu);
    const std::uint32_t source = event.scifi.sources[b];
    std::size_t bank = source;
    if (g.has_links())
      bank = std::size_t(std::find(g.sources.begin(), g.sources.end(), source) - g.sources.begin());
    for (const auto& c : scifi_clusters(words, event.scifi.version, result.invalid)) {
      const auto link = std::size_t(c.channel / 128);
      std::uint32_t id = 0;
      if (bank < 240 && link < 24)
        id = g.has_links() ? g.sipms[24 * bank + link] + std::uint32_t(c.channel % 128)
                           : g.first_channel[bank] + std::uint32_t(c.channel);
      const std::size_t mat = (id >> 9) - 512;
      if (mat >= 1536 || g.length[mat] == 0.f)
        ++result.invalid;
      else
        result.hits.push_back(scifi_hit(g, id, c.fraction, c.size));
    }
  }
  std::stable_sort(result.hits.begin(), result.hits.end(), [](const auto& a, const auto& b) {
    return std::tie(a.zone, a.x) < std::tie(b.zone, b.x);
  });
  return result;
}

}  // namespace trackplex::test
