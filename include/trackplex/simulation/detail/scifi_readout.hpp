// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>
#include <trackplex/simulation/detail/pixel_clusters.hpp>
#include <trackplex/simulation/detail/scifi_words.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::simulation::detail {

/// A channel of the SciFi with a signal, by its lhcb::ScifiChannel::id, and the particle that lit
/// it.
struct LitFibre {
  std::uint32_t id;
  std::uint32_t particle;

  friend auto operator<=>(const LitFibre&, const LitFibre&) = default;
};

/// The boards of the SciFi. Lit channels side by side in a SiPM are one cluster, which belongs to
/// all particles that lit one of them.
class ScifiReadout {
 public:
  static constexpr int version = 5;

  explicit ScifiReadout(const lhcb::ScifiGeometry& geometry)
      : first_channel_(geometry.first_channel) {}

  /// Banks of all boards. Fibres are ascending; those of no particle belong to `no_particle`.
  /// `hits` gets the LHCbIDs of the clusters of each particle.
  lhcb::RawBanks write(std::span<const LitFibre> fibres, std::vector<OwnedHit>& hits) const {
    lhcb::RawBanks banks;
    banks.version = version;
    std::vector<std::uint32_t> words;
    std::size_t next = 0;
    for (std::size_t bank = 0; bank < first_channel_.size(); ++bank) {
      const bool last = bank + 1 == first_channel_.size();
      words.clear();
      while (next < fibres.size() && (last || fibres[next].id < first_channel_[bank + 1])) {
        const std::size_t end = end_of_cluster(fibres, next);
        add(fibres.subspan(next, end - next), first_channel_[bank], words, hits);
        next = end;
      }
      banks.push_back(static_cast<std::uint16_t>(bank), scifi_payload(words));
    }
    return banks;
  }

 private:
  static std::size_t end_of_cluster(std::span<const LitFibre> fibres, std::size_t i) {
    const auto sipm = [](const LitFibre& fibre) { return fibre.id / lhcb::scifi_sipm_channels; };
    while (i + 1 < fibres.size() && fibres[i + 1].id <= fibres[i].id + 1 &&
           sipm(fibres[i + 1]) == sipm(fibres[i]))
      ++i;
    return i + 1;
  }

  static void add(std::span<const LitFibre> cluster, std::uint32_t first_of_bank,
                  std::vector<std::uint32_t>& words, std::vector<OwnedHit>& hits) {
    const std::uint32_t first = cluster.front().id;
    const auto link = int((first - first_of_bank) / lhcb::scifi_sipm_channels);
    const auto in_sipm = [](std::uint32_t id) { return int(id % lhcb::scifi_sipm_channels); };
    ScifiCluster lit{link, in_sipm(first), in_sipm(cluster.back().id)};
    const int width = lit.width();
    lit.fraction = (width - 1) % 2;
    add_scifi_words(words, lit, version);
    for (const LitFibre& fibre : cluster)
      if (fibre.particle != no_particle)
        for_each_id(first, width, [&](std::uint32_t id) {
          hits.push_back({fibre.particle, lhcb::scifi_id_tag << 28 | id});
        });
  }

  /// The ids that a cluster is decoded to: the middle one, or the parts of one too wide.
  template <class Visit>
  static void for_each_id(std::uint32_t first, int width, const Visit& visit) {
    if (width <= lhcb::scifi_max_size) return visit(first + std::uint32_t(width - 1) / 2);
    for (int i = 5; i < width - 1; i += 4) visit(first + std::uint32_t(i));
    visit(first + std::uint32_t(width - 1));
  }

  std::vector<std::uint32_t> first_channel_;  ///< of each bank
};

}  // namespace trackplex::simulation::detail
