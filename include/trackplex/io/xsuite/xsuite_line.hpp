// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Lines of Xsuite (CERN) in JSON, as `Line.to_json` and `Environment.to_json` write them; gzip is
/// recognized by content.
/// @code
/// const XsuiteLine ring = read_xsuite("ring.json");
/// beam::LineTracker<double> track(exec, ring.line, ...);  // with ring.particle->p0()
/// @endcode
/// Parameters that files leave out have Xsuite's defaults: bends follow their axis and have linear
/// edges, other magnets have none, drifts are to second order in the momenta. Lengths are in m,
/// angles in rad. What has no counterpart is an error, or with `skip_unknown` a drift or a marker.
///
/// Elements: Drift, DriftExact, Marker, Multipole, DipoleEdge (linear), Bend, RBend, Magnet,
/// Quadrupole, Sextupole, Octupole, UniformSolenoid, Solenoid, Cavity, CrabCavity, LimitRect,
/// LimitEllipse, LimitRectEllipse, SRotation, XYShift, ReferenceEnergyIncrease,
/// ReferenceEnergyChange, replicas and slices of these, and RFMultipole, Rotation, Translation,
/// XRotation, YRotation, ZetaShift that do nothing. Expressions of knobs are not evaluated: files
/// have the values of elements.

#include <trackplex/beam/lattice.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/constants.hpp>

#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// How lines of Xsuite are read, and their magnets tracked.
struct XsuiteOptions {
  std::string line{};         ///< Name of the line in a file of several; empty: the only one.
  bool skip_unknown = false;  ///< Whether elements that cannot be tracked become drifts.
  bool apertures = true;      ///< Whether apertures limit the beam.
  /// Slices of an integrated magnet; 0: one per tenth of its angle or phase advance, at least 2.
  int slices = 0;
  int integration_order = 6;  ///< Order of the integration of thick magnets: 2, 4 or 6.
};

/// Reference particle of a line.
struct XsuiteParticle {
  double mass = 0.;    ///< Rest energy, eV.
  double charge = 1.;  ///< Charge in units of the elementary one.
  double p0c = 0.;     ///< Momentum times the speed of light, eV.
  /// Anomalous magnetic moment; none where the file has none, or 0, which is Xsuite's default.
  std::optional<double> anomaly{};

  double p0() const { return p0c / mass; }  ///< Momentum as beta gamma.
  /// Velocity over that of light.
  double beta() const { return p0() / std::sqrt(1. + p0() * p0()); }
};

/// A line of Xsuite, with what is not as in the file.
struct XsuiteLine {
  std::string name;                        ///< Name; empty for a file of one line.
  beam::BeamLine line;                     ///< Elements in the order of passage.
  std::optional<XsuiteParticle> particle;  ///< Reference particle; old files have none.
  /// Elements that cannot be tracked and became drifts, by their kinds: "Wire (1), Elens (3)".
  std::string drifts;
  std::vector<std::string> remarks;  ///< What is not as it may seem.
};

/// Parses the text of a file; `name` is for messages.
/// @throws InputError if it is no JSON, has no line or an element that cannot be tracked
/// @throws UsageError if there are several lines and the options name none, or another one
XsuiteLine parse_xsuite(std::string_view text, const std::string& name,
                        const XsuiteOptions& options = {});

/// Reads a file, compressed by gzip or not.
/// @throws InputError if it cannot be read, or as `parse_xsuite` does
/// @throws UsageError as `parse_xsuite` does
XsuiteLine read_xsuite(const std::filesystem::path& path, const XsuiteOptions& options = {});

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/xsuite/detail/xsuite_line.impl.hpp>
#endif
