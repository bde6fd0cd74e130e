// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/tracks/tracking_events.hpp>
#include <trackplex/validation/bin_edges.hpp>
#include <trackplex/validation/efficiency.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <optional>
#include <vector>

namespace trackplex::validation::detail {

inline void add_to_bin(const BinEdges& bins, double value, const Efficiency& what,
                       std::vector<Efficiency>& to) {
  if (const auto bin = bins.find(value)) to[*bin] += what;
}

inline void add_to_azimuth_bin(const BinEdges& bins, double phi, const Efficiency& what,
                               std::vector<Efficiency>& to) {
  if (const auto bin = bins.find_azimuth(phi)) to[*bin] += what;
}

void add_bins(std::vector<Efficiency>& to, const std::vector<Efficiency>& from);

/// Of a particle at its vertex: pT in GeV, phi in -pi to pi.
struct ParticleKinematics {
  double pt, eta, phi;

  explicit ParticleKinematics(const tracks::TrueParticle& particle)
      : pt(1. / particle.start(kalman::Parameter::inverse_pt)),
        eta(eta_of(particle.start(kalman::Parameter::theta))),
        phi(std::remainder(particle.start(kalman::Parameter::phi), 2. * std::numbers::pi)) {}
};

/// Empties the bins for the edges in `params`: `pt`, `eta` and `phi`.
template <class Params>
void clear_bins(const Params& params, TrackRates& rates) {
  for (auto* bins : {&rates.efficiency_pt, &rates.fake_rate_pt}) bins->assign(params.pt.size(), {});
  for (auto* bins : {&rates.efficiency_eta, &rates.fake_rate_eta})
    bins->assign(params.eta.size(), {});
  for (auto* bins : {&rates.efficiency_phi, &rates.fake_rate_phi})
    bins->assign(params.phi.size(), {});
}

/// Adds a particle with a number of good tracks.
template <class Params>
void add_particle(const Params& params, const ParticleKinematics& particle, std::uint32_t tracks,
                  TrackRates& rates) {
  const Efficiency one{std::uint64_t(tracks > 0), 1};
  rates.efficiency += one;
  rates.duplicates += {std::uint64_t(tracks > 1), one.passed};
  add_to_bin(params.pt, particle.pt, one, rates.efficiency_pt);
  add_to_bin(params.eta, particle.eta, one, rates.efficiency_eta);
  add_to_azimuth_bin(params.phi, particle.phi, one, rates.efficiency_phi);
}

/// Adds a track, which may be a fake, to the bins of what is known of it.
template <class Params>
void add_track(const Params& params, const std::optional<double>& pt,
               const std::optional<double>& eta, const std::optional<double>& phi, bool fake,
               TrackRates& rates) {
  const Efficiency one{std::uint64_t(fake), 1};
  if (pt) add_to_bin(params.pt, *pt, one, rates.fake_rate_pt);
  if (eta) add_to_bin(params.eta, *eta, one, rates.fake_rate_eta);
  if (phi) add_to_azimuth_bin(params.phi, *phi, one, rates.fake_rate_phi);
}

/// Particle with most hits of a track; among equals the one with the smallest index.
struct Majority {
  std::int32_t particle = -1;
  std::int32_t hits = 0;
};
template <class Hits>
Majority majority_of(const std::vector<std::int32_t>& particle_of_hit, const Hits& hits) {
  std::map<std::int32_t, std::int32_t> counts;
  for (const auto hit : hits)
    if (const auto particle = particle_of_hit[std::size_t(hit)]; particle >= 0) ++counts[particle];
  Majority most;
  for (const auto& [particle, count] : counts)
    if (count > most.hits) most = {particle, count};
  return most;
}

/// The number of layers with hits of each particle of all events.
std::vector<int> layers_of_particles(const tracks::TrackingEvents& events);

}  // namespace trackplex::validation::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/particle_bins.impl.hpp>
#endif
