// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Elements of a beam line: plain descriptions in m and rad, with the defaults of elegant. `map_of`
/// returns their maps, `LineTracker` tracks through them, `check_element` says what is refused.

#include <trackplex/beam/element_maps.hpp>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::beam {

/// Drift by its Taylor map (elegant's DRIF).
struct Drift {
  double length = 0.;  ///< Length, m; may be negative.
  int order = 2;       ///< Order of the map, 1 to 3.
};

/// Exact drift along straight lines (EDRIFT).
struct ExactDrift {
  double length = 0.;  ///< Length, m; may be negative.
};

/// Quadrupole by its Taylor map (QUAD), without fringe fields.
struct Quadrupole {
  double length = 0.;           ///< Length, m.
  double k1 = 0.;               ///< Strength, 1/m^2; positive: focuses in x.
  int order = 2;                ///< Order of the map, 1 to 3.
  Misalignment misalignment{};  ///< Displacement and tilt.
};

/// Quadrupole by symplectic integration, exact in the slopes (KQUAD).
struct ThickQuadrupole {
  double length = 0.;           ///< Length, m.
  double k1 = 0.;               ///< Strength, 1/m^2; positive: focuses in x.
  int slices = 4;               ///< Number of slices, at least 1.
  int integration_order = 4;    ///< Order of the integration: 2, 4 or 6.
  Misalignment misalignment{};  ///< Displacement and tilt.
};

/// Sextupole by its Taylor map (SEXT).
struct Sextupole {
  double length = 0.;           ///< Length, m.
  double k2 = 0.;               ///< Strength, 1/m^3.
  int order = 2;                ///< Order of the map, 1 to 3.
  Misalignment misalignment{};  ///< Displacement and tilt.
};

/// Sextupole by symplectic integration, exact in the slopes (KSEXT).
struct ThickSextupole {
  double length = 0.;           ///< Length, m.
  double k2 = 0.;               ///< Strength, 1/m^3.
  int slices = 4;               ///< Number of slices, at least 1.
  int integration_order = 4;    ///< Order of the integration: 2, 4 or 6.
  Misalignment misalignment{};  ///< Displacement and tilt.
};

/// Bending magnet by its Taylor map (SBEN; RBEN with edges of half the angle).
struct Bend {
  SectorBend magnet;            ///< Length, angle, strengths and edges.
  int order = 2;                ///< Order of the map, 1 or 2.
  Misalignment misalignment{};  ///< Displacement as a rigid body, and tilt.
};

/// Kicker, which changes slopes in the middle of a drift (KICKER, HKICK, VKICK).
struct Kicker {
  double length = 0.;      ///< Length, m.
  double horizontal = 0.;  ///< Change of xp, rad.
  double vertical = 0.;    ///< Change of yp, rad.
  double tilt = 0.;        ///< Rotation around the axis, rad, from x towards y.
};

/// Marker: a name for a place in the line (MARK).
struct Marker {};

/// Aperture at both ends of an exact drift; particles outside are lost (RCOL, ECOL).
struct Collimator {
  /// Shape of the aperture.
  enum class Shape {
    rectangle,  ///< |x - dx| <= x_max and |y - dy| <= y_max.
    ellipse     ///< Semi-axes x_max and y_max; a rectangle where one of them is 0.
  };
  Shape shape = Shape::rectangle;  ///< Shape.
  double length = 0.;              ///< Length, m.
  double x_max = 0.;               ///< Half width in x, m; 0: no limit.
  double y_max = 0.;               ///< Half width in y, m; 0: no limit.
  double dx = 0.;                  ///< Centre of the aperture in x, m.
  double dy = 0.;                  ///< Centre of the aperture in y, m.
};

/// Sets the charge of the whole bunch, lost particles included (CHARGE).
struct Charge {
  double total = 0.;  ///< Charge, C.
};

/// Edges of a frequency filter, as fractions of the highest frequency of the spectrum. Between them
/// its weight is linear; see `frequency_weights`.
struct FrequencyCutoff {
  double begin = -1.;  ///< Begin of the slope; below 0: no filter.
  double end = -1.;    ///< End of the slope; below 0: a sharp cutoff at `begin`.
};

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

 private:
  std::shared_ptr<const TransferMap> map_;
};

/// Kinds of elements.
using ElementKind =
    std::variant<Drift, ExactDrift, Quadrupole, ThickQuadrupole, Sextupole, ThickSextupole, Bend,
                 Kicker, Marker, Collimator, Charge, SpaceChargeDrift, MapElement>;

/// Element of a line: a name and its kind with the parameters.
struct Element {
  std::string name;  ///< Name, for messages and files.
  ElementKind kind;  ///< Kind with its parameters.
};

/// Beam line: elements in the order in which particles pass them.
using BeamLine = std::vector<Element>;

/// Returns the path length of the reference particle in an element, m.
inline double length_of(const Element& element) {
  return std::visit(
      [](const auto& e) {
        if constexpr (requires { e.magnet.length; }) {
          return e.magnet.length;
        } else if constexpr (requires { e.length; }) {
          return e.length;
        } else {
          return 0.;
        }
      },
      element.kind);
}

}  // namespace trackplex::beam
