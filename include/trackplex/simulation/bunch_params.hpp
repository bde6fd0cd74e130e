// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/detail/check_range.hpp>

#include <cstdint>
#include <string>

namespace trackplex::simulation {

/// Parameters of the beam in one transverse plane. All rms values are those of the particles, after
/// the cutoff.
struct BunchPlane {
  double emittance = 0.;             ///< geometric rms emittance without the dispersive part, m
  double normalized_emittance = 0.;  ///< p0 times the geometric one; give one of the two, m
  double beta = 1.;                  ///< Twiss beta function, m
  double alpha = 0.;                 ///< Twiss alpha
  double dispersion = 0.;            ///< m
  double dispersion_slope = 0.;      ///< derivative of the dispersion along the line
  double position = 0.;              ///< mean x or y, m
  double slope = 0.;                 ///< mean slope dx/dz or dy/dz
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

  BunchProfile profile = BunchProfile::gaussian;  ///< density along s
  double sigma_s = 3e-4;                          ///< rms length, m
  double sigma_delta = 1e-4;  ///< rms of delta = (p - p0) / p0 without the chirp's part
  double chirp = 0.;          ///< slope of delta along s, 1/m
  double mean_s = 0.;         ///< m
  double mean_delta = 0.;     ///< mean relative momentum deviation

  /// Cutoff of normal distributions, in their standard deviations. They are widened to compensate
  /// the loss of variance: by 1.4 % at 3, where particles reach 3.04 rms.
  double cutoff = 3.;

  /// Wavelength of a modulation, m. The density is multiplied by
  /// 1 + depth cos(2 pi (s - mean_s) / wavelength): particles move by up to
  /// depth * wavelength / (2 pi) and keep their order.
  double modulation_wavelength = 0.;
  double modulation_depth = 0.;  ///< depth of the modulation, 0 to 0.95; 0 for none

  /// Whether means and covariances of the sample are as specified up to rounding, instead of on
  /// average: the sample is then shifted, scaled and sheared, by about 1/sqrt(particles). Needs at
  /// least 7 particles.
  bool exact_moments = false;

  std::uint64_t seed = 1;  ///< of the random numbers

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
  static void positive(const std::string& quantity, double value, double highest) {
    range(quantity, value, 0., highest);
    if (!(value > 0.)) throw UsageError(bunch, quantity + " is not above 0");
  }
  static void plane(const std::string& name, const BunchPlane& plane) {
    range("emittance in " + name, plane.emittance, 0., 1.);
    range("normalized emittance in " + name, plane.normalized_emittance, 0., 1.);
    if (plane.emittance > 0. && plane.normalized_emittance > 0.)
      throw UsageError(bunch, "there are two emittances in " + name,
                       "a geometric and a normalized one", "leave one of them 0");
    positive("beta function in " + name, plane.beta, 1e6);
    range("alpha in " + name, plane.alpha, -1e6, 1e6);
    range("dispersion in " + name, plane.dispersion, -1e6, 1e6);
    range("slope of the dispersion in " + name, plane.dispersion_slope, -1e6, 1e6);
    range("mean position in " + name, plane.position, -1e6, 1e6);
    range("mean slope in " + name, plane.slope, -1e3, 1e3);
  }
};

}  // namespace detail

inline void BunchParams::check() const {
  using Check = detail::BunchParamsCheck;
  // The covariances of 6 particles or fewer are singular.
  Check::range("number of particles", double(particles), exact_moments ? 7 : 0, 0x1p52);
  Check::positive("momentum of the reference particle", p0, 1e9);
  Check::range("charge", charge, -1., 1.);
  Check::plane("x", x);
  Check::plane("y", y);
  Check::range("rms length", sigma_s, 0., 1e6);
  Check::range("rms of the relative momentum", sigma_delta, 0., 1.);
  Check::range("chirp", chirp, -1e9, 1e9);
  Check::range("mean position along the bunch", mean_s, -1e6, 1e6);
  Check::range("mean relative momentum", mean_delta, -0.999, 1e3);
  Check::range("cutoff", cutoff, 0.1, 8.);
  Check::range("depth of the modulation", modulation_depth, 0., 0.95);
  if (modulation_depth > 0.)
    Check::positive("wavelength of the modulation", modulation_wavelength, 1e6);
}

}  // namespace trackplex::simulation
