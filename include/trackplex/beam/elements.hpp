// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The elements of a beam line: plain descriptions in m and rad, with elegant's defaults.

#include <trackplex/beam/element_maps.hpp>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::beam {

/// A drift by its Taylor map.
struct Drift {
  double length = 0.;
  int order = 2;
};

/// A drift of straight lines.
struct ExactDrift {
  double length = 0.;
};

/// A quadrupole by its Taylor map; k1 above 0 focuses in x, 1/m^2.
struct Quadrupole {
  double length = 0.;
  double k1 = 0.;
  int order = 2;
  Misalignment misalignment{};
};

/// A quadrupole by symplectic integration, exact in the slopes.
struct ThickQuadrupole {
  double length = 0.;
  double k1 = 0.;
  int slices = 4;
  int integration_order = 4;  ///< 2, 4 or 6
  Misalignment misalignment{};
};

/// A sextupole by its Taylor map; k2 in 1/m^3.
struct Sextupole {
  double length = 0.;
  double k2 = 0.;
  int order = 2;
  Misalignment misalignment{};
};

/// A sextupole by symplectic integration, exact in the slopes.
struct ThickSextupole {
  double length = 0.;
  double k2 = 0.;
  int slices = 4;
  int integration_order = 4;  ///< 2, 4 or 6
  Misalignment misalignment{};
};

/// A bending magnet by its Taylor map of first or second order.
struct Bend {
  SectorBend magnet;
  int order = 2;
  Misalignment misalignment{};
};

/// Changes slopes in the middle of its length.
struct Kicker {
  double length = 0.;
  double horizontal = 0.;
  double vertical = 0.;
  double tilt = 0.;
};

/// A name for a place.
struct Marker {};

/// An aperture at both ends of a drift: particles outside of it are lost.
struct Collimator {
  enum class Shape { rectangle, ellipse };
  Shape shape = Shape::rectangle;
  double length = 0.;
  double x_max = 0.;  ///< half width; 0: no limit
  double y_max = 0.;
  double dx = 0.;  ///< of the centre
  double dy = 0.;
};

/// Sets the charge of the whole bunch, C.
struct Charge {
  double total = 0.;
};

/// Fractions of the highest frequency between which a filter goes from one side to the other.
/// Below 0: no filter, or no slope.
struct FrequencyCutoff {
  double begin = -1.;
  double end = -1.;
};

/// A drift with longitudinal space charge.
struct SpaceChargeDrift {
  double length = 0.;
  double effective_length = 0.;  ///< of a kick without a drift, where the length is 0
  int bins = 0;                  ///< even
  bool smoothing = false;        ///< of the current, by a Savitzky-Golay filter
  int smoothing_half_width = 1;
  int smoothing_order = 1;
  bool interpolate = true;           ///< the voltage between the centres of bins
  FrequencyCutoff low_frequency{};   ///< frequencies below are removed
  FrequencyCutoff high_frequency{};  ///< frequencies above are removed
  double radius_factor = 1.7;        ///< radius of the beam in mean rms sizes
  bool space_charge = true;          ///< false: an exact drift
  int max_steps = 10000;             ///< a bunch that needs more is refused
};

/// Any Taylor map. Copies share it, so that elements stay small.
class MapElement {
 public:
  double length = 0.;  ///< of the reference particle's way

  MapElement(double path, TransferMap map)
      : length(path), map_(std::make_shared<const TransferMap>(std::move(map))) {}

  const TransferMap& map() const { return *map_; }

 private:
  std::shared_ptr<const TransferMap> map_;
};

using ElementKind =
    std::variant<Drift, ExactDrift, Quadrupole, ThickQuadrupole, Sextupole, ThickSextupole, Bend,
                 Kicker, Marker, Collimator, Charge, SpaceChargeDrift, MapElement>;

struct Element {
  std::string name;
  ElementKind kind;
};

/// Elements in the order in which particles pass them.
using BeamLine = std::vector<Element>;

/// By how much the element adds to the way of the reference particle, m.
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
