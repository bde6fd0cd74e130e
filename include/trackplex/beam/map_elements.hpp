// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Elements that act by their Taylor maps, in m and rad, with the defaults of elegant. See
/// element.hpp for what an element says of itself.

#include <trackplex/beam/element.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace trackplex::beam {

namespace detail {

/// Adds a map and what it adds to the coordinates apart from that: the pattern may be a short one
/// then.
inline void add_map_and_shift(StepBuilder& to, TransferMap map) {
  const TransferMap::Vector shift = map(TransferMap::Vector{});
  for (Polynomial& p : map.component) p.c = 0.;
  to.map(map);
  if (shift[x] != 0. || shift[xp] != 0. || shift[y] != 0. || shift[yp] != 0.)
    to.shift(shift[x], shift[xp], shift[y], shift[yp]);
  if (shift[s] != 0.) to.add(steps::Lengthen{shift[s]});
}

/// Adds the map of a misaligned element with a straight axis.
inline void add_misaligned(StepBuilder& to, const TransferMap& map, const Misalignment& by) {
  if (by.dz != 0.) return to.map(misaligned(map, by));
  to.placed(by, [&] { to.map(map); });
}

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

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "quadrupole";
  double strength() const { return k1; }
  bool is_whole() const { return has_kicks(); }
  void check(const ElementCheck& check) const {
    check.not_negative("length", length);
    check.finite("strength k1", k1);
    check.not_negative("length of the fringe field", fringe.length);
    check.finite("horizontal kick", horizontal);
    check.finite("vertical kick", vertical);
    check.placed(misalignment);
  }
  TransferMap map_to(int) const { return misaligned(magnet_map(), misalignment); }
  void add_steps(StepBuilder& to) const { detail::add_misaligned(to, magnet_map(), misalignment); }
  Quadrupole part(int i, int n) const {  // fringe fields stay at the ends
    Quadrupole result = *this;
    result.length /= n;
    result.fringe.entrance = fringe.entrance && i == 0;
    result.fringe.exit = fringe.exit && i + 1 == n;
    return result;
  }
  /// @}

 private:
  bool has_kicks() const { return horizontal != 0. || vertical != 0.; }
  TransferMap magnet_map() const {
    const TransferMap map = quadrupole_map(length, k1, order, fringe);
    if (!has_kicks()) return map;
    const KickerMagnet half{.horizontal = 0.5 * horizontal, .vertical = 0.5 * vertical};
    const TransferMap kick = kicker_map(half, std::min(order, 2));
    return concatenated(concatenated(kick, map), kick);
  }
};

/// Sextupole by its Taylor map (SEXT).
struct Sextupole {
  double length = 0.;           ///< Length, m.
  double k2 = 0.;               ///< Strength, 1/m^3.
  int order = 2;                ///< Order of the map, 1 to 3.
  Misalignment misalignment{};  ///< Displacement and tilt.
  double k1 = 0.;               ///< Strength of its quadrupole component, 1/m^2; to order 2.
  double j1 = 0.;               ///< Strength of its skew quadrupole component, 1/m^2; to order 2.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "sextupole";
  double strength() const { return k2; }
  void check(const ElementCheck& check) const {
    check.not_negative("length", length);
    check.finite("strength k2", k2);
    check.finite("strength k1", k1);
    check.finite("strength j1", j1);
    check.placed(misalignment);
  }
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

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "octupole";
  double strength() const { return k3; }
  void check(const ElementCheck& check) const {
    check.not_negative("length", length);
    check.finite("strength k3", k3);
    check.placed(misalignment);
  }
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

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "bend";
  double length() const { return magnet.length; }
  double strength() const { return magnet.angle; }
  bool is_whole() const { return magnet.error_tilt != 0.; }
  AxisBend axis_bend() const {
    return {magnet.angle, misalignment.tilt, magnet.k1, magnet.entrance_edge ? magnet.entrance : 0.,
            magnet.exit_edge ? magnet.exit : 0.};
  }
  void check(const ElementCheck& check) const {
    check.not_negative("length", magnet.length);
    check.finite("angle", magnet.angle);
    check.finite("strength k1", magnet.k1);
    check.finite("strength k2", magnet.k2);
    check.finite("angle of the entrance edge", magnet.entrance);
    check.finite("angle of the exit edge", magnet.exit);
    check.not_negative("half gap", magnet.half_gap);
    check.finite("integral of the fringe field", magnet.fringe);
    check.finite("curvature of the entrance", magnet.entrance_curvature);
    check.finite("curvature of the exit", magnet.exit_curvature);
    check.finite("error of the field", magnet.dipole_error);
    if (magnet.dipole_error <= -1.)
      check.refuse("error of the field", magnet.dipole_error, "it must be above -1");
    check.finite("error tilt", magnet.error_tilt);
    check.placed(misalignment);
  }
  TransferMap map_to(int) const {
    return misaligned_bend(magnet_map(), misalignment, magnet.angle);
  }
  void add_steps(StepBuilder& to) const {
    const Misalignment& by = misalignment;
    if (by.dx != 0. || by.dy != 0. || by.dz != 0.) return to.map(map_to(order));
    to.placed(by, [&] { detail::add_map_and_shift(to, magnet_map()); });
  }
  Bend part(int i, int n) const {  // edges stay at the ends
    Bend result = *this;
    result.magnet.length /= n;
    result.magnet.angle /= n;
    result.magnet.entrance_edge = magnet.entrance_edge && i == 0;
    result.magnet.exit_edge = magnet.exit_edge && i + 1 == n;
    return result;
  }
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
  bool edges = false;      ///< Whether there are effects of edges.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "kicker";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const {
    check.not_negative("length", length);
    check.finite("horizontal kick", horizontal);
    check.finite("vertical kick", vertical);
    check.finite("tilt", tilt);
    check.finite("sextupole component b2", b2);
  }
  TransferMap map_to(int) const {
    return misaligned(kicker_map_in_plane(magnet(), order), {.tilt = whole_tilt()});
  }
  void add_steps(StepBuilder& to) const {
    to.placed({.tilt = whole_tilt()},
              [&] { detail::add_map_and_shift(to, kicker_map_in_plane(magnet(), order)); });
  }
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

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "solenoid";
  double strength() const { return ks; }
  void check(const ElementCheck& check) const {
    check.not_negative("length", length);
    check.finite("strength ks", ks);
    check.placed(misalignment);
  }
  TransferMap map_to(int) const {
    return misaligned(solenoid_map(length, ks, order), misalignment);
  }
  void add_steps(StepBuilder& to) const {
    detail::add_misaligned(to, solenoid_map(length, ks, order), misalignment);
  }
  /// @}
};

/// Solenoid whose field is given (SOLE with B), for electrons. Its map depends on the momentum of
/// the reference particle: trackers know it.
struct SolenoidField {
  double length = 0.;           ///< Length, m.
  double field = 0.;            ///< Field along the axis, T.
  int order = 2;                ///< Order of the map, 1 or 2.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "solenoid";
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  double strength() const { return field; }
  void check(const ElementCheck& check) const {
    check.not_negative("length", length);
    check.finite("field", field);
    check.placed(misalignment);
  }
  TransferMap map_to(int order_without, double p0) const {
    if (!(p0 > 0.)) return drift_map(length, order_without);
    return misaligned(solenoid_map(length, solenoid_strength(field, p0), order), misalignment);
  }
  std::vector<double> coefficients(const ElementPass& pass) const {
    return coefficients_of(map_to(order, pass.reference.p0), patterns::Dense::value);
  }
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

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "monitor";
  void check(const ElementCheck& check) const { check.finite("length", length); }
  TransferMap map_to(int) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const { to.map(map_to(order)); }
  /// @}
};

}  // namespace trackplex::beam
