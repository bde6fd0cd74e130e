// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Fit of a long track on the host: its state at the VELO hit nearest to the beam.
struct LongTrackFit {
  double x = 0.;    ///< x, mm
  double y = 0.;    ///< y, mm
  double z = 0.;    ///< z, mm
  double tx = 0.;   ///< dx/dz
  double ty = 0.;   ///< dy/dz
  double qop = 0.;  ///< charge over momentum, 1/MeV, for both polarities of the magnet
  /// Covariance of (x, y, tx, ty, q/p): its lower triangle, row by row: xx, yx, yy, txx, ...
  std::array<double, 15> covariance{};
  double chi2 = 0.;       ///< of all hits
  std::uint32_t ndf = 0;  ///< number of degrees of freedom

  /// Momentum, MeV.
  double p() const { return std::abs(1. / qop); }
  /// Entry of the covariance.
  double covariance_of(int i, int j) const {
    const int row = i < j ? j : i, column = i < j ? i : j;
    return covariance[std::size_t(row * (row + 1) / 2 + column)];
  }
  /// Standard deviation of x (0), y (1), tx (2), ty (3) or q/p (4).
  double sigma(int i) const { return std::sqrt(covariance_of(i, i)); }

  /// Compares all members.
  friend bool operator==(const LongTrackFit&, const LongTrackFit&) = default;
};

}  // namespace trackplex::lhcb
