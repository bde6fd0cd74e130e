// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Elements of the library, in m and rad, with the defaults of elegant. See element.hpp for what an
/// element says of itself.

#include <trackplex/beam/element.hpp>
#include <trackplex/beam/map_elements.hpp>

#include <cmath>
#include <memory>
#include <utility>

namespace trackplex::beam {

/// Drift by its Taylor map (elegant's DRIF).
struct Drift {
  double length = 0.;  ///< Length, m; may be negative.
  int order = 2;       ///< Order of the map, 1 to 3.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "drift";
  void check(const ElementCheck& check) const { check.finite("length", length); }
  TransferMap map_to(int) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const { to.map(map_to(order)); }
  /// @}
};

/// Exact drift along straight lines (EDRIFT).
struct ExactDrift {
  double length = 0.;  ///< Length, m; may be negative.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "drift";
  void check(const ElementCheck& check) const { check.finite("length", length); }
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const { to.exact_drift(length); }
  /// @}
};

/// Drift by the Hamiltonian to second order in the momenta, (q_x^2 + q_y^2)/2(1 + delta): that of
/// linear optics programs, where the slopes of an exact drift are q/(1 + delta).
struct ExpandedDrift {
  double length = 0.;  ///< Length, m; may be negative.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "drift";
  void check(const ElementCheck& check) const { check.finite("length", length); }
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const { to.add(steps::ExpandedDrift{length}); }
  /// @}
};

/// Quadrupole by symplectic integration, exact in the slopes (KQUAD).
struct ThickQuadrupole {
  double length = 0.;           ///< Length, m.
  double k1 = 0.;               ///< Strength, 1/m^2; positive: focuses in x.
  int slices = 4;               ///< Number of slices, at least 1.
  int integration_order = 4;    ///< Order of the integration: 2, 4 or 6.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "quadrupole";
  double strength() const { return k1; }
  void check(const ElementCheck& check) const {
    check.not_negative("length", length);
    check.finite("strength k1", k1);
    check.placed(misalignment);
  }
  TransferMap map_to(int order) const {
    return misaligned(quadrupole_map(length, k1, order), misalignment);
  }
  void add_steps(StepBuilder& to) const {
    to.placed(misalignment, [&] {
      to.in_slices(slices, [&](int n, double part) {
        to.add(steps::Magnet<QuadrupoleField>{length * part, k1, n, integration_order});
      });
    });
  }
  /// @}
};

/// Sextupole by symplectic integration, exact in the slopes (KSEXT).
struct ThickSextupole {
  double length = 0.;           ///< Length, m.
  double k2 = 0.;               ///< Strength, 1/m^3.
  int slices = 4;               ///< Number of slices, at least 1.
  int integration_order = 4;    ///< Order of the integration: 2, 4 or 6.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "sextupole";
  double strength() const { return k2; }
  void check(const ElementCheck& check) const {
    check.not_negative("length", length);
    check.finite("strength k2", k2);
    check.placed(misalignment);
  }
  TransferMap map_to(int order) const {
    return misaligned(sextupole_map(length, k2, order), misalignment);
  }
  void add_steps(StepBuilder& to) const {
    to.placed(misalignment, [&] {
      to.in_slices(slices, [&](int n, double part) {
        to.add(steps::Magnet<SextupoleField>{length * part, k2, n, integration_order});
      });
    });
  }
  /// @}
};

/// Marker: a name for a place in the line (MARK).
struct Marker {
  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "marker";
  void check(const ElementCheck&) const {}
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  void add_steps(StepBuilder&) const {}
  /// @}
};

/// Aperture at both ends of an exact drift; particles outside are lost (RCOL, ECOL).
struct Collimator {
  double length = 0.;   ///< Length, m.
  Aperture aperture{};  ///< Aperture at the entrance, and at the exit of a length.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "collimator";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const {
    check.not_negative("length", length);
    check.open(aperture);
  }
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const {
    to.aperture(aperture);
    if (length == 0.) return;
    to.exact_drift(length);
    Aperture exit = aperture;  // as in elegant
    exit.y_exponent = exit.x_exponent;
    to.aperture(exit);
  }
  /// @}
};

/// Aperture from one side, two, or none, at both ends of an exact drift (SCRAPER).
struct Scraper {
  /// Sides that it is inserted from.
  enum class From {
    none,     ///< None: a drift.
    plus_x,   ///< Positive x.
    minus_x,  ///< Negative x.
    plus_y,   ///< Positive y.
    minus_y,  ///< Negative y.
    both_x,   ///< Both sides in x.
    both_y    ///< Both sides in y.
  };
  double length = 0.;      ///< Length, m.
  From from = From::none;  ///< Side.
  double position = 0.;    ///< Position of its edge, m; of both: distance from the centre.
  double dx = 0.;          ///< Displacement in x, m.
  double dy = 0.;          ///< Displacement in y, m.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "collimator";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const {
    check.not_negative("length", length);
    check.finite("position", position);
    check.finite("displacement in x", dx);
    check.finite("displacement in y", dy);
  }
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const {
    insert(to);
    if (length == 0.) return;
    to.exact_drift(length);
    insert(to);
  }
  /// @}

 private:
  void insert(StepBuilder& to) const {
    switch (from) {
      case From::none:
        return;
      case From::plus_x:
        return to.add(steps::HalfPlane{dx, dy, 1., 0., position});
      case From::minus_x:
        return to.add(steps::HalfPlane{dx, dy, -1., 0., -position});
      case From::plus_y:
        return to.add(steps::HalfPlane{dx, dy, 0., 1., position});
      case From::minus_y:
        return to.add(steps::HalfPlane{dx, dy, 0., -1., -position});
      case From::both_x:
        return to.aperture({.x_max = position, .dx = dx, .dy = dy});
      case From::both_y:
        return to.aperture({.y_max = position, .dx = dx, .dy = dy});
    }
  }
};

/// Aperture from its place on along the line, until the next one (MAXAMP): behind every element,
/// and between the slices of integrated magnets. Without limits: none from here on.
struct MaxAmplitude {
  Aperture aperture{};  ///< Aperture.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "collimator";
  void check(const ElementCheck& check) const { check.open(aperture); }
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  void add_steps(StepBuilder& to) const { to.limit(aperture); }
  /// @}
};

template <class T, class ExecutionSpace, int Width>
class SetCharge;

/// Sets the charge of the whole bunch, lost particles included (CHARGE).
struct Charge {
  double total = 0.;  ///< Charge, C.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "charge";
  void check(const ElementCheck& check) const { check.finite("charge", total); }
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = SetCharge<T, ExecutionSpace, Width>;
  /// @}
};

/// Edges of a frequency filter, as fractions of the highest frequency of the spectrum. Between them
/// its weight is linear; see `frequency_weights`.
struct FrequencyCutoff {
  double begin = -1.;  ///< Begin of the slope; below 0: no filter.
  double end = -1.;    ///< End of the slope; below 0: a sharp cutoff at `begin`.
};

template <class T, class ExecutionSpace, int Width>
class LongitudinalSpaceCharge;

/// Drift with longitudinal space charge (LSCDRIFT).
struct SpaceChargeDrift {
  double length = 0.;            ///< Length, m; 0: a kick without a drift.
  double effective_length = 0.;  ///< Length that the field of a kick acts over, m.
  int bins = 0;                  ///< Number of bins of time: even, at least 4.
  bool smoothing = false;        ///< Whether the current is smoothed, by a Savitzky-Golay filter.
  int smoothing_half_width = 1;  ///< Bins on each side in the filter.
  int smoothing_order = 1;       ///< Order of the polynomial of the filter.
  bool interpolate = true;       ///< Whether the voltage is linear between centres of bins.
  FrequencyCutoff low_frequency{};   ///< Frequencies below are removed.
  FrequencyCutoff high_frequency{};  ///< Frequencies above are removed.
  double radius_factor = 1.7;        ///< Radius of the beam over the mean of the rms sizes.
  bool space_charge = true;          ///< Whether there is space charge; else an exact drift.
  int max_steps = 10000;             ///< Max number of steps; a bunch that needs more is refused.

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "space charge";
  void check(const ElementCheck& check) const {
    check.not_negative("length", length);
    check.not_negative("effective length", effective_length);
    check.finite("radius factor", radius_factor);
    for (const double value : {low_frequency.begin, low_frequency.end})
      check.finite("low frequency cutoff", value);
    for (const double value : {high_frequency.begin, high_frequency.end})
      check.finite("high frequency cutoff", value);
  }
  TransferMap map_to(int order) const { return drift_map(length, order); }
  template <class T, class ExecutionSpace, int Width>
  using Action = LongitudinalSpaceCharge<T, ExecutionSpace, Width>;
  /// @}
};

/// Element with any Taylor map. Copies share the map, so that elements stay small.
class MapElement {
 public:
  double length = 0.;  ///< Path length of the reference particle, m.

  /// Makes an element from the path length of the reference particle, m, and a map.
  MapElement(double path, TransferMap map)
      : length(path), map_(std::make_shared<const TransferMap>(std::move(map))) {}

  /// Returns the map.
  const TransferMap& map() const { return *map_; }

  /// @{ @brief As of all elements, see element.hpp.
  static constexpr const char* family = "map";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const {
    check.finite("length", length);
    for (const Polynomial& p : map().component) {
      check.finite("map", p.c);
      for (const double value : p.r) check.finite("map", value);
      for (const double value : p.t) check.finite("map", value);
      for (const double value : p.q) check.finite("map", value);
    }
  }
  TransferMap map_to(int) const { return map(); }
  void add_steps(StepBuilder& to) const { to.map(map()); }
  /// @}

 private:
  std::shared_ptr<const TransferMap> map_;
};

}  // namespace trackplex::beam
