// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Steps of the kernels that track particles, with their coefficients in one array, and what
/// appends those of an element.

#include <trackplex/beam/element_maps.hpp>
#include <trackplex/beam/map_pattern.hpp>
#include <trackplex/beam/thick_multipole.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace trackplex::beam {

/// Kind of a step: its effect on a particle. Maps come first, by their patterns, from few
/// coefficients to many; the others are listed with their coefficients.
enum class StepKind : std::int32_t {
  drift,             ///< Map of `patterns::Drift`.
  quadrupole,        ///< Map of `patterns::Quadrupole`.
  midplane,          ///< Map of `patterns::Midplane`.
  dense,             ///< Map of `patterns::Dense`.
  quadrupole3,       ///< Map of `patterns::Quadrupole3`.
  midplane3,         ///< Map of `patterns::Midplane3`.
  dense3,            ///< Map of `patterns::Dense3`.
  exact_drift,       ///< Straight lines: length, m.
  thick_quadrupole,  ///< Integrated magnet: see `slice_coefficients`.
  thick_sextupole,   ///< Integrated magnet: see `slice_coefficients`.
  shift,             ///< Translation: terms added to x, xp, y, yp.
  rotation,          ///< Rotation around the axis: cosine and sine of the angle.
  rectangle,         ///< Aperture: x and y of the centre; half widths, 0: no limit; all m.
  ellipse,           ///< Aperture: the same coefficients, half widths are semi-axes.
  limit,             ///< Limits: max |x| and |y|, m; max |xp| and |yp|.
};

/// Step of one kernel. Its coefficients begin at `first` of the array that all steps share.
struct TrackingStep {
  StepKind kind;           ///< Kind.
  std::int32_t element;    ///< Number of the element along the line, for losses.
  std::int32_t first;      ///< Index of the first coefficient.
  std::int32_t kicks = 0,  ///< Kicks of a slice of a thick magnet.
      slices = 0;          ///< Slices of a thick magnet.
};

/// Elements [first_element, end_element) with steps [first_step, end_step) of one kernel; or one
/// element that acts on the bunch as a whole; or no element, with the limits behind such a one.
struct Segment {
  int first_element = 0,  ///< First element.
      end_element = 0;    ///< Element behind the last one.
  int first_step = 0,     ///< First step.
      end_step = 0;       ///< Step behind the last one.
  unsigned changes = 0;   ///< Bit i: coordinate i may change.
  bool can_lose = false;  ///< Whether there are apertures or thick magnets.
  bool needs_general_kernel =
      false;                   ///< Whether there are steps other than those of short kernels.
  bool is_collective = false;  ///< Whether it is an element that acts on the whole bunch.
};

/// Beam line as steps and segments, on the host.
struct TrackingSteps {
  std::vector<TrackingStep> steps;   ///< Steps of all segments, in order.
  std::vector<double> coefficients;  ///< Coefficients of all steps.
  std::vector<Segment> segments;     ///< Segments, in order.
};

namespace detail {

inline bool covers(const MapPattern& pattern, const TransferMap& map) {
  for (int i = 0; i < n_coordinates; ++i) {
    const Polynomial& p = map.component[i];
    if (p.c != 0. && !pattern.constant[i]) return false;
    for (int j = 0; j < n_coordinates; ++j)
      if (p.r[j] != (i == j ? 1. : 0.) && !pattern.linear[i][j]) return false;
    for (int k = 0; k < n_pairs; ++k)
      if (p.t[k] != 0. && !pattern.quadratic[i][k]) return false;
    for (int k = 0; k < n_triples; ++k)
      if (p.q[k] != 0. && !pattern.cubic[i][k]) return false;
  }
  return true;
}

/// Calls `f(kind, Pattern{})` for each kind of map, from few coefficients to many, until it returns
/// true. Tells whether it did.
template <class F>
bool find_map_kind(const F& f) {
  return f(StepKind::drift, patterns::Drift{}) || f(StepKind::quadrupole, patterns::Quadrupole{}) ||
         f(StepKind::midplane, patterns::Midplane{}) || f(StepKind::dense, patterns::Dense{}) ||
         f(StepKind::quadrupole3, patterns::Quadrupole3{}) ||
         f(StepKind::midplane3, patterns::Midplane3{}) || f(StepKind::dense3, patterns::Dense3{});
}

}  // namespace detail

/// Appends the steps of an element to a segment: elements tell it how they act on a particle, in
/// the order in which they do.
class StepBuilder {
 public:
  /// Appends to the last segment of `to`, for the element of this number along the line.
  StepBuilder(TrackingSteps& to, int element)
      : to_(to), segment_(to.segments.back()), element_(element) {}

  /// Adds a Taylor map, in the form with the fewest coefficients that has it.
  void map(const TransferMap& map) {
    detail::find_map_kind([&]<class Pattern>(StepKind kind, Pattern) {
      if (!detail::covers(Pattern::value, map)) return false;
      unsigned changes = 0;
      for (int i = 0; i < n_coordinates; ++i)
        if (Pattern::value.changes(i)) changes |= 1u << i;
      add(kind, coefficients_of(map, Pattern::value), changes);
      if (kind >= StepKind::dense) segment_.needs_general_kernel = true;
      return true;
    });
  }

  /// Adds straight lines of a length, m.
  void exact_drift(double length) {
    add(StepKind::exact_drift, {length}, 1u << x | 1u << y | 1u << s);
  }

  /// Adds a translation of x and y, m, and of their slopes.
  void shift(double dx, double dxp, double dy, double dyp) {
    add(StepKind::shift, {dx, dxp, dy, dyp}, (1u << s) - 1);
  }

  /// Adds a rotation around the axis, rad, from x towards y.
  void rotate(double angle) {
    add(StepKind::rotation, {std::cos(angle), std::sin(angle)}, (1u << s) - 1);
  }

  /// Adds the steps of `body()` in the system of a misaligned element.
  template <class Body>
  void placed(const Misalignment& by, const Body& body) {
    const bool shifted = by.dx != 0. || by.dy != 0.;
    if (shifted) shift(-by.dx, 0., -by.dy, 0.);
    if (by.tilt != 0.) rotate(by.tilt);
    body();
    if (by.tilt != 0.) rotate(-by.tilt);
    if (shifted) shift(by.dx, 0., by.dy, 0.);
  }

  /// Adds an integrated magnet: `thick_quadrupole` or `thick_sextupole`, of a length, m, and a
  /// strength, 1/m^2 or 1/m^3, in slices of an order of 2, 4 or 6.
  /// @throws UsageError if the slices or the order are out of range
  void magnet(StepKind kind, double length, double strength, int slices, int integration_order) {
    const auto coefficients = slice_coefficients(length, strength, slices, integration_order);
    losing(kind, coefficients);
    segment_.changes |= (1u << delta) - 1;
    segment_.needs_general_kernel = true;
    to_.steps.back().kicks = int(coefficients.size()) / 2;
    to_.steps.back().slices = slices;
  }

  /// Adds an aperture, `rectangle` or `ellipse`, with its centre and half widths, m; 0: no limit.
  void aperture(StepKind kind, double centre_x, double centre_y, double x_max, double y_max) {
    losing(kind, {centre_x, centre_y, x_max, y_max});
  }

  /// Adds limits of |x| and |y|, m, and of |xp| and |yp|, outside of which particles are lost; 0:
  /// no limit.
  void limit(double position, double slope) { losing(StepKind::limit, {position, slope}); }

 private:
  void add(StepKind kind, const std::vector<double>& coefficients, unsigned changes) {
    to_.steps.push_back({kind, element_, int(to_.coefficients.size())});
    to_.coefficients.insert(to_.coefficients.end(), coefficients.begin(), coefficients.end());
    segment_.changes |= changes;
  }
  void losing(StepKind kind, const std::vector<double>& coefficients) {
    add(kind, coefficients, 0);
    segment_.can_lose = true;
  }

  TrackingSteps& to_;
  Segment& segment_;
  int element_;
};

}  // namespace trackplex::beam
