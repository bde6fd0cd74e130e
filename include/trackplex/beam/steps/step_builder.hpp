// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/element_maps.hpp>
#include <trackplex/beam/steps/aperture.hpp>
#include <trackplex/beam/steps/common_steps.hpp>
#include <trackplex/beam/steps/direction_cosines.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace trackplex::beam {

/// Step of a line, on the host. Its coefficients begin at index `first` of the array that all
/// steps share, or of the array of pass-dependent coefficients.
struct TrackingStep {
  StepType type;            ///< Type.
  int element;              ///< Number of the element along the line, for losses.
  int first;                ///< Index of the first coefficient.
  bool knows_spin = false;  ///< Whether particles with spins can pass.
};

/// Coefficients of a step that depend on the pass.
struct PassCoefficients {
  int element;  ///< Number of the element along the line.
  int first;    ///< Index of the first coefficient.
  std::function<std::vector<double>(const ElementPass&)> of;  ///< Coefficients of one pass.
};

/// Elements [first_element, end_element) with steps [first_step, end_step) of one kernel; or one
/// element that acts on the whole bunch; or no element, with the limits after such an element.
struct Segment {
  int first_element = 0,         ///< First element.
      end_element = 0;           ///< Element after the last one.
  int first_step = 0,            ///< First step.
      end_step = 0;              ///< Step after the last one.
  unsigned changes = 0;          ///< Bit i: coordinate i may change.
  bool can_lose = false;         ///< Whether particles can be lost.
  bool has_long_steps = false;   ///< Whether there are long steps.
  bool is_collective = false;    ///< Whether an element acts on the whole bunch.
  bool in_cosines = false;       ///< Whether the last step leaves direction cosines.
  bool resumes_cosines = false;  ///< Whether the segment before ended so, with a stop after it.
  bool keeps_cosines = false;    ///< Whether they are kept over the stop after it.
};

/// Beam line as steps and segments, on the host.
struct TrackingSteps {
  std::vector<TrackingStep> steps;   ///< Steps of all segments, in order.
  std::vector<double> coefficients;  ///< Coefficients of all steps that do not depend on a pass.
  std::vector<PassCoefficients> passes;  ///< Pass-dependent coefficients, in order.
  int n_pass_coefficients = 0;           ///< Number of pass-dependent coefficients.
  std::vector<Segment> segments;         ///< Segments, in order.
  std::optional<Aperture> aperture;      ///< Aperture along the line from here on.
};

namespace detail {

template <class Step>
bool knows_spin(const Step& step) {
  if constexpr (requires { step.knows_spin(); }) return step.knows_spin();
  return SpinStep<Step> || keeps_spin<Step>;
}

bool covers(const MapPattern& pattern, const TransferMap& map);

/// Calls `f(Pattern{})` for each pattern of maps, from few coefficients to many, until it returns
/// true. Returns true if a call did.
template <class F>
bool find_pattern(const F& f) {
  return f(patterns::Drift{}) || f(patterns::Quadrupole{}) || f(patterns::Midplane{}) ||
         f(patterns::Dense{}) || f(patterns::Quadrupole3{}) || f(patterns::Midplane3{}) ||
         f(patterns::Dense3{});
}

}  // namespace detail

/// Appends the steps of an element to a segment, in the order in which they act.
class StepBuilder {
 public:
  /// Appends to the last segment of `to`, for the element of this number along the line.
  StepBuilder(TrackingSteps& to, int element)
      : to_(to), segment_(to.segments.back()), element_(element) {}

  /// Adds a step of any type. Trackers accept types of the library and of their list.
  template <IsStep Step>
  void add(const Step& step) {
    const StepType type = StepType::of<Step>();
    use_cosines(type.in_cosines);
    if constexpr (detail::PassStep<Step>) {
      to_.steps.push_back({type, element_, to_.n_pass_coefficients, detail::knows_spin(step)});
      to_.passes.push_back({element_, to_.n_pass_coefficients,
                            [step](const ElementPass& pass) { return step.coefficients(pass); }});
      to_.n_pass_coefficients += int(step.coefficients(ElementPass{0, {1., 0.}}).size());
    } else {
      const std::vector<double> coefficients = step.coefficients();
      to_.steps.push_back({type, element_, int(to_.coefficients.size()), detail::knows_spin(step)});
      to_.coefficients.insert(to_.coefficients.end(), coefficients.begin(), coefficients.end());
    }
    segment_.changes |= type.changes;
    segment_.can_lose = segment_.can_lose || type.can_lose;
    segment_.has_long_steps = segment_.has_long_steps || type.is_long;
  }

  /// Adds a Taylor map, in the pattern with the fewest coefficients; particles with spins need to
  /// know its field.
  void map(const TransferMap& map, const MapField& field = {});

  /// Converts to slopes, if the last step leaves direction cosines.
  void use_slopes() { use_cosines(false); }

  /// Adds an exact drift of a length, m.
  void exact_drift(double length) { add(steps::ExactDrift{length}); }

  /// Adds a drift of a length, m, to second order in the momenta.
  void expanded_drift(double length) {
    if (segment_.in_cosines)
      add(steps::CosineDrift{length});
    else
      add(steps::ExpandedDrift{length});
  }

  /// Adds a translation of x and y, m, and of their slopes.
  void shift(double dx, double dxp, double dy, double dyp) { add(steps::Shift{dx, dxp, dy, dyp}); }

  /// Adds a rotation around the axis, rad, from x towards y.
  void rotate(double angle) { add(steps::Rotation{cos(angle), sin(angle)}); }

  /// Adds the steps of `body()` in the system of a misaligned element.
  template <class Body>
  void placed(const Misalignment& by, const Body& body) {
    const bool shifted = by.dx != 0. || by.dy != 0.;
    if (by.dz != 0.) exact_drift(by.dz);
    if (shifted) shift(-by.dx, 0., -by.dy, 0.);
    if (by.tilt != 0.) rotate(by.tilt);
    body();
    if (by.tilt != 0.) rotate(-by.tilt);
    if (shifted) shift(by.dx, 0., by.dy, 0.);
    if (by.dz != 0.) exact_drift(-by.dz);
  }

  /// Adds the steps of a magnet of n slices: `body(n, 1.)`, or, with an aperture along the line,
  /// n times `body(1, 1.0 / n)`, each followed by the aperture. The second argument is the fraction
  /// of the magnet.
  template <class Body>
  void in_slices(int n, const Body& body) {
    if (!to_.aperture || n < 2) return body(n, 1.);
    for (int i = 0; i < n; ++i) {
      body(1, 1. / n);
      add_limits();
    }
  }

  /// Adds an aperture; particles outside are lost.
  void aperture(const Aperture& aperture);

  /// Sets the aperture along the line from here on, after every element.
  void limit(const Aperture& aperture) { to_.aperture = aperture; }

  /// Adds the aperture along the line, if there is one.
  void add_limits();

 private:
  void use_cosines(bool cosines) {
    if (segment_.in_cosines == cosines) return;
    segment_.in_cosines = false;
    cosines ? add(steps::ToCosines{}) : add(steps::ToSlopes{});
    segment_.in_cosines = cosines;
  }

  TrackingSteps& to_;
  Segment& segment_;
  int element_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/steps/detail/step_builder.impl.hpp>
#endif
