// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Beam line in the form of its kernels: steps with their coefficients in one array, and segments
/// of elements that run in one kernel.

#include <trackplex/beam/check_element.hpp>
#include <trackplex/beam/map_pattern.hpp>
#include <trackplex/beam/thick_multipole.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>
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
  double length = 0.;     ///< Not in use: 0.
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

/// Appends the steps of elements to a segment.
class StepBuilder {
 public:
  StepBuilder(TrackingSteps& to, Segment& segment, int element)
      : to_(to), segment_(segment), element_(element) {}

  void operator()(const Drift& e) { map(drift_map(e.length, e.order)); }
  void operator()(const ExactDrift& e) { exact_drift(e.length); }
  void operator()(const Quadrupole& e) {
    placed(e.misalignment, [&] { map(quadrupole_map(e.length, e.k1, e.order)); });
  }
  void operator()(const ThickQuadrupole& e) {
    placed(e.misalignment, [&] { magnet(StepKind::thick_quadrupole, e, e.k1); });
  }
  void operator()(const Sextupole& e) {
    placed(e.misalignment, [&] { map(sextupole_map(e.length, e.k2, e.order)); });
  }
  void operator()(const ThickSextupole& e) {
    placed(e.misalignment, [&] { magnet(StepKind::thick_sextupole, e, e.k2); });
  }
  void operator()(const Bend& e) {
    const TransferMap magnet = sector_bend_map(e.magnet, e.order);
    const auto& by = e.misalignment;
    if (by.dx != 0. || by.dy != 0.) return map(misaligned_bend(magnet, by, e.magnet.angle));
    placed(by, [&] { map(magnet); });
  }
  void operator()(const Kicker& e) {
    const double c = std::cos(e.tilt), s = std::sin(e.tilt);
    if (e.length != 0.) map(drift_map(0.5 * e.length, 2));
    shift(0., c * e.horizontal - s * e.vertical, 0., s * e.horizontal + c * e.vertical);
    if (e.length != 0.) map(drift_map(0.5 * e.length, 2));
  }
  void operator()(const Marker&) {}
  void operator()(const Collimator& e) {
    aperture(e);
    if (e.length == 0.) return;
    exact_drift(e.length);
    aperture(e);
  }
  void operator()(const MapElement& e) { map(e.map()); }
  // Those of the whole bunch have no steps.
  void operator()(const Charge&) {}
  void operator()(const SpaceChargeDrift&) {}

  /// Adds limits outside of which particles are lost; 0: no limit.
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

  void map(const TransferMap& map) {
    find_map_kind([&]<class Pattern>(StepKind kind, Pattern) {
      if (!covers(Pattern::value, map)) return false;
      unsigned changes = 0;
      for (int i = 0; i < n_coordinates; ++i)
        if (Pattern::value.changes(i)) changes |= 1u << i;
      add(kind, coefficients_of(map, Pattern::value), changes);
      if (kind >= StepKind::dense) segment_.needs_general_kernel = true;
      return true;
    });
  }

  void exact_drift(double length) {
    add(StepKind::exact_drift, {length}, 1u << x | 1u << y | 1u << s);
  }

  template <class Magnet>
  void magnet(StepKind kind, const Magnet& e, double strength) {
    const auto coefficients = slice_coefficients(e.length, strength, e.slices, e.integration_order);
    losing(kind, coefficients);
    segment_.changes |= (1u << delta) - 1;
    segment_.needs_general_kernel = true;
    to_.steps.back().kicks = int(coefficients.size()) / 2;
    to_.steps.back().slices = e.slices;
  }

  void shift(double dx, double dxp, double dy, double dyp) {
    add(StepKind::shift, {dx, dxp, dy, dyp}, (1u << s) - 1);
  }
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

  void aperture(const Collimator& e) {
    losing(e.shape == Collimator::Shape::ellipse ? StepKind::ellipse : StepKind::rectangle,
           {e.dx, e.dy, e.x_max, e.y_max});
  }

  TrackingSteps& to_;
  Segment& segment_;
  int element_;
};

inline bool is_collective(const Element& element) {
  if (std::holds_alternative<Charge>(element.kind)) return true;
  return std::holds_alternative<SpaceChargeDrift>(element.kind);
}

}  // namespace detail

/// Limits of the coordinates, checked at the end of a turn; particles outside are lost.
struct CoordinateLimits {
  double position = 10.;  ///< Max |x| and |y|, m; 0: no limit.
  double slope = 1.;      ///< Max |xp| and |yp|; 0: no limit.
};

/// Returns the steps of a line. `stops_behind(i)` tells whether a segment has to end behind element
/// i.
/// @throws UsageError if an element cannot be tracked, or as `check_element`
template <class StopsBehind>
TrackingSteps tracking_steps(const BeamLine& line, const CoordinateLimits& limits,
                             const StopsBehind& stops_behind) {
  TrackingSteps out;
  const int n = int(line.size());
  bool begins = true;
  for (int i = 0; i < n; ++i) {
    const bool collective = detail::is_collective(line[i]);
    if (begins || collective) {
      Segment& next = out.segments.emplace_back();
      next.first_element = i;
      next.first_step = int(out.steps.size());
      next.is_collective = collective;
    }
    Segment& segment = out.segments.back();
    detail::StepBuilder build(out, segment, i);
    check_element(line[i]);
    try {
      std::visit(build, line[i].kind);
    } catch (const UsageError& error) {
      throw UsageError("element " + line[i].name, error.what());
    }
    segment.end_element = i + 1;
    segment.end_step = int(out.steps.size());
    begins = collective || stops_behind(i);
  }
  if (n > 0 && (limits.position > 0. || limits.slope > 0.)) {
    if (out.segments.back().is_collective) {  // one without elements behind it
      Segment& next = out.segments.emplace_back();
      next.first_element = next.end_element = n;
      next.first_step = int(out.steps.size());
    }
    Segment& last = out.segments.back();
    detail::StepBuilder(out, last, n - 1).limit(limits.position, limits.slope);
    last.end_step = int(out.steps.size());
  }
  return out;
}

}  // namespace trackplex::beam
