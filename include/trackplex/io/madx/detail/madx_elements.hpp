// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/dipole_edge.hpp>
#include <trackplex/beam/elements/displacement.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/plane_rotation.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/elements/rotator.hpp>
#include <trackplex/beam/elements/thin_bend.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/io/detail/magnet_slices.hpp>
#include <trackplex/io/madx/detail/madx_part.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Elements of MAD-X as those of `beam`. MAD-X' multipoles are
/// B_y + i B_x = sum (k_n + i ks_n) (x + i y)^n/n!, so that J_n of `Multipoles` is -ks_n.

namespace trackplex::io::detail {

/// Place of an element with its tilt and errors.
inline beam::Misalignment placement_of(const MadxPart& part, const MadxElementErrors& errors) {
  beam::Misalignment by = errors.alignment;
  by.tilt += part("tilt");
  return by;
}

/// Adds values to strengths, from the dipole on.
inline void add_strengths(std::vector<double>& to, const std::vector<double>& values,
                          double factor = 1.) {
  if (to.size() < values.size()) to.resize(values.size(), 0.);
  for (std::size_t n = 0; n < values.size(); ++n) to[n] += factor * values[n];
}

/// A drift as the options say; a marker without a length.
inline beam::ElementKind make_madx_drift(double length, const MadxOptions& options) {
  if (length == 0.) return beam::Marker{};
  if (options.exact) return beam::ExactDrift{length};
  return beam::ExpandedDrift{length};
}

/// Beam and place that elements depend on.
struct MadxElementPlace {
  std::optional<MadxBeam> beam;
  double line_length = 0.;      ///< of the sequence, m
  double position = 0.;         ///< of the centre, m
  bool is_accelerated = false;  ///< whether the reference momentum is another one than at the start
  double direction = 1.;        ///< BV of the beam: -1 turns the fields of thin elements around
};

/// A straight magnet of strengths per length and integrated ones.
inline beam::ElementKind make_madx_magnet(const MadxPart& part, const MadxElementErrors& errors,
                                          std::vector<double> normal, std::vector<double> skew) {
  const MadxOptions& o = part.options();
  const beam::Misalignment by = placement_of(part, errors);
  const double length = part.length();
  const int slices =
      magnet_slices(o.slices, std::sqrt(std::abs(normal[1]) + std::abs(skew[1])) * length);
  const bool is_simple = errors.normal.empty() && errors.skew.empty() && !part.is_given("knl") &&
                         !part.is_given("ksl") && skew.back() == 0. && length > 0.;
  if (is_simple && normal.size() == 2)
    return beam::CanonicalQuadrupole{length, normal[1], slices, o.integration_order, by};
  if (is_simple && normal.size() == 3)
    return beam::CanonicalSextupole{length, normal[2], slices, o.integration_order, by};
  beam::Multipoles field = beam::Multipoles{std::move(normal), {}}.times(length);
  add_strengths(field.normal, part.list("knl"));
  add_strengths(field.normal, errors.normal);
  add_strengths(field.skew, skew, -length);
  add_strengths(field.skew, part.list("ksl"), -1.);
  add_strengths(field.skew, errors.skew, -1.);
  return beam::CanonicalMultipole{.length = length,
                                  .field = std::move(field),
                                  .slices = slices,
                                  .integration_order = o.integration_order,
                                  .misalignment = by};
}

inline beam::ElementKind make_madx_quadrupole(const MadxPart& v, const MadxElementErrors& errors) {
  v.refuse_unsupported();
  return make_madx_magnet(v, errors, {0., v("k1")}, {0., v("k1s")});
}
inline beam::ElementKind make_madx_sextupole(const MadxPart& v, const MadxElementErrors& errors) {
  v.refuse_unsupported();
  return make_madx_magnet(v, errors, {0., 0., v("k2")}, {0., 0., v("k2s")});
}
inline beam::ElementKind make_madx_octupole(const MadxPart& v, const MadxElementErrors& errors) {
  v.refuse_unsupported();
  return make_madx_magnet(v, errors, {0., 0., 0., v("k3")}, {0., 0., 0., v("k3s")});
}

/// Bends are exact inside. The field is that of K0 if it is not 0, else that of the axis.
inline beam::ElementKind make_madx_bend(const MadxPart& v, const MadxElementErrors& errors) {
  v.refuse_unsupported();
  if (!errors.skew.empty()) v.refuse_element("skew errors of the field are not implemented");
  const MadxOptions& o = v.options();
  const double length = v.length(), angle = v("angle"), k0 = v("k0");
  const double half = v.type() == "rbend" ? 0.5 * angle : 0.;
  std::vector<double> strengths = {k0, v("k1"), v("k2"), v("k3")};
  if (length > 0.) {
    add_strengths(strengths, v.list("knl"), 1. / length);
    add_strengths(strengths, errors.normal, 1. / length);
  }
  if (length == 0. && (angle != 0. || k0 != 0.)) v.refuse("l", "a bend has a length");
  const double axis = length > 0. ? angle / length : 0.;
  if (k0 == 0.) strengths[0] += axis;
  beam::CanonicalBend bend{.length = length, .angle = angle};
  if (strengths[0] != axis || angle == 0.) bend.k0 = strengths[0];
  bend.strengths.assign(strengths.begin() + 1, strengths.end());
  bend.entrance = v("e1") + half;
  bend.exit = v("e2") + half;
  bend.entrance_curve = v("h1");
  bend.exit_curve = v("h2");
  bend.half_gap = v("hgap");
  bend.fringe = v("fint");
  if (v.is_given("fintx") && v("fintx") >= 0.) bend.exit_fringe = v("fintx");
  bend.entrance_effects = bend.exit_effects =
      o.exact ? beam::EdgeEffects::exact : beam::EdgeEffects::linear;
  if (v("kill_ent_fringe") != 0.) bend.entrance_effects = beam::EdgeEffects::none;
  if (v("kill_exi_fringe") != 0.) bend.exit_effects = beam::EdgeEffects::none;
  bend.is_rigid = true;
  bend.crossing = 0.5 * (strengths[0] - axis) * length;
  bend.slices = magnet_slices(
      o.slices, std::abs(angle) + std::sqrt(std::abs(bend.strengths.front())) * length);
  bend.integration_order = o.integration_order;
  bend.is_corrected = !bend.k0;
  bend.misalignment = errors.alignment;
  bend.misalignment.tilt = v("tilt");
  bend.error_tilt = errors.alignment.tilt;
  return bend;
}

/// Field in a system that is turned around the axis: k_n + i ks_n times e^(i (n + 1) t).
inline beam::Multipoles turned(const beam::Multipoles& field, double tilt) {
  beam::Multipoles result = field;
  result.normal.resize(std::size_t(field.order() + 1), 0.);
  result.skew.resize(std::size_t(field.order() + 1), 0.);
  for (int n = 0; n <= field.order(); ++n) {
    const double c = cos((n + 1) * tilt), s = sin((n + 1) * tilt);
    const double k = beam::Multipoles::of(field.normal, n), j = beam::Multipoles::of(field.skew, n);
    result.normal[std::size_t(n)] = c * k + s * j;
    result.skew[std::size_t(n)] = c * j - s * k;
  }
  return result;
}

/// Field of a magnet without a length, in the plane of its bend, that is rotated by an error of the
/// tilt, from x towards y. The horizontal axis bends as if it were not, so that a particle on it
/// leaves along that of the rotated magnet; as in MAD-X, that of a skew dipole follows the magnet.
inline beam::Multipoles rotated(const beam::Multipoles& field, double angle, double direction,
                                double by) {
  beam::Multipoles result = turned(field, -by);
  const double horizontal = angle * cos(direction);
  const double sa = sin(horizontal), ca = cos(horizontal), c = cos(by), s = sin(by);
  const double forward = ca * ca + sa * sa * c;
  const double slope_x = sa * ca * (1. - c) / forward, slope_y = -sa * s / forward;
  result.normal[0] += angle * (1. - c) - cos(direction) * slope_x - sin(direction) * slope_y;
  result.skew[0] += sin(direction) * slope_x - cos(direction) * slope_y - angle * s;
  return result;
}

/// The dipole, which may be skew, bends the axis; errors of it do not.
inline beam::ElementKind make_madx_multipole(const MadxPart& v, const MadxElementErrors& errors,
                                             const MadxElementPlace& place) {
  v.refuse_unsupported();
  beam::Multipoles field;
  add_strengths(field.normal, v.list("knl"), place.direction);
  add_strengths(field.skew, v.list("ksl"), -place.direction);
  const double dipole = beam::Multipoles::of(field.normal, 0);
  const double skew = beam::Multipoles::of(field.skew, 0);
  double angle = v.is_given("angle") ? place.direction * v("angle") : dipole;
  if (angle == 0.) angle = dipole;
  double direction = 0.;
  if (skew != 0.) {
    if (angle != dipole)
      v.refuse("angle", "with a skew dipole it must be that of KNL", "leave it out");
    direction = atan2(skew, dipole);
    angle = hypot(dipole, skew);
  }
  add_strengths(field.normal, errors.normal, place.direction);
  add_strengths(field.skew, errors.skew, -place.direction);
  beam::Misalignment by = placement_of(v, errors);
  if (angle == 0.)
    return beam::CanonicalMultipole{
        .field = field, .slices = 1, .integration_order = 2, .misalignment = by};
  if (direction != 0.) field = turned(field, direction);
  if (const double error = errors.alignment.tilt; error != 0.)
    field = rotated(field, angle, direction, error);
  by.tilt = v("tilt") + direction;
  return beam::ThinBend{angle, field, v("lrad"), by};
}

/// A kick in the centre. KICK is that of a single plane, and goes before HKICK and VKICK. Errors of
/// the dipole add to the kicks, others have no effect (MAD-X' TWISS; TRACK of 5.09.03 forgets those
/// of the dipole, too).
inline beam::ElementKind make_madx_kicker(const MadxPart& v, const MadxElementErrors& errors,
                                          const MadxElementPlace& place) {
  const std::string type = v.type();
  v.refuse_unsupported();
  const auto kick = [&](std::string_view plane, const char* of) {
    return type == plane && v("kick") != 0. ? v("kick") : v(of);
  };
  const double horizontal = place.direction * (kick("hkicker", "hkick") + v("chkick") +
                                               beam::Multipoles::of(errors.normal, 0));
  const double vertical = place.direction * (kick("vkicker", "vkick") + v("cvkick") +
                                             beam::Multipoles::of(errors.skew, 0));
  const double length = v.length();
  if (horizontal == 0. && vertical == 0.) return make_madx_drift(length, v.options());
  return beam::CanonicalMultipole{.length = length,
                                  .field = {{-horizontal}, {-vertical}},
                                  .slices = 1,
                                  .integration_order = 2,
                                  .misalignment = placement_of(v, errors)};
}

inline beam::ElementKind make_madx_solenoid(const MadxPart& v, const MadxElementErrors& errors,
                                            const MadxElementPlace& place) {
  const double length = v.length();
  double ks = v("ks");
  if (length == 0. && v("ksi") != 0.)
    v.refuse("ksi", "solenoids without a length are not implemented",
             "SELECT, FLAG=MAKETHIN, CLASS=solenoid, SLICE=0 leaves them thick");
  if (length != 0. && ks == 0.) ks = v("ksi") / length;
  v.refuse_unsupported();
  return beam::ExactSolenoid{length, place.direction * ks, placement_of(v, errors)};
}

/// Frequency of a cavity: that of HARMON, else that of FREQ, or of the nearest harmonic of the
/// revolution frequency if they agree to 1e-3 (MAD-X' times are relative to the reference
/// particle's in each turn, those of cavities here count from the first turn on).
inline double madx_frequency(const MadxPart& v, const MadxElementPlace& place) {
  const double revolution =
      place.beam->beta() * constants::speed_of_light / std::max(1e-300, place.line_length);
  if (v("harmon") > 0.) return v("harmon") * revolution;
  const double given = 1e6 * v("freq");
  if (given == 0.) v.refuse("freq", "a cavity has a frequency", "give FREQ or HARMON");
  const double nearest = std::round(given / revolution) * revolution;
  return std::abs(nearest - given) <= 1e-3 * given ? nearest : given;
}

/// As in MAD-X, VOLT is the change of the energy over that of a particle of one elementary charge.
inline beam::ElementKind make_madx_cavity(const MadxPart& v, const MadxElementErrors& errors,
                                          const MadxElementPlace& place) {
  const double length = v.length();
  if (v("volt") == 0.) return make_madx_drift(length, v.options());
  if (!place.beam)
    v.refuse_element("what a voltage does depends on the particles",
                     "give the beam: beam, particle=proton, pc=...;");
  v.refuse_unsupported();
  beam::RfCavity cavity{.length = length};
  cavity.voltage = 1e6 * place.direction * v("volt");
  cavity.phase = 2. * std::numbers::pi * v("lag");
  cavity.frequency = madx_frequency(v, place);
  cavity.change_momentum = v.type() == "lcavity";
  cavity.kicks = 1;
  cavity.dx = errors.alignment.dx;
  cavity.dy = errors.alignment.dy;
  cavity.rest_energy = 1e9 * place.beam->mass;
  if (!cavity.change_momentum && !place.is_accelerated)
    cavity.reference_time = place.position / (place.beam->beta() * constants::speed_of_light);
  return cavity;
}

/// Numbers of MATRIX in MAD-X' coordinates (x, p_x/p_0, y, p_y/p_0, -c dt, dE/(p_0 c)).
inline beam::TransferMap madx_matrix(const MadxPart& v) {
  beam::TransferMap map = beam::TransferMap::identity(2);
  for (int i = 1; i <= 6; ++i) {
    const std::string row = std::to_string(i);
    map.C(i) = v("kick" + row);
    for (int j = 1; j <= 6; ++j) {
      const std::string column = row + std::to_string(j);
      map.R(i, j) = v("rm" + column, i == j ? 1. : 0.);
    }
  }
  return map;
}

/// MATRIX in Trackplex' coordinates, to second order: q = (1 + delta) x', dE/(p_0 c) = beta delta,
/// and the delay of a path L is (s - L delta/gamma^2)/beta, where L drops out as long as energies
/// stay.
inline beam::ElementKind make_madx_matrix(const MadxPart& v, const MadxElementPlace& place) {
  if (!place.beam)
    v.refuse_element("a matrix depends on the particles",
                     "give the beam: beam, particle=proton, pc=...;");
  v.refuse_unsupported();
  const beam::TransferMap map = madx_matrix(v), none = beam::TransferMap::identity(2);
  if (map.component[5] != none.component[5] || map.R(5, 5) != 1.)
    v.refuse_element("matrices that change energies, or stretch times, are not implemented");
  const double beta = place.beam->beta(), gamma = place.beam->gamma(), length = v.length();
  beam::TransferMap to = none, from = none;
  for (const int q : {2, 4}) {
    to.T(q, 6, q) = 1.;
    from.T(q, 6, q) = -1. / beta;
  }
  to.R(5, 5) = -1. / beta;
  to.R(6, 6) = beta;
  from.R(5, 5) = -beta;
  from.R(5, 6) = length / (gamma * gamma * beta);
  from.R(6, 6) = 1. / beta;
  return beam::MapElement{length, concatenated(concatenated(to, map), from)};
}

/// The element without its apertures.
inline beam::ElementKind make_madx_element(const MadxPart& v, const MadxElementErrors& errors,
                                           const MadxElementPlace& place) {
  const std::string type = v.type();
  if (type == "quadrupole") return make_madx_quadrupole(v, errors);
  if (type == "sextupole") return make_madx_sextupole(v, errors);
  if (type == "octupole") return make_madx_octupole(v, errors);
  if (type == "sbend" || type == "rbend") return make_madx_bend(v, errors);
  if (type == "multipole") return make_madx_multipole(v, errors, place);
  if (type == "solenoid") return make_madx_solenoid(v, errors, place);
  if (type == "rfcavity" || type == "lcavity") return make_madx_cavity(v, errors, place);
  if (type.ends_with("kicker")) return make_madx_kicker(v, errors, place);
  if (type == "dipedge")
    return beam::DipoleEdge{place.direction * v("h"), v("e1"), v("hgap"), v("fint"),
                            placement_of(v, errors)};
  if (type == "matrix") return make_madx_matrix(v, place);
  if (type == "srotation") return beam::Rotator{v("angle")};
  if (type == "yrotation" || type == "xrotation")
    return beam::PlaneRotation{(type == "xrotation" ? -1. : 1.) * place.direction * v("angle"),
                               type == "xrotation"};
  if (type == "translation") {
    v.refuse_unsupported();
    return beam::Displacement{.dx = -v("dx"), .dy = -v("dy"), .dz = v("ds")};
  }
  const MadxRole role = madx_type(type)->role;
  if (role == MadxRole::refused) v.refuse_element("there is no element that does what it does");
  v.refuse_unsupported();
  return make_madx_drift(v.length(), v.options());
}

}  // namespace trackplex::io::detail
