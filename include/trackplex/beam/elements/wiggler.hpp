// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Wigglers and undulators by symplectic integration in their three-dimensional field, as the
/// element CWIGGLER of the accelerator code elegant (M. Borland): the canonical integrator of Y.
/// Wu, E. Forest and D. S. Robin, Phys. Rev. E 68 (2003) 046502. With the wave number \f$k_w=2\pi
/// N/L\f$ of N periods, a harmonic of the vertical field is \f[ B_y=-B\,C\cos k_xx\cosh
/// k_yy\cos(k_zz+\theta),\qquad k_y^2=k_x^2+k_z^2, \f] or with split poles \f$B_y=-B\,C\cosh
/// k_xx\cos k_yy\cos(k_zz+\theta)\f$, \f$k_x^2=k_y^2+k_z^2\f$; the horizontal field is the same
/// with x and y exchanged, and the opposite sign. The Hamiltonian is expanded in the momenta, \f[
/// H=\frac{(q_x-A_x)^2+(q_y-A_y)^2}{2(1+\delta)}, \f] and each of its parts is solved exactly in a
/// gauge in which it is a drift.

#include <trackplex/beam/elements/detail/differenced_map.hpp>
#include <trackplex/beam/elements/detail/wiggler_pass.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/steps/radiation.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/derived_math.hpp>

#include <array>
#include <vector>

namespace trackplex::beam {

/// Harmonic of the field of a wiggler; wave numbers are in units of that of one period.
struct WigglerHarmonic {
  double strength = 1.;  ///< C, relative to the field of the wiggler.
  double kx = 0.;        ///< Wave number in x.
  double ky = 1.;        ///< Wave number in y.
  double kz = 1.;        ///< Wave number along the axis.
  double phase = 0.;     ///< Phase at the entrance, rad.
};

/// A component of the field of a wiggler.
struct WigglerField {
  double peak = 0.;                          ///< B, T.
  std::vector<WigglerHarmonic> harmonics{};  ///< Harmonics; none: no field.
  bool has_split_poles = false;              ///< Whether poles are split.
};

/// Wiggler or undulator (CWIGGLER).
struct Wiggler {
  double length = 0.;         ///< Length, m.
  int periods = 1;            ///< Number of periods, N.
  WigglerField vertical{};    ///< Vertical field, which deflects in x.
  WigglerField horizontal{};  ///< Horizontal field, which deflects in y.
  int steps_per_period = 12;  ///< Steps in a period.
  int integration_order = 4;  ///< Order of the integration: 2 or 4.
  /// Field factors of the first three poles, and in reverse order of the last three.
  std::array<double, 3> pole_factors{1., 1., 1.};
  /// Whether the field begins and ends at the phases of the first harmonic that give a particle on
  /// the axis no offset; else at the ends.
  bool is_matched = true;
  bool radiates = false;        ///< Whether particles lose energy by synchrotron radiation.
  bool quantum = false;         ///< Whether the loss fluctuates as that by photons.
  Misalignment misalignment{};  ///< Rotation, and then a displacement in the rotated frame.
  /// Whether the field strength is as in elegant, which uses p0 as the energy, with the momentum
  /// sqrt(p0^2 - 1), and e/m of CODATA 1998: stronger by 1/(2 p0^2) + 3e-7.
  bool has_strength_of_elegant = false;

  /// Returns the map about the axis for a reference momentum p0 (beta gamma), to first or second
  /// order; without radiation.
  /// @throws UsageError if p0 is not above 0
  TransferMap map_at(double p0, int order) const;

  /// @{ @brief Element interface, see element.hpp. Without a momentum the map is that of a drift.
  static constexpr const char* family = "wiggler";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order, double p0 = 0.) const;
  void add_steps(StepBuilder& to) const;
  /// @}
};

namespace detail {

/// Positions along a wiggler and field factors there.
class WigglerProfile {
 public:
  WigglerProfile(const Wiggler& wiggler, const WigglerField& field);

  /// Returns whether there is a field at a place, m.
  bool is_inside(double z) const { return z >= start_ && z <= end_; }
  double start() const { return start_; }
  double end() const { return end_; }

 private:
  double start_, end_;
};

/// Factor of the pole of a step beginning at z; poles are half a period long, except the first
/// and the last.
double pole_factor(const Wiggler& wiggler, double first, double last, double z);

/// Stand-in for random numbers where none are used.
struct NoNumbers {
  KOKKOS_FUNCTION double operator()() const { return 0.; }
};

}  // namespace detail

namespace steps {

/// Wiggler in its own frame.
struct Wiggler {
  beam::Wiggler wiggler;  ///< The wiggler.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  std::vector<double> coefficients(const ElementPass& pass) const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       const StepPlace<Real>& place) {
    auto random = place.random();
    return detail::pass_wiggler(c, v, [&] { return random.normal(); });
  }
  /// @}
};

}  // namespace steps

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/wiggler.impl.hpp>
#endif
