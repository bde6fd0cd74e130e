// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Weights of hits in the score of the TrackML challenge, as its organisers publish them
/// (https://github.com/LAL/trackml-library): the weight of a hit is the product of a weight for
/// its place among its particle's hits and a weight for the particle's pT; the weights of an event
/// sum to 1.

#include <trackplex/core/compiled.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::simulation {

/// Parameters of `trackml_weights`.
struct TrackmlWeightParams {
  /// Largest distance of a vertex from the z axis (cm) at which a particle has weights. In the
  /// truth, particles from interactions in the beam pipe (1.9 cm) and farther outside have no
  /// weight; the vertex alone does not distinguish them from decays at such radii, which have 7 %
  /// of the weight of event 1.
  double max_vertex_radius = 1.899;
};

/// Returns the weights of the hits of a particle by their order; they sum to 1. They follow a curve
/// through 10, 8, 6, 5, 3, 3, 3, 5, 6 at equal distances from the first hit to the last one.
/// Particles with fewer than four hits have no weight, nor have hits from the 21st on.
std::vector<double> trackml_order_weights(int n_hits);

/// Returns the weight of a particle by its pT (GeV): 0.2 up to 0.5 GeV, from there linearly to 1 at
/// 3 GeV; 0 below 0.05 GeV.
double trackml_momentum_weight(double pt);

/// Returns the weights of the hits of an event. The order of the hits of a particle is that of
/// their distance along z from its vertex.
/// @param particles particles of the event
/// @param particle_of_hit index of the particle of each hit, -1: noise, which has no weight
/// @param z position of each hit along z, cm
/// @param params limits
/// @throws UsageError if the numbers of hits differ, or a particle does not exist
std::vector<double> trackml_weights(std::span<const tracks::TrueParticle> particles,
                                    std::span<const std::int32_t> particle_of_hit,
                                    std::span<const double> z,
                                    const TrackmlWeightParams& params = {});

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/trackml_weights.impl.hpp>
#endif
