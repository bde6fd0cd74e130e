// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

#include <vector>

namespace trackplex::beam {

/// Solenoid with a given field (SOLE with B), for electrons. Its map depends on the momentum of
/// the reference particle, which trackers supply.
struct SolenoidField {
  double length = 0.;           ///< Length, m.
  double field = 0.;            ///< Field along the axis, T.
  int order = 2;                ///< Order of the map, 1 or 2.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "solenoid";
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  double strength() const { return field; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order_without, double p0) const;
  std::vector<double> coefficients(const ElementPass& pass) const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    v = apply_map<patterns::Dense>(c, v);
  }
  /// @}
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/solenoid_field.impl.hpp>
#endif
