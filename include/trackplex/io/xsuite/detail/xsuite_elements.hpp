// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/displacement.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/elements/rf_deflector.hpp>
#include <trackplex/beam/elements/rotator.hpp>
#include <trackplex/beam/elements/set_momentum.hpp>
#include <trackplex/io/xsuite/detail/xsuite_magnets.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Elements of Xsuite as those of `beam`.

namespace trackplex::io::detail {

/// Surroundings on which elements depend.
struct XsuiteSurroundings {
  const XsuiteOptions& options;
  const std::optional<XsuiteParticle>& particle;  ///< at this place of the line
  bool exact_drifts = false;                      ///< of the configuration
  double line_length = 0.;                        ///< m
  double position = 0.;                           ///< of the entrance, m
  bool is_accelerated = false;  ///< whether the reference momentum is another one than at the start

  const XsuiteParticle& particle_of(const XsuiteValues& v) const {
    if (!particle)
      v.refuse_element("what it does depends on the particles",
                       "give the file a particle_ref with mass0, q0 and p0c");
    return *particle;
  }
};

inline constexpr std::string_view xsuite_apertures[] = {"LimitRect", "LimitEllipse",
                                                        "LimitRectEllipse"};

/// Whether an element is another one at other places of a line.
inline bool depends_on_place(std::string_view kind) {
  return kind == "Cavity" || kind == "CrabCavity" || kind.starts_with("ReferenceEnergy");
}

/// Path length of a whole element.
inline double xsuite_length(XsuiteValues& v) {
  const std::string& kind = v.kind();
  if (kind == "Bend" || kind == "RBend" || kind == "Magnet") return XsuiteAxis(v).length;
  if (kind == "Multipole" && !v.flag("isthick")) return 0.;
  for (const std::string_view thin : {"DipoleEdge", "RFMultipole", "Wire", "Elens", "BeamBeam"})
    if (kind.starts_with(thin)) return 0.;
  return v.number("length");
}

/// Frequency of a cavity. Those within 1e-3 of a harmonic of the revolution frequency are the
/// harmonic, since Xsuite's times are relative to the reference particle's of each turn.
inline double xsuite_frequency(XsuiteValues& v, const XsuiteSurroundings& at) {
  const double harmonic = v.number("harmonic"), given = v.number("frequency");
  if (harmonic != 0. && given != 0.)
    v.refuse("harmonic", "a cavity has a frequency or a harmonic number", "leave out one of them");
  const double revolution =
      at.particle_of(v).beta() * constants::speed_of_light / std::max(1e-300, at.line_length);
  if (harmonic != 0.) return harmonic * revolution;
  const double nearest = std::round(given / revolution) * revolution;
  return std::abs(nearest - given) <= 1e-3 * given ? nearest : given;
}

/// Phase, rad: PHASE and the older LAG, in degrees, add.
inline double xsuite_phase(XsuiteValues& v) {
  v.refuse_unless_zero({"lag_taper"});
  return v.number("phase") + v.number("lag") * (std::numbers::pi / 180.);
}

/// The energy grows by |q| V sin(phase - omega zeta/(beta c)), zeta ahead of the reference.
inline beam::ElementKind make_xsuite_cavity(XsuiteValues& v, const XsuiteSurroundings& at) {
  const double length = v.number("length"), voltage = v.number("voltage");
  v.ignore({"absolute_time", "num_kicks", "model", "integrator"});
  if (voltage == 0.) {
    v.ignore({"frequency", "harmonic", "phase", "lag", "lag_taper"});
    return make_xsuite_drift(length);
  }
  const XsuiteParticle& particle = at.particle_of(v);
  const beam::Misalignment by = xsuite_placement(v);
  if (by.dz != 0.) v.refuse("shift_s", "it is not implemented for Cavity");
  beam::RfCavity cavity{.length = length, .voltage = voltage, .phase = xsuite_phase(v)};
  cavity.frequency = xsuite_frequency(v, at);
  cavity.kicks = 1;
  cavity.dx = by.dx;
  cavity.dy = by.dy;
  cavity.rest_energy = particle.mass / std::abs(particle.charge);
  if (!at.is_accelerated)
    cavity.reference_time =
        (at.position + 0.5 * length) / (particle.beta() * constants::speed_of_light);
  return cavity;
}

/// A transverse kick |q| V/(p0 c) sin(phase - omega zeta/(beta c)); `RfDeflector` has a cosine.
inline beam::ElementKind make_xsuite_crab_cavity(XsuiteValues& v, const XsuiteSurroundings& at) {
  const double length = v.number("length"), voltage = v.number("crab_voltage");
  v.ignore({"absolute_time", "num_kicks"});
  v.refuse_unless_zero({"voltage"});
  if (voltage == 0.) {
    v.ignore({"frequency", "harmonic", "phase", "lag", "lag_taper"});
    return make_xsuite_drift(length);
  }
  const XsuiteParticle& particle = at.particle_of(v);
  const double per_mass =
      constants::elegant::electron_energy_from_mass * std::abs(particle.charge) / particle.mass;
  return beam::RfDeflector{.length = length,
                           .voltage = voltage * per_mass,
                           .phase = xsuite_phase(v) - 0.5 * std::numbers::pi,
                           .frequency = xsuite_frequency(v, at),
                           .kicks = 1,
                           .misalignment = xsuite_placement(v)};
}

/// Limits of one coordinate: half width (0: none), centre, and the side that is open.
struct XsuiteLimits {
  double half = 0., centre = 0.;
  int open = 0;  ///< -1, 1, or 0: none or both

  XsuiteLimits(XsuiteValues& v, const std::string& axis) {
    constexpr double no_limit = 1e9;
    const double low = v.number("min_" + axis, -1e10), high = v.number("max_" + axis, 1e10);
    const bool has_low = low > -no_limit, has_high = high < no_limit;
    if (low >= high) v.refuse("max_" + axis, "it is not above min_" + axis);
    if (!has_low && !has_high) return;
    open = has_low && has_high ? 0 : has_low ? 1 : -1;
    // an open side leaves the centre free: the closed limit decides
    half = open == 0 ? 0.5 * (high - low) : std::max(1., 2. * std::abs(has_low ? low : high));
    centre = open == 0 ? 0.5 * (low + high) : has_low ? low + half : high - half;
  }
};

inline beam::Collimator xsuite_rectangle(XsuiteValues& v, const beam::Misalignment& by) {
  using Open = beam::Aperture::Open;
  const XsuiteLimits x(v, "x"), y(v, "y");
  if (x.open != 0 && y.open != 0)
    v.refuse_element("apertures that are open in x and in y are not implemented");
  beam::Aperture aperture{.x_max = x.half, .y_max = y.half};
  const double c = cos(by.tilt), s = sin(by.tilt);
  aperture.dx = by.dx + c * x.centre - s * y.centre;
  aperture.dy = by.dy + s * x.centre + c * y.centre;
  aperture.tilt = by.tilt;
  if (x.open != 0) aperture.open = x.open > 0 ? Open::plus_x : Open::minus_x;
  if (y.open != 0) aperture.open = y.open > 0 ? Open::plus_y : Open::minus_y;
  return {.aperture = aperture};
}

inline beam::Collimator xsuite_ellipse(XsuiteValues& v, const beam::Misalignment& by) {
  const auto semi_axis = [&](const char* key, const char* square) {
    if (v.has(square)) {
      const double squared = v.number(square);
      if (!(squared > 0.)) v.refuse(square, "it is the square of a semi-axis");
      if (!v.has(key)) return std::sqrt(squared);
    }
    const double size = v.number(key);
    if (!(size > 0.)) v.refuse(key, "it is a semi-axis");
    return size;
  };
  v.ignore({"a_b_squ"});
  beam::Aperture aperture{.shape = beam::Aperture::Shape::ellipse};
  aperture.x_max = semi_axis("a", "a_squ");
  aperture.y_max = semi_axis("b", "b_squ");
  aperture.dx = by.dx;
  aperture.dy = by.dy;
  aperture.tilt = by.tilt;
  return {.aperture = aperture};
}

/// An aperture as one or two collimators, or none where apertures are left out.
inline std::vector<beam::ElementKind> make_xsuite_aperture(XsuiteValues& v,
                                                           const XsuiteOptions& options) {
  const beam::Misalignment by = xsuite_placement(v);
  std::vector<beam::ElementKind> limits;
  if (v.kind() != "LimitEllipse") limits.push_back(xsuite_rectangle(v, by));
  if (v.kind() != "LimitRect") limits.push_back(xsuite_ellipse(v, by));
  if (!options.apertures) limits = {beam::Marker{}};
  return limits;
}

/// A rotation about the axis: ANGLE in degrees, or its sine and cosine.
inline beam::ElementKind make_xsuite_rotation(XsuiteValues& v) {
  double angle = v.number("angle") * (std::numbers::pi / 180.);
  if (angle == 0. && v.has("sin_z")) angle = atan2(v.number("sin_z"), v.number("cos_z", 1.));
  v.ignore({"cos_z", "sin_z"});
  return beam::Rotator{angle};
}

/// Momentum of the reference particle after it.
inline beam::ElementKind make_xsuite_reference(XsuiteValues& v, const XsuiteSurroundings& at) {
  const XsuiteParticle& particle = at.particle_of(v);
  const double p0c = v.kind() == "ReferenceEnergyIncrease" ? particle.p0c + v.number("Delta_p0c")
                                                           : v.number("p0c");
  if (!(p0c > 0.)) v.refuse_element("the reference particle would stop");
  return beam::SetMomentum{.momentum = p0c / particle.mass};
}

/// The element, or what stands for a slice of it.
inline std::vector<beam::ElementKind> make_xsuite_element(XsuiteValues& v, const XsuiteSlice& slice,
                                                          const XsuiteSurroundings& at) {
  const std::string& kind = v.kind();
  const auto& options = at.options;
  const double length = slice.weight * v.number("length");
  v.ignore({"order", "inv_factorial_order", "name_associated_aperture", "prototype", "extra",
            "radiation_flag", "edge_entry_model", "edge_exit_model", "delta_taper"});
  if (kind == "Drift" || kind == "DriftExact")
    return {
        make_xsuite_drift(length, kind == "DriftExact" || at.exact_drifts ||
                                      v.choice("model", {"adaptive", "expanded", "exact"}) == 2)};
  if (kind == "Marker") return {beam::Marker{}};
  if (kind == "Bend" || kind == "RBend" || kind == "Magnet")
    return {XsuiteBend(v, options).make(slice)};
  if (kind == "Quadrupole") return {make_xsuite_magnet(v, options, slice, 1)};
  if (kind == "Sextupole") return {make_xsuite_magnet(v, options, slice, 2)};
  if (kind == "Octupole") return {make_xsuite_magnet(v, options, slice, 3)};
  if (kind == "Multipole") return {make_xsuite_multipole(v, slice)};
  if (kind == "UniformSolenoid" || kind == "Solenoid") return {make_xsuite_solenoid(v, slice)};
  if (slice.part == XsuitePart::drift) return {make_xsuite_drift(length)};
  if (slice.part != XsuitePart::whole) v.refuse_element("slices of this kind are not implemented");
  if (kind == "DipoleEdge") return {make_xsuite_edge(v)};
  if (kind == "Cavity") return {make_xsuite_cavity(v, at)};
  if (kind == "CrabCavity") return {make_xsuite_crab_cavity(v, at)};
  if (kind == "SRotation") return {make_xsuite_rotation(v)};
  if (kind == "XYShift") return {beam::Displacement{.dx = -v.number("dx"), .dy = -v.number("dy")}};
  if (kind.starts_with("ReferenceEnergy")) return {make_xsuite_reference(v, at)};
  for (const auto aperture : xsuite_apertures)
    if (kind == aperture) return make_xsuite_aperture(v, options);
  for (const char* const off : {"RFMultipole", "Rotation", "Translation", "XRotation", "YRotation",
                                "ZetaShift", "TimeDelay"}) {
    if (kind != off) continue;
    v.ignore({"frequency", "phase", "phase_n", "phase_s", "pn", "ps", "harmonic", "lag", "length",
              "cos_angle", "tan_angle"});
    v.refuse_others();
    return {make_xsuite_drift(length)};
  }
  v.refuse_element("there is no element that does what it does",
                   "skip what is unknown, if a drift will do");
}

}  // namespace trackplex::io::detail
