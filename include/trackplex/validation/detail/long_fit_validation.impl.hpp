// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/fit/impact_parameter.hpp>
#include <trackplex/validation/long_fit_validation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <vector>

namespace trackplex::validation {

TRACKPLEX_INLINE void LongFitValidation::add(const lhcb::McEvent& truth,
                                             const lhcb::TracksResult& found,
                                             std::span<const IdValidation::Match> matches) {
  constexpr int electron = 11;  // PDG code
  for (const auto& match : matches) {
    const auto& particle = truth.particles[match.particle];
    if (match.track >= found.long_fits.size() || !particle.is_long || particle.charge == 0.f ||
        std::abs(particle.pid) == electron)
      continue;
    const auto& fit = found.long_fits[match.track];
    const double p = double(particle.p), qop = std::copysign(1. / p, double(particle.charge));
    tracks_.push_back({p, double(particle.pt), found.long_tracks[match.track].p() / p - 1.,
                       fit.p() / p - 1., (fit.qop - qop) / fit.sigma(4),
                       fit.chi2 / double(fit.ndf)});
    add_impact(truth, particle, found, fit);
  }
}

TRACKPLEX_INLINE void LongFitValidation::add_impact(const lhcb::McEvent& truth,
                                                    const lhcb::McParticle& particle,
                                                    const lhcb::TracksResult& found,
                                                    const lhcb::LongTrackFit& fit) {
  const std::array<double, 3> origin = {double(particle.origin_x), double(particle.origin_y),
                                        double(particle.origin_z)};
  const bool is_primary = std::any_of(
      truth.vertices.begin(), truth.vertices.end(),
      [&](const lhcb::McVertex& vertex) { return std::abs(vertex.z - origin[2]) < max_distance; });
  if (!is_primary) return;
  const auto ip = lhcb::impact_parameter(fit, origin);
  const double per_tan = 1. / std::sinh(double(particle.eta));
  const double tx = std::cos(double(particle.phi)) * per_tan;
  const double ty = std::sin(double(particle.phi)) * per_tan;
  impacts_.push_back({double(particle.pt), ip.x, ip.y, ip.x / std::sqrt(ip.xx),
                      ip.y / std::sqrt(ip.yy), (fit.tx - tx) / fit.sigma(2),
                      (fit.ty - ty) / fit.sigma(3)});
  const auto distance = [&](const vertexing::Vertex& vertex) {
    return std::abs(vertex.position[2] - origin[2]);
  };
  const auto nearest =
      std::min_element(found.vertices.begin(), found.vertices.end(),
                       [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  if (nearest == found.vertices.end() ||
      !(distance(*nearest) < 5. * std::sqrt(nearest->covariance[5])))
    return;
  const auto from_found = lhcb::impact_parameter(fit, *nearest);
  vertex_impacts_.push_back({from_found.x, from_found.y, from_found.x / std::sqrt(from_found.xx),
                             from_found.y / std::sqrt(from_found.yy)});
}

}  // namespace trackplex::validation
