// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/chromatic_quadrupole.hpp>
#include <trackplex/beam/elements/dipole_edge.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/thin_bend.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/io/detail/magnet_slices.hpp>
#include <trackplex/io/xsuite/detail/xsuite_values.hpp>
#include <trackplex/io/xsuite/xsuite_line.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Magnets of Xsuite as elements of `beam`. Its multipoles are
/// B_y + i B_x = sum (k_n + i ks_n) (x + i y)^n/n!, so that J_n of `Multipoles` is -ks_n.

namespace trackplex::io::detail {

/// Parts of an element: all, or one of the slices into which Xsuite cuts elements.
enum class XsuitePart {
  whole,  ///< with the edges of a bend
  body,   ///< thick, without edges
  drift,  ///< a drift of its length
  kick,   ///< its field at one place
  entry,  ///< the edge of the entrance alone
  exit    ///< the edge of the exit alone
};

/// A part of an element, and its share of the length.
struct XsuiteSlice {
  XsuitePart part = XsuitePart::whole;
  double weight = 1.;
};

/// A drift to second order in the momenta, or an exact one; a marker without a length.
inline beam::ElementKind make_xsuite_drift(double length, bool is_exact = false) {
  if (length == 0.) return beam::Marker{};
  if (is_exact) return beam::ExactDrift{length};
  return beam::ExpandedDrift{length};
}

/// Displacement and tilt. Old files have the sine and cosine of the tilt, or -999 for none.
inline beam::Misalignment xsuite_placement(XsuiteValues& v) {
  v.refuse_unless_zero({"rot_x_rad", "rot_y_rad", "rot_s_rad_no_frame", "rot_shift_anchor"});
  beam::Misalignment by{.dx = v.number("shift_x"), .dy = v.number("shift_y")};
  by.tilt = v.number("rot_s_rad");
  by.dz = v.number("shift_s");
  const double sine = v.number("sin_rot_s"), cosine = v.number("cos_rot_s", 1.);
  if (by.tilt == 0. && std::abs(sine) <= 1. && sine != 0.) by.tilt = atan2(sine, cosine);
  v.ignore({"sin_rot_x", "cos_rot_x", "sin_rot_y", "cos_rot_y"});
  return by;
}

/// Whether the model of a magnet is one whose Hamiltonian is expanded in the momenta.
inline bool has_expanded_model(XsuiteValues& v, bool by_default) {
  switch (v.choice("model", {"adaptive", "full", "bend-kick-bend", "rot-kick-rot", "mat-kick-mat",
                             "drift-kick-drift-exact", "drift-kick-drift-expanded",
                             "rot-kick-rot-low-order", "rot-kick-rot-high-order", "expanded"})) {
    case 0:
      return by_default;
    case 4:
    case 6:
    case 9:
      return true;
    default:
      return false;
  }
}

/// Integrated strengths of the lists, those relative to the main strength included.
inline void add_xsuite_kicks(XsuiteValues& v, double main, beam::Multipoles& field) {
  const auto add = [](std::vector<double>& to, const std::vector<double>& values, double factor) {
    if (to.size() < values.size()) to.resize(values.size(), 0.);
    for (std::size_t n = 0; n < values.size(); ++n) to[n] += factor * values[n];
  };
  add(field.normal, v.list("knl"), 1.);
  add(field.skew, v.list("ksl"), -1.);
  add(field.normal, v.list("knl_rel"), main);
  add(field.skew, v.list("ksl_rel"), -main);
}

/// Length and angle of the axis. The length that RBend writes is for information.
struct XsuiteAxis {
  double length = 0., angle = 0.;

  explicit XsuiteAxis(XsuiteValues& v) {
    if (v.kind() != "RBend") {
      length = v.number("length");
      angle = v.has("angle") ? v.number("angle") : v.number("h") * length;
      v.ignore({"h"});
      return;
    }
    if (v.has("length") && !v.has("length_straight"))
      v.refuse("length", "an RBend has the length of its chord, too", "give length_straight");
    length = v.number("length_straight");
    angle = v.number("angle");
    v.ignore({"length", "h"});
    if (angle != 0.) length *= 0.5 * angle / sin(0.5 * angle);
  }
  double curvature() const { return length > 0. ? angle / length : 0.; }
};

/// Bends: by default along their axis, exact inside, with linear edges.
class XsuiteBend {
 public:
  XsuiteBend(XsuiteValues& v, const XsuiteOptions& options)
      : v_(v), options_(options), axis_(v), field_(integrated_field()) {
    v.refuse_unless_zero({"rbend_angle_diff", "rbend_shift"});
    v.ignore({"num_multipole_kicks", "integrator"});
    if (v.kind() == "RBend") v.choice("rbend_model", {"adaptive", "curved-body"});
  }

  beam::ElementKind make(const XsuiteSlice& slice) {
    const Edge entrance = edge_of("edge_entry_"), exit = edge_of("edge_exit_");
    if (slice.part == XsuitePart::entry) return edge(entrance);
    if (slice.part == XsuitePart::exit) return edge(exit);
    if (slice.part == XsuitePart::drift) return make_xsuite_drift(slice.weight * axis_.length);
    if (slice.part == XsuitePart::kick) return kick(slice.weight);
    return thick(slice, entrance, exit);
  }

 private:
  /// Field of the whole magnet, integrated over the length, with the dipole.
  beam::Multipoles integrated_field() {
    v_.refuse_unless_zero({"k0s", "k1s", "k2s", "k3s", "ksl", "ksl_rel"});
    std::optional<double> k0 = v_.number_if_any("k0");
    if (v_.has("k0_from_h")) {
      if (v_.flag("k0_from_h"))
        k0.reset();
      else if (!k0)
        k0 = 0.;
    }
    const double length = axis_.length;
    beam::Multipoles field{{k0 ? *k0 * length : axis_.angle, v_.number("k1") * length,
                            v_.number("k2") * length, v_.number("k3") * length},
                           {}};
    const double main = field.normal[0];
    add_xsuite_kicks(v_, main, field);
    field.skew.clear();
    if (length == 0.)
      for (const double strength : field.normal)
        if (strength != 0.) v_.refuse("length", "a bend with a field has a length");
    return field;
  }

  /// Angle, integral of the fringe field times the gap, and effects of an edge.
  struct Edge {
    double angle, fringe, half_gap, crossing;
    beam::EdgeEffects effects;
  };
  Edge edge_of(const std::string& which) {
    Edge edge{v_.number(which + "angle"), v_.number(which + "fint"), v_.number(which + "hgap"),
              v_.number(which + "angle_fdown"), effects_of(which)};
    if (v_.kind() == "RBend") edge.angle += 0.5 * axis_.angle;
    return edge;
  }
  beam::EdgeEffects effects_of(const std::string& which) {
    const bool is_active = v_.flag(which + "active", true);
    const std::string key = which + "model";
    const std::size_t model =
        v_.has(key) ? v_.choice(key, {"suppressed", "linear", "full", "dipole-only"}, -1) : 1;
    if (!is_active || model == 0) return beam::EdgeEffects::none;
    if (model == 1) return beam::EdgeEffects::linear;
    if (model == 2)
      for (std::size_t n = 1; n < field_.normal.size(); ++n)
        if (field_.normal[n] != 0.)
          v_.refuse(key, "fringe fields of quadrupoles and higher are not implemented",
                    "\"dipole-only\" leaves them out");
    return beam::EdgeEffects::exact;
  }

  double k0() const { return axis_.length > 0. ? field_.normal[0] / axis_.length : 0.; }

  beam::ElementKind thick(const XsuiteSlice& slice, const Edge& entrance, const Edge& exit) {
    const double length = slice.weight * axis_.length;
    const bool is_whole = slice.part == XsuitePart::whole;
    beam::CanonicalBend bend{.length = length, .angle = slice.weight * axis_.angle};
    bend.misalignment = xsuite_placement(v_);
    bend.expanded = has_expanded_model(v_, false);
    if (length == 0.) return beam::Marker{};
    if (k0() != axis_.curvature() || axis_.angle == 0.) bend.k0 = k0();
    for (std::size_t n = 1; n < field_.normal.size(); ++n)
      bend.strengths.push_back(field_.normal[n] / axis_.length);
    if (is_whole) set_edges(bend, entrance, exit);
    if (!is_whole) bend.entrance_effects = bend.exit_effects = beam::EdgeEffects::none;
    bend.is_rigid = true;
    bend.slices =
        magnet_slices(options_.slices,
                      std::abs(bend.angle) + std::sqrt(std::abs(bend.strengths.front())) * length);
    bend.integration_order = options_.integration_order;
    bend.is_corrected = !bend.k0;
    return bend;
  }
  void set_edges(beam::CanonicalBend& bend, const Edge& entrance, const Edge& exit) {
    bend.entrance = entrance.angle;
    bend.exit = exit.angle;
    bend.entrance_effects = entrance.effects;
    bend.exit_effects = exit.effects;
    bend.half_gap = std::max(entrance.half_gap, exit.half_gap);
    const double per_gap = bend.half_gap > 0. ? 1. / bend.half_gap : 0.;
    bend.fringe = entrance.fringe * entrance.half_gap * per_gap;
    bend.exit_fringe = exit.fringe * exit.half_gap * per_gap;
    if (entrance.crossing != exit.crossing)
      v_.refuse("edge_exit_angle_fdown",
                "it is not that of the entrance, which is not implemented");
    bend.crossing = entrance.crossing;
  }

  beam::ElementKind edge(const Edge& edge) {
    if (edge.effects == beam::EdgeEffects::none || k0() == 0.) return beam::Marker{};
    if (edge.effects != beam::EdgeEffects::linear || edge.crossing != 0.)
      v_.refuse_element("of edges by themselves, linear ones are implemented");
    return beam::DipoleEdge{k0(), edge.angle, edge.half_gap, edge.fringe, xsuite_placement(v_)};
  }

  beam::ElementKind kick(double weight) {
    const beam::Multipoles field = field_.times(weight);
    const beam::Misalignment by = xsuite_placement(v_);
    if (axis_.angle == 0.)
      return beam::CanonicalMultipole{
          .field = field, .slices = 1, .integration_order = 2, .misalignment = by};
    return beam::ThinBend{weight * axis_.angle, field, weight * axis_.length, by, true};
  }

  XsuiteValues& v_;
  const XsuiteOptions& options_;
  XsuiteAxis axis_;
  beam::Multipoles field_;
};

/// A straight magnet whose main strength is k<order>, per length.
inline beam::ElementKind make_xsuite_magnet(XsuiteValues& v, const XsuiteOptions& options,
                                            const XsuiteSlice& slice, int order) {
  for (const char* const edge : {"edge_entry_active", "edge_exit_active"})
    if (v.flag(edge)) v.refuse(edge, "edges of " + v.kind() + " are not implemented");
  v.ignore({"edge_entry_model", "edge_exit_model"});
  if (slice.part == XsuitePart::entry || slice.part == XsuitePart::exit) return beam::Marker{};
  const double whole = v.number("length"), length = slice.weight * whole;
  if (slice.part == XsuitePart::drift) return make_xsuite_drift(length);
  const std::string main = "k" + std::to_string(order), skew = main + "s";
  const double k = v.number(main), ks = v.number(skew);
  beam::Multipoles field;
  field.normal.resize(std::size_t(order) + 1, 0.);
  field.skew.resize(std::size_t(order) + 1, 0.);
  field.normal.back() = k * whole;
  field.skew.back() = -ks * whole;
  add_xsuite_kicks(v, k * whole, field);
  const bool is_simple = std::ranges::count_if(field.normal, [](double x) { return x != 0.; }) ==
                             (k != 0. && whole != 0. ? 1 : 0) &&
                         std::ranges::all_of(field.skew, [](double x) { return x == 0.; });
  const bool is_expanded = has_expanded_model(v, true);
  const bool is_adaptive =
      v.choice("integrator", {"adaptive", "teapot", "yoshida4", "uniform"}) != 2;
  const int kicks = int(v.number("num_multipole_kicks"));
  const beam::Misalignment by = xsuite_placement(v);
  if (slice.part == XsuitePart::kick || length == 0.)
    return beam::CanonicalMultipole{.field = field.times(slice.weight),
                                    .slices = 1,
                                    .integration_order = 2,
                                    .misalignment = by};
  if (order == 1 && is_simple && is_expanded && kicks == 0)
    return beam::ChromaticQuadrupole{length, k, by};
  beam::CanonicalMultipole magnet{.length = length,
                                  .field = field.times(slice.weight),
                                  .slices = std::max(kicks, 1),
                                  .integration_order = 2,
                                  .misalignment = by,
                                  .expanded = is_expanded};
  if (order == 1 || !is_adaptive) {
    magnet.slices = magnet_slices(options.slices, std::sqrt(std::abs(k) + std::abs(ks)) * length);
    magnet.integration_order = options.integration_order;
  }
  if (is_simple && !is_expanded && order == 1)
    return beam::CanonicalQuadrupole{length, k, magnet.slices, magnet.integration_order, by};
  if (is_simple && !is_expanded && order == 2)
    return beam::CanonicalSextupole{length, k, magnet.slices, magnet.integration_order, by};
  return magnet;
}

/// Strengths at one place or, if it is thick, over a length. HXL bends the axis.
inline beam::ElementKind make_xsuite_multipole(XsuiteValues& v, const XsuiteSlice& slice) {
  v.refuse_unless_zero({"hyl"});
  v.ignore({"main_order", "main_is_skew", "model", "integrator", "num_multipole_kicks"});
  beam::Multipoles field;
  const std::vector<double> knl = v.list("knl");
  const std::size_t main = std::size_t(v.number("main_order"));
  add_xsuite_kicks(v, main < knl.size() ? knl[main] : 0., field);
  if (v.flag("main_is_skew")) v.refuse_unless_zero({"knl_rel", "ksl_rel"});
  const double length = v.number("length"), angle = slice.weight * v.number("hxl");
  const bool is_thick = v.flag("isthick");
  if (is_thick && slice.part == XsuitePart::drift) return make_xsuite_drift(slice.weight * length);
  if (slice.part == XsuitePart::entry || slice.part == XsuitePart::exit) return beam::Marker{};
  field = field.times(slice.weight);
  const beam::Misalignment by = xsuite_placement(v);
  if (angle != 0.) {
    if (is_thick) v.refuse("hxl", "thick multipoles that bend the axis are not implemented");
    return beam::ThinBend{angle, field, slice.weight * length, by, true};
  }
  const bool has_length = is_thick && slice.part != XsuitePart::kick;
  return beam::CanonicalMultipole{.length = has_length ? slice.weight * length : 0.,
                                  .field = field,
                                  .slices = 1,
                                  .integration_order = 2,
                                  .misalignment = by,
                                  .expanded = has_length};
}

inline beam::ElementKind make_xsuite_edge(XsuiteValues& v) {
  v.choice("model", {"linear"});
  v.refuse_unless_zero({"e1_fd"});
  v.ignore({"r21", "r43", "side"});
  return beam::DipoleEdge{v.number("k"), v.number("e1"), v.number("hgap"), v.number("fint"),
                          xsuite_placement(v)};
}

inline beam::ElementKind make_xsuite_solenoid(XsuiteValues& v, const XsuiteSlice& slice) {
  if (slice.part == XsuitePart::entry || slice.part == XsuitePart::exit) return beam::Marker{};
  v.ignore({"num_multipole_kicks", "integrator", "mult_rot_x_rad", "mult_rot_y_rad", "mult_shift_x",
            "mult_shift_y", "mult_shift_s", "edge_entry_active", "edge_exit_active"});
  beam::Misalignment by = xsuite_placement(v);
  by.dx += v.number("x0");
  by.dy += v.number("y0");
  const double length = slice.weight * v.number("length"), ks = v.number("ks");
  if (ks == 0. || slice.part == XsuitePart::drift) return make_xsuite_drift(length);
  if (length == 0.) v.refuse("length", "a solenoid with a field has a length");
  return beam::ExactSolenoid{length, ks, by};
}

}  // namespace trackplex::io::detail
