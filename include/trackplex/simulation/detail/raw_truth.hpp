// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>
#include <trackplex/simulation/detail/charged_particle.hpp>
#include <trackplex/simulation/detail/kinematics.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace trackplex::simulation::detail {

inline constexpr std::int32_t no_vertex = -1;

/// A particle after its flight, and the number of its collision.
struct FlownParticle {
  lhcb::McParticle truth;
  std::int32_t vertex;
};

/// The truth of a particle before its hits are known.
inline lhcb::McParticle describe(const ChargedParticle& particle, std::uint32_t key,
                                 bool survives) {
  const Vector3& p = particle.momentum;
  lhcb::McParticle truth;
  truth.key = key;
  truth.pid = particle.charge * particle.species.pid;
  truth.p = static_cast<float>(std::sqrt(dot(p, p)));
  truth.pt = static_cast<float>(transverse(p));
  truth.eta = static_cast<float>(pseudorapidity(p));
  truth.phi = static_cast<float>(trackplex::atan2(p.y, p.x));
  truth.origin_x = static_cast<float>(particle.origin.x);
  truth.origin_y = static_cast<float>(particle.origin.y);
  truth.origin_z = static_cast<float>(particle.origin.z);
  truth.charge = static_cast<float>(particle.charge);
  truth.from_strange = particle.strange;
  truth.from_charm = particle.charm;
  truth.from_beauty = particle.beauty;
  truth.has_scifi = survives && reaches(particle, 9400., 3186., 2417., 130., 1.);
  return truth;
}

/// Number of VELO modules among LHCbIDs in ascending order.
inline int velo_modules_hit(std::span<const std::uint32_t> ids) {
  int modules = 0;
  std::uint32_t last = ~0u;
  for (const std::uint32_t id : ids) {
    const std::uint32_t module = id >> 20 & 0xffu;
    modules += module != last ? 1 : 0;
    last = module;
  }
  return modules;
}

/// Number of UT layers among LHCbIDs.
inline int ut_layers_hit(std::span<const std::uint32_t> ids) {
  std::uint32_t layers = 0;  // as bits of station and layer
  for (const std::uint32_t id : ids) layers |= 1u << (id >> 19 & 0xfu);
  int n = 0;
  for (; layers != 0; layers &= layers - 1) ++n;
  return n;
}

/// Whether LHCbIDs are in an x layer and in a stereo layer of each station of the SciFi.
inline bool in_scifi_stations(std::span<const std::uint32_t> ids) {
  constexpr int per_station = lhcb::scifi_layers / 3;
  std::uint32_t kinds = 0;  // as bits of station and kind of layer
  for (const std::uint32_t id : ids) {
    const int layer = lhcb::ScifiChannel{id & 0xfffffffu}.layer();
    const bool stereo = lhcb::scifi_dxdy[std::size_t(layer)] != 0.;
    kinds |= 1u << (2 * (layer / per_station) + (stereo ? 1 : 0));
  }
  return kinds == 0x3f;
}

/// The particles with hits, and the quantities derived from their hits.
inline lhcb::McEvent list_particles(std::vector<FlownParticle> particles,
                                    std::vector<lhcb::McVertex> vertices, bool has_scifi_hits) {
  constexpr int min_velo_modules = 3, min_ut_layers = 3;
  lhcb::McEvent event;
  for (auto& [truth, vertex] : particles) {
    if (truth.velo_ids.empty() && truth.ut_ids.empty() && truth.scifi_ids.empty()) continue;
    truth.has_velo = velo_modules_hit(truth.velo_ids) >= min_velo_modules;
    truth.has_ut = ut_layers_hit(truth.ut_ids) >= min_ut_layers;
    if (has_scifi_hits) truth.has_scifi = in_scifi_stations(truth.scifi_ids);
    truth.is_long = truth.has_velo && truth.has_scifi;
    truth.is_down = truth.has_ut && truth.has_scifi;
    truth.n_vertices = static_cast<std::uint32_t>(vertices.size());
    if (vertex != no_vertex && truth.has_velo) ++vertices[vertex].n_tracks;
    event.particles.push_back(std::move(truth));
  }
  event.vertices = std::move(vertices);
  return event;
}

}  // namespace trackplex::simulation::detail
