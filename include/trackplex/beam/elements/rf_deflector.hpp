// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Deflecting cavities, as the element RFDF of the accelerator code elegant (M. Borland). In each
/// of N slices a particle gets the momenta \f[ \Delta p_x=\frac{eV}{Nc}\cos\phi,\qquad \Delta
/// p_z=\frac{eV}{Nc}\frac\omega c\,x\sin\phi,\qquad \phi=\omega(t-t_0)+\varphi,\f] with the time t
/// of its arrival at the centre and the mean time t_0 of all particles at the entrance in the first
/// pass; p_z after W. K. H. Panofsky and W. A. Wenzel.

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/elements/detail/rf_deflector_pass.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/math.hpp>

#include <cmath>
#include <numbers>

namespace trackplex::beam {

template <class T, class ExecutionSpace, int Width>
class RfDeflectorAction;

/// Deflecting cavity (RFDF).
struct RfDeflector {
  double length = 0.;           ///< Length, m; 0: one kick at a place.
  double voltage = 0.;          ///< Transverse voltage, V.
  double phase = 0.;            ///< Phase, rad; 0: max kick, pi/2: falling through 0.
  double frequency = 2.856e9;   ///< Frequency, Hz.
  int kicks = 0;                ///< Slices, 1 more if even; 0: 100 per wavelength, at least 11.
  bool standing_wave = false;   ///< Whether all slices have one phase; else it moves with light.
  bool magnetic = false;        ///< Whether the kick keeps the momentum, up to the change of p_z.
  Misalignment misalignment{};  ///< Displacement, and tilt from horizontal kicks.

  /// Returns the number of slices.
  int slices() const;

  /// Returns the linear map for a reference particle of momentum p0 (beta gamma) that enters at
  /// t_0: thin kicks with drifts between them. Its kicks are the constants of the map.
  /// @throws UsageError if p0 is not above 0
  TransferMap map_at(double p0, int order = 1) const;

  /// @{ @brief Element interface, see element.hpp. Without a momentum the map is that of a drift.
  static constexpr const char* family = "deflecting cavity";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order, double p0 = 0.) const;
  template <class T, class ExecutionSpace, int Width>
  using Action = RfDeflectorAction<T, ExecutionSpace, Width>;
  /// @}

 private:
  template <class T, class ExecutionSpace, int Width>
  friend class RfDeflectorAction;

  /// Phase at the centre of the first slice for light that enters at t_0.
  double first_phase() const { return phase - (standing_wave ? 0.5 * wave_number() * length : 0.); }
  double wave_number() const {
    return 2. * std::numbers::pi * frequency / constants::speed_of_light;
  }
  /// Max kick of a slice as a change of beta gamma.
  double kick() const { return voltage / constants::elegant::electron_energy_from_mass / slices(); }
};

/// Action of a deflecting cavity on bunches. The first pass of particles waits for the instance and
/// finds t_0.
/// @tparam T              precision of the particles, float or double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, int Width>
class RfDeflectorAction {
  using Real = LanesOf<T, Width>;

 public:
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;  ///< Bunches that it tracks.
  using Scratch = Workspace<ExecutionSpace>;             ///< Temporary memory.

  /// Takes the cavity.
  /// @throws UsageError as `RfDeflector::check`
  RfDeflectorAction(const ExecutionSpace&, const RfDeflector& cavity) : cavity_(cavity) {
    cavity.check(ElementCheck("deflecting cavity"));
  }

  /// Enqueues the pass of a bunch on the instance, and adds the length to the path length of the
  /// reference particle.
  void operator()(const ExecutionSpace& exec, BunchType& bunch, Scratch& workspace) {
    if (!found_ && bunch.share().all > 0) {
      found_ = true;
      zero_ = light_path(bunch.reference);
      origin_ = mean_delay<Width>(exec, bunch, workspace);
    }
    for_each_tile<Real>(
        exec, "Trackplex::Beam::deflecting_cavity", bunch.size(),
        detail::TrackDeflector<Real>{bunch.columns(), coefficients(bunch.reference)});
    bunch.reference.path_length += cavity_.length;
  }

 private:
  static double per_velocity(const ReferenceParticle& reference) {
    return std::sqrt(1. + 1. / (reference.p0 * reference.p0));
  }
  static double light_path(const ReferenceParticle& reference) {
    return reference.path_length * per_velocity(reference);
  }

  /// Coefficients for a reference particle at the nominal entrance.
  detail::RfDeflectorCoefficients<T> coefficients(ReferenceParticle reference) const {
    reference.path_length += cavity_.misalignment.dz;
    const double l = cavity_.length / cavity_.slices(), k = cavity_.wave_number();
    const double p0_to_minus_2 = 1. / (reference.p0 * reference.p0);
    const double lag = cavity_.standing_wave ? per_velocity(reference)
                                             : p0_to_minus_2 / (per_velocity(reference) + 1.);
    const double step = k * l * lag;  // of the phase, from slice to slice
    const double phase = cavity_.first_phase() + k * (light_path(reference) - zero_) + 0.5 * step;
    detail::RfDeflectorCoefficients<T> c(reference);
    c.half_length = T(0.5 * l);
    c.path_step = T(l * p0_to_minus_2);
    c.wave_number = T(k);
    c.origin = T(origin_);
    c.kick = T(cavity_.kick() / reference.p0);
    c.sine = T(sin(phase));
    c.cosine = T(cos(phase));
    c.sine_step = T(sin(step));
    c.cosine_step = T(cos(step));
    c.tilt_sine = T(sin(cavity_.misalignment.tilt));
    c.tilt_cosine = T(cos(cavity_.misalignment.tilt));
    c.dx = T(cavity_.misalignment.dx);
    c.dy = T(cavity_.misalignment.dy);
    c.dz = T(cavity_.misalignment.dz);
    c.slices = cavity_.slices();
    c.magnetic = cavity_.magnetic;
    return c;
  }

  RfDeflector cavity_;
  bool found_ = false;
  double zero_ = 0.;    ///< time of the reference particle at the first pass, times c, m
  double origin_ = 0.;  ///< mean delay relative to it, m
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/rf_deflector.impl.hpp>
#endif
