// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/simulation/detail/detector_flight.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace trackplex::simulation::detail {

/// Noise hits, uniform on modules that are chosen in proportion to their area, or to their number
/// of true hits.
class DetectorNoise {
 public:
  DetectorNoise(const geometry::DetectorDescription& detector,
                const DetectorGeneratorParams& params, const std::vector<TrueHit>& hits);

  /// Draws a hit.
  TrueHit operator()(RandomStream<double>& random) const;

 private:
  /// Limits of u and v of a shape.
  static std::array<geometry::Extent, 2> box_of(const geometry::Bounds& bounds);
  static double area_of(const geometry::Bounds& bounds);
  /// A point inside, by rejection.
  static std::array<double, 2> place_on(const geometry::Bounds& bounds,
                                        RandomStream<double>& random);

  const geometry::DetectorDescription& detector_;
  double with_occupancy_;
  const std::vector<TrueHit>& hits_;
  std::size_t n_true_ = hits_.size();  // noise is added after them
  std::vector<double> area_;           // sums, with the factor of disks
};

}  // namespace trackplex::simulation::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/detector_noise.impl.hpp>
#endif
