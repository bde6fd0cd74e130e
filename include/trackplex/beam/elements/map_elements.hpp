// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Elements that act by their Taylor maps, in m and rad, with the defaults of elegant. See
/// element.hpp for the interface.

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

#include <vector>

namespace trackplex::beam {

namespace detail {

/// Adds the map of a misaligned element with a straight axis.
void add_misaligned(StepBuilder& to, const TransferMap& map, const Misalignment& by);

}  // namespace detail

/// Quadrupole by its Taylor map (QUAD).
struct Quadrupole {
  double length = 0.;           ///< Length, m.
  double k1 = 0.;               ///< Strength, 1/m^2; positive: focuses in x.
  int order = 2;                ///< Order of the map, 1 to 3.
  Misalignment misalignment{};  ///< Displacement and tilt.
  QuadrupoleFringe fringe{};    ///< Fringe fields, to second order.
  double horizontal = 0.;       ///< Angle of horizontal kicks, rad: half of it at each end.
  double vertical = 0.;         ///< Angle of vertical kicks, rad: half of it at each end.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "quadrupole";
  double strength() const { return k1; }
  bool is_whole() const { return has_kicks(); }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const { return misaligned(magnet_map(), misalignment); }
  void add_steps(StepBuilder& to) const { detail::add_misaligned(to, magnet_map(), misalignment); }
  Quadrupole part(int i, int n) const;
  /// @}

 private:
  bool has_kicks() const { return horizontal != 0. || vertical != 0.; }
  TransferMap magnet_map() const;
};

/// Sextupole by its Taylor map (SEXT).
struct Sextupole {
  double length = 0.;           ///< Length, m.
  double k2 = 0.;               ///< Strength, 1/m^3.
  int order = 2;                ///< Order of the map, 1 to 3.
  Misalignment misalignment{};  ///< Displacement and tilt.
  double k1 = 0.;               ///< Strength of its quadrupole component, 1/m^2; to order 2.
  double j1 = 0.;               ///< Strength of its skew quadrupole component, 1/m^2; to order 2.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "sextupole";
  double strength() const { return k2; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const { return misaligned(magnet_map(), misalignment); }
  void add_steps(StepBuilder& to) const { detail::add_misaligned(to, magnet_map(), misalignment); }
  /// @}

 private:
  TransferMap magnet_map() const { return sextupole_map(length, k2, order, k1, j1); }
};

/// Octupole by its Taylor map (OCTU); a drift to second order.
struct Octupole {
  double length = 0.;           ///< Length, m.
  double k3 = 0.;               ///< Strength, 1/m^4.
  int order = 2;                ///< Order of the map, 1 to 3.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "octupole";
  double strength() const { return k3; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const { return misaligned(magnet_map(), misalignment); }
  void add_steps(StepBuilder& to) const { detail::add_misaligned(to, magnet_map(), misalignment); }
  /// @}

 private:
  TransferMap magnet_map() const { return octupole_map(length, k3, order); }
};

/// Bending magnet by its Taylor map (SBEN; RBEN with edges of half the angle).
struct Bend {
  SectorBend magnet;            ///< Length, angle, strengths, edges and errors.
  int order = 2;                ///< Order of the map, 1 or 2.
  Misalignment misalignment{};  ///< Displacement as a rigid body, and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "bend";
  double length() const { return magnet.length; }
  double strength() const { return magnet.angle; }
  bool is_whole() const { return magnet.error_tilt != 0.; }
  AxisBend axis_bend() const;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const;
  void add_steps(StepBuilder& to) const;
  Bend part(int i, int n) const;
  Bend reversed() const { return {beam::reversed(magnet), order, misalignment}; }
  /// @}

 private:
  TransferMap magnet_map() const { return with_error_tilt(sector_bend_map(magnet, order), magnet); }
};

/// Kicker (KICKER, HKICK, VKICK): a magnet that turns the reference particle by an angle.
struct Kicker {
  double length = 0.;      ///< Length, m; 0: a kick at one place.
  double horizontal = 0.;  ///< Horizontal angle, rad.
  double vertical = 0.;    ///< Vertical angle, rad.
  double tilt = 0.;        ///< Rotation around the axis, rad, from x towards y.
  int order = 2;           ///< Order of the map, 1 or 2.
  double b2 = 0.;          ///< Sextupole component relative to the dipole, 1/m^2.
  bool edges = false;      ///< Whether edges act.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "kicker";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const;
  void add_steps(StepBuilder& to) const;
  /// @}

 private:
  KickerMagnet magnet() const { return {length, horizontal, vertical, b2, edges}; }
  double whole_tilt() const { return tilt + magnet().direction(); }
};

/// Solenoid with thin ends by its Taylor map (SOLE).
struct Solenoid {
  double length = 0.;           ///< Length, m.
  double ks = 0.;               ///< Strength, 1/m: particles turn by half of it per length.
  int order = 2;                ///< Order of the map, 1 or 2.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "solenoid";
  double strength() const { return ks; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const;
  void add_steps(StepBuilder& to) const;
  /// @}
};

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

/// Monitor of the position of the beam: a drift by its Taylor map (MONI, HMON, VMON).
struct Monitor {
  double length = 0.;  ///< Length, m; may be negative.
  int order = 2;       ///< Order of the map, 1 to 3.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "monitor";
  void check(const ElementCheck& check) const { check.finite("length", length); }
  TransferMap map_to(int) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const { to.map(map_to(order)); }
  /// @}
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/map_elements.impl.hpp>
#endif
