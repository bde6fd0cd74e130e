// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/spin.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/simulation/detail/check_range.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace trackplex::simulation {

/// Parameters of the beam in one transverse plane. All rms values are those of the particles, after
/// the cutoff.
struct BunchPlane {
  double emittance = 0.;             ///< geometric rms emittance without the dispersive part, m
  double normalized_emittance = 0.;  ///< p0 times the geometric emittance, m; set one of the two
  double beta = 1.;                  ///< Twiss beta function, m
  double alpha = 0.;                 ///< Twiss alpha
  double dispersion = 0.;            ///< m
  double dispersion_slope = 0.;      ///< derivative of the dispersion along the line
  double position = 0.;              ///< mean x or y, m
  double slope = 0.;                 ///< mean slope dx/dz or dy/dz
};

/// Coordinates that the moments of a generated bunch are given in.
enum class BunchCoordinates {
  slopes,    ///< those of `beam::Coordinate`
  canonical  ///< x', y' are momenta over p0, s is the delay times the speed of light, and delta the
             ///< deviation of the energy over p0 c: `beam::canonical`, the last one without minus
};

/// Density along the bunch.
enum class BunchProfile {
  gaussian,  ///< normal distribution with a cutoff
  flat       ///< uniform distribution
};

/// Parameters of `generate_bunch`.
struct BunchParams {
  std::int64_t particles = 100000;                          ///< number of particles
  double p0 = 200.;                                         ///< reference momentum, beta gamma
  double charge = 1e-9;                                     ///< of the whole bunch, C
  BunchPlane x{.normalized_emittance = 1e-6, .beta = 10.};  ///< horizontal plane
  BunchPlane y{.normalized_emittance = 1e-6, .beta = 10.};  ///< vertical plane

  BunchCoordinates coordinates = BunchCoordinates::slopes;  ///< what all moments are given in
  BunchProfile profile = BunchProfile::gaussian;            ///< density along s
  double sigma_s = 3e-4;                                    ///< rms length, m
  double sigma_delta = 1e-4;  ///< rms of delta = (p - p0) / p0 without the contribution of the
                              ///< chirp
  double chirp = 0.;          ///< slope of delta along s, 1/m
  double mean_s = 0.;         ///< m
  double mean_delta = 0.;     ///< mean relative momentum deviation

  /// Cutoff of normal distributions, in standard deviations. The distributions are widened to
  /// compensate the loss of variance: by 1.4 % at 3, where particles reach 3.04 rms. Infinite:
  /// none.
  double cutoff = 3.;

  /// Wavelength of a modulation, m. The density is multiplied by
  /// 1 + depth cos(2 pi (s - mean_s) / wavelength): particles move by up to
  /// depth * wavelength / (2 pi) and keep their order.
  double modulation_wavelength = 0.;
  double modulation_depth = 0.;  ///< depth of the modulation, 0 to 0.95; 0 for none

  /// Whether means and covariances of the sample are exact up to rounding, instead of on
  /// average: the sample is then shifted, scaled and sheared, by about 1/sqrt(particles). Needs at
  /// least 7 particles.
  bool exact_moments = false;

  std::uint64_t seed = 1;  ///< of the random numbers

  /// Spin of all particles, a unit vector along x, y and the axis; without it they have none.
  std::optional<std::array<double, 3>> spin{};
  double anomaly = beam::anomaly::electron;  ///< anomalous magnetic moment, for spins
  double mass = 1.;                          ///< rest energy of the particles in that of electrons
  double charge_number = 1.;  ///< absolute charge of the particles in the elementary one

  /// Checks all parameters.
  /// @throws UsageError that names the first parameter out of its range
  void check() const;
};

namespace detail {

struct BunchParamsCheck {
  static constexpr const char* bunch = "generated bunch";

  static void range(const std::string& quantity, double value, double lowest, double highest) {
    check_range(bunch, quantity, value, lowest, highest);
  }
  static void positive(const std::string& quantity, double value, double highest);
  static void plane(const std::string& name, const BunchPlane& plane);
  static void momenta(const BunchParams& params);
};

}  // namespace detail

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/bunch_params.impl.hpp>
#endif
