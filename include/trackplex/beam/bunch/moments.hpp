// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/sum_moments.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>

#include <array>
#include <cmath>

namespace trackplex::beam {

/// Optical functions of a bunch in one transverse plane, from its covariances.
struct PlaneOptics {
  double emittance = 0.;             ///< Geometric rms emittance, m rad.
  double normalized_emittance = 0.;  ///< Emittance times the mean beta gamma, m rad.
  double beta = 0.;                  ///< Beta function, m; 0 without an emittance.
  double alpha = 0.;                 ///< Alpha, -beta'/2.
  double dispersion = 0.;            ///< Dispersion, m.
  double dispersion_slope = 0.;      ///< Derivative of the dispersion along the line.
};

/// First and second moments of a bunch, and the quantities that follow from them, on the host.
struct Moments {
  using Vector = std::array<double, n_coordinates>;  ///< Value of each coordinate.

  double number = 0.;           ///< Number of surviving particles; if 0, the rest is 0.
  ReferenceParticle reference;  ///< Reference particle at the time of the sums.
  Vector mean{},                ///< Means of the coordinates.
      min{},                    ///< Smallest coordinates.
      max{};                    ///< Largest coordinates.
  /// Covariances of the coordinates about their means, divided by the number of particles.
  std::array<Vector, n_coordinates> covariance{};

  Moments() = default;  ///< Makes the moments of no particles.
  /// Computes the moments; `reference` is the bunch's reference particle at the time of the sums.
  Moments(const MomentSums& sums, const ReferenceParticle& reference);

  /// Returns the rms of a coordinate about its mean.
  double sigma(int coordinate) const { return std::sqrt(covariance[coordinate][coordinate]); }
  /// Returns the mean momentum as beta gamma.
  double beta_gamma() const { return reference.p0 * (1. + mean[delta]); }

  /// Returns the optical functions of a plane (`x` or `y`) from the full covariances, including
  /// the contribution of dispersion.
  PlaneOptics optics(Coordinate plane) const { return optics(plane, 0.); }
  /// Returns the optical functions without the contribution of dispersion: from
  /// \f$ \sigma_{ij}-\sigma_{i\delta}\sigma_{j\delta}/\sigma_{\delta\delta} \f$ for each
  /// covariance.
  PlaneOptics betatron_optics(Coordinate plane) const { return optics(plane, 1.); }

  /// Returns the rms of the momentum, relative to its mean.
  double momentum_spread() const { return sigma(delta) / (1. + mean[delta]); }
  /// Returns the rms of the total energy, relative to its mean, to first order in delta.
  double energy_spread() const {
    const double p2 = beta_gamma() * beta_gamma();
    return momentum_spread() * (p2 / (1. + p2));
  }
  /// Returns the linear slope of delta along the bunch, d delta/ds, 1/m.
  double chirp() const {
    const double variance = covariance[s][s];
    return variance > 0. ? covariance[s][delta] / variance : 0.;
  }
  /// Returns the rms of s, m.
  double length() const { return sigma(s); }
  /// Returns the rms of the time of arrival, s (seconds), to first order in s and delta.
  double duration() const;

 private:
  PlaneOptics optics(Coordinate plane, double part_without_dispersion) const;
};

namespace detail {

/// a b - c^2, accurate to the last digits even if the products nearly cancel.
inline double determinant(double a, double b, double c) {
  const double square = c * c;
  return std::fma(a, b, -square) + std::fma(-c, c, square);
}

}  // namespace detail

/// Computes the moments of the first `bunch.size()` particles, without lost ones. Waits for the
/// instance.
template <class T, class ExecutionSpace>
Moments moments_of(const ExecutionSpace& exec, const Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                   Workspace<ExecutionSpace>& workspace) {
  const auto row =
      workspace.template get<MomentSums>(exec, "Trackplex::Beam::moment_row", std::size_t(1));
  SumMoments<ExecutionSpace>{}(exec, bunch, row, workspace);
  return Moments(element_on_host(exec, row, 0), bunch.reference);
}

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/bunch/detail/moments.impl.hpp>
#endif
