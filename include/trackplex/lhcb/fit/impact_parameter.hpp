// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/fit/long_fit_list.hpp>
#include <trackplex/vertexing/vertices.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace trackplex::lhcb {

/// Impact parameter of a track and its errors: distance from a point in the plane of its z.
struct ImpactParameter {
  double x = 0.,         ///< distance in x, mm
      y = 0.;            ///< distance in y, mm
  double xx = 0.,        ///< variance of x, mm^2
      xy = 0.,           ///< covariance, mm^2
      yy = 0.;           ///< variance of y, mm^2
  double length = 0.;    ///< least distance of the line from the point, mm
  std::size_t vertex{};  ///< number of the vertex, where there are several

  /// \f$ \chi^2 = d^T C^{-1} d \f$ of the distance (x, y).
  double chi2() const {
    return (x * (yy * x - xy * y) + y * (xx * y - xy * x)) / (xx * yy - xy * xy);
  }
};

/// Impact parameter of a track to a point without errors: the track is a straight line from its
/// state, of which the covariance is carried along.
inline ImpactParameter impact_parameter(const LongTrackFit& fit,
                                        const std::array<double, 3>& point) {
  const double dz = point[2] - fit.z;
  const auto at_z = [&](int a, int b) {
    return fit.covariance_of(a, b) +
           dz * (fit.covariance_of(a, b + 2) + fit.covariance_of(a + 2, b)) +
           dz * dz * fit.covariance_of(a + 2, b + 2);
  };
  ImpactParameter ip;
  ip.x = fit.x + dz * fit.tx - point[0];
  ip.y = fit.y + dz * fit.ty - point[1];
  ip.xx = at_z(0, 0);
  ip.xy = at_z(0, 1);
  ip.yy = at_z(1, 1);
  const double along = ip.x * fit.tx + ip.y * fit.ty;
  const double t2 = 1. + fit.tx * fit.tx + fit.ty * fit.ty;
  ip.length = std::sqrt(std::fmax(0., ip.x * ip.x + ip.y * ip.y - along * along / t2));
  return ip;
}

/// Impact parameter of a track to a vertex, with the errors of both:
/// \f$ C_{ab} = C^\mathrm{track}_{ab} + V_{ab} + t_a t_b V_{zz} - t_a V_{bz} - t_b V_{az} \f$ with
/// the slopes \f$ t_x, t_y \f$ of the track. The track may be part of the vertex: this correlation
/// is left out.
inline ImpactParameter impact_parameter(const LongTrackFit& fit, const vertexing::Vertex& vertex) {
  auto ip = impact_parameter(fit, vertex.position);
  const auto& v = vertex.covariance;  // xx, xy, yy, xz, yz, zz
  ip.xx += v[0] + fit.tx * fit.tx * v[5] - 2. * fit.tx * v[3];
  ip.xy += v[1] + fit.tx * fit.ty * v[5] - fit.tx * v[4] - fit.ty * v[3];
  ip.yy += v[2] + fit.ty * fit.ty * v[5] - 2. * fit.ty * v[4];
  return ip;
}

/// Impact parameter of a track to that of the vertices to which it has the least chi2; the first
/// one of several. Nothing without vertices.
inline std::optional<ImpactParameter> least_impact_parameter(
    const LongTrackFit& fit, std::span<const vertexing::Vertex> vertices) {
  std::optional<ImpactParameter> least;
  double chi2 = std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    auto ip = impact_parameter(fit, vertices[v]);
    ip.vertex = v;
    if (least && !(ip.chi2() < chi2)) continue;
    chi2 = ip.chi2();
    least = ip;
  }
  return least;
}

}  // namespace trackplex::lhcb
