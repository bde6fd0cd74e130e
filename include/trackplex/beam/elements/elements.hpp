// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Elements of the library, in m and rad, with the defaults of elegant. See element.hpp for the
/// interface.

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/map_elements.hpp>
#include <trackplex/core/compiled.hpp>

#include <memory>
#include <utility>

namespace trackplex::beam {

/// Drift by its Taylor map (elegant's DRIF).
struct Drift {
  double length = 0.;  ///< Length, m; may be negative.
  int order = 2;       ///< Order of the map, 1 to 3.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "drift";
  void check(const ElementCheck& check) const { check.finite("length", length); }
  TransferMap map_to(int) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const;
  /// @}
};

/// Exact drift along straight lines (EDRIFT).
struct ExactDrift {
  double length = 0.;  ///< Length, m; may be negative.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "drift";
  void check(const ElementCheck& check) const { check.finite("length", length); }
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const;
  /// @}
};

/// Drift with the Hamiltonian expanded to second order in the momenta, (q_x^2 + q_y^2)/2(1 +
/// delta), as in linear optics programs.
struct ExpandedDrift {
  double length = 0.;  ///< Length, m; may be negative.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "drift";
  void check(const ElementCheck& check) const { check.finite("length", length); }
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const;
  /// @}
};

/// Quadrupole by symplectic integration, exact in the slopes (KQUAD).
struct CanonicalQuadrupole {
  double length = 0.;           ///< Length, m.
  double k1 = 0.;               ///< Strength, 1/m^2; positive: focuses in x.
  int slices = 4;               ///< Number of slices, at least 1.
  int integration_order = 4;    ///< Order of the integration: 2, 4 or 6.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "quadrupole";
  double strength() const { return k1; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  /// @}
};

/// Sextupole by symplectic integration, exact in the slopes (KSEXT).
struct CanonicalSextupole {
  double length = 0.;           ///< Length, m.
  double k2 = 0.;               ///< Strength, 1/m^3.
  int slices = 4;               ///< Number of slices, at least 1.
  int integration_order = 4;    ///< Order of the integration: 2, 4 or 6.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "sextupole";
  double strength() const { return k2; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  /// @}
};

/// Marker: a name for a place in the line (MARK).
struct Marker {
  /// @{ @brief Element interface, see element.hpp.
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

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "collimator";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const;
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
  double position = 0.;    ///< Position of the edge, m; for both sides, distance from the centre.
  double dx = 0.;          ///< Displacement in x, m.
  double dy = 0.;          ///< Displacement in y, m.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "collimator";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const;
  /// @}

 private:
  void insert(StepBuilder& to) const;
};

/// Aperture along the line, from its position to the next one (MAXAMP): after every element,
/// and between the slices of integrated magnets. Without limits it ends the aperture.
struct MaxAmplitude {
  Aperture aperture{};  ///< Aperture.

  /// @{ @brief Element interface, see element.hpp.
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
  double total = 0.;         ///< Charge, C.
  double per_particle = 0.;  ///< That of a particle, C, in the place of the total if it is not 0.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "charge";
  void check(const ElementCheck& check) const {
    check.finite("charge", total);
    check.finite("charge of a particle", per_particle);
  }
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

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "space charge";
  void check(const ElementCheck& check) const;
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

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "map";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const { return map(); }
  void add_steps(StepBuilder& to) const { to.map(map()); }
  /// @}

 private:
  std::shared_ptr<const TransferMap> map_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/elements.impl.hpp>
#endif
