// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/remove_lost.hpp>
#include <trackplex/beam/detail/line_actions.hpp>
#include <trackplex/beam/detail/pass_map.hpp>
#include <trackplex/beam/element_list.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/steps/track_segment.hpp>
#include <trackplex/beam/steps/track_spins.hpp>
#include <trackplex/beam/tracking_steps.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/launch.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::beam {

/// Tracker of bunches through a beam line, for any number of turns. The elements of a segment run
/// in one kernel with the particles in registers: the whole line over all turns, unless elements or
/// stops need the whole bunch. Results do not depend on backend, threads, lanes, stops or the
/// number of turns of a call.
///
/// Elements that use only steps of the library need not be in the list of types. Custom steps
/// must be in the list, and so must elements with an Action on the whole bunch. An Action is a
/// class template that is constructible from an instance and the element (and a `LineState&` for
/// state shared with others), and callable with an instance, the bunch and a `Workspace` (and, if
/// it loses particles, a `Loss`: its turn and its number along the line). Lost particles come after
/// the others, unless it has `takes_lost = true`. It sets the reference particle to its value at
/// the exit, with the length of the element in its path. Bunches with spins pass it only if the
/// element has `keeps_spin = true`: its action leaves them as they are. Actions keep their state
/// (the phase of a cavity) for the next turn and the next bunch.
/// @tparam T              precision of the particles, float or double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Types          ElementList of step and element types: `ElementTypes<MyStep, MyElement>`
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace, class Types = ElementTypes<>,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::beam_tracking>>
class LineTracker {
  using Real = LanesOf<T, Width>;
  using Steps = typename detail::TypesOf<Types>::Steps;
  static constexpr int action_width =
      std::min(Width, default_lane_width<ExecutionSpace, T, KernelKind::space_charge>);
  using Actions = detail::LineActions<T, ExecutionSpace, action_width>;
  using Coefficients = Kokkos::View<T*, typename ExecutionSpace::memory_space>;

 public:
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;  ///< Bunches that it tracks.
  /// Observer that does nothing.
  struct NoObserver {
    /// Does nothing.
    void operator()(int, int, BunchType&) const {}
  };

  /// Creates a tracker that enqueues on an instance. `limits` are checked at the end of each turn;
  /// `stops` are numbers of elements along the line after which `track` calls its observer.
  /// @throws UsageError if an element cannot be tracked (its steps or actions are not in the list
  /// of types), as `check_element`, or a stop is not in the line
  LineTracker(const ExecutionSpace& exec, BeamLine line, const CoordinateLimits& limits = {},
              std::vector<int> stops = {})
      : exec_(exec), line_(std::move(line)), stops_(line_.size(), false), path_before_{0.} {
    for (const int stop : stops) {
      if (stop < 0 || stop >= int(line_.size()))
        throw UsageError("LineTracker", "there is no element " + std::to_string(stop),
                         "the line has " + std::to_string(line_.size()) + " of them");
      stops_[stop] = true;
    }
    for (const Element& element : line_)
      path_before_.push_back(path_before_.back() + length_of(element));
    const TrackingSteps steps =
        tracking_steps(line_, limits, [&](int element) { return stops_[element]; });
    segments_ = steps.segments;
    passes_ = steps.passes;
    n_pass_coefficients_ = steps.n_pass_coefficients;
    for (const TrackingStep& step : steps.steps) {
      host_steps_.push_back({type_of(step), step.element, step.first});
      if (!step.knows_spin && without_spin_ < 0) without_spin_ = step.element;
    }
    steps_ = to_device<KernelStep>(exec_, "Trackplex::Beam::steps", host_steps_);
    coefficients_ = to_device<T>(exec_, "Trackplex::Beam::coefficients", steps.coefficients);
    actions_ = Actions(exec_, line_, Types{});
    for (int i = 0; i < int(line_.size()) && without_spin_ < 0; ++i)
      if (is_collective(line_[i]) && !actions_[i].keeps_spin) without_spin_ = i;
  }

  /// Returns the line.
  const BeamLine& line() const { return line_; }
  /// Returns the action of an element that acts on the whole bunch, with the results of its last
  /// pass, for example for an observer. `Element` is the type of the element.
  /// @throws UsageError if the element of this number is of another type
  template <class Element>
  const auto& action(int element) const {
    return actions_.template of<Element>(element);
  }

  /// Enqueues the tracking of a bunch through the line; drifts with space charge wait for the
  /// lengths of their steps. `observer(turn, element, bunch)` is called on the host after each
  /// stop, when all work before it is enqueued. It may change the bunch: coordinates, the reference
  /// particle, losses (and `may_have_lost` with them), but number and order of particles only by
  /// `remove_lost`. Turns are counted from `first_turn`, for losses, elements that
  /// depend on the turn, and the observer. Lost particles keep their places until an element that
  /// acts on the whole bunch moves them to the end.
  /// Spins of a bunch that has them turn in the elements, as `steps/spin_rotation.hpp` describes.
  /// @throws UsageError if the number of turns is below zero, a bunch without charge or extent is
  /// in a drift with space charge, or needs too many steps there; or if particles have spins and
  /// the effect of an element on them is not known
  template <class Observer = NoObserver>
  void track(BunchType& bunch, int turns = 1, const Observer& observer = {}, int first_turn = 0) {
    if (turns < 0)
      throw UsageError("LineTracker", "the number of turns is below zero", std::to_string(turns));
    if (bunch.has_spins() && without_spin_ >= 0)
      throw UsageError("element '" + line_[without_spin_].name + "'",
                       "its effect on spins is not known", {},
                       "use an element with a rule for spins (docs/guide/beam.md lists them), or a "
                       "bunch without spins");
    const bool at_once = segments_.size() == 1 && !segments_[0].is_collective && !stops_.back();
    if (at_once) return track_at_once(bunch, turns, first_turn);
    for (int turn = first_turn; turn < first_turn + turns; ++turn) {
      double start = bunch.reference.path_length;
      for (std::size_t i = 0; i < segments_.size(); ++i) {
        const Segment& segment = segments_[i];
        if (segment.is_collective) {
          act(turn, segment.first_element, bunch, start);
        } else {
          track_segment(segment, bunch, start, turn, 1);
        }
        const int end = segment.end_element;
        const bool continues = i + 1 < segments_.size() && segments_[i + 1].end_element == end;
        if (stops_[end - 1] && !continues) observe(observer, turn, end, bunch, start);
      }
    }
  }

 private:
  /// Number of the type of a step in the list.
  int type_of(const TrackingStep& step) const {
    const int type = index_in_list<Steps>(step.type.id);
    if (type < 0)
      throw UsageError(
          "element '" + line_[step.element].name + "'", "the tracker has no kernel for its steps",
          step.type.id.name(),
          "add their type to its list: LineTracker<T, ExecutionSpace, ElementTypes<...>>");
    return type;
  }

  /// One segment without stops, with as many turns per launch as memory allows for coefficients.
  void track_at_once(BunchType& bunch, int turns, int first_turn) {
    constexpr int most_coefficients = 1 << 16;
    const int at_once =
        passes_.empty() ? turns : std::max(1, most_coefficients / n_pass_coefficients_);
    for (int turn = 0; turn < turns; turn += at_once)
      track_segment(segments_[0], bunch, bunch.reference.path_length, first_turn + turn,
                    std::min(at_once, turns - turn));
  }

  /// `start`: path of the reference particle at the start of the (first) turn.
  void track_segment(const Segment& segment, BunchType& bunch, double start, int first_turn,
                     int turns) {
    const bool can_lose = segment.can_lose || bunch.may_have_lost;
    const bool may_be_one_map = turns == 1 && !can_lose && !bunch.has_spins();
    if (!(may_be_one_map && pass_map(segment, bunch))) {
      fill_pass_coefficients(segment, bunch, start, first_turn, turns);
      if (segment.keeps_cosines) allocate_kept(bunch.size());
      pass_steps(segment, bunch, can_lose, first_turn, turns);
    }
    bunch.may_have_lost = can_lose;
    for (int turn = 1; turn < turns; ++turn) start += path_before_.back();
    bunch.reference.path_length = start + path_before_[segment.end_element];
  }

  /// Tracks through a segment of a single map of first or second order; returns false for others.
  bool pass_map(const Segment& segment, const BunchType& bunch) const {
    if (segment.end_step != segment.first_step + 1) return false;
    const KernelStep& step = host_steps_[segment.first_step];
    return detail::find_pattern([&]<class Pattern>(Pattern) {
      if constexpr (Pattern::value.order() <= 2) {
        if (step.type != index_in_list<Steps>(typeid(steps::Map<Pattern>))) return false;
        for_each_tile<Real>(
            exec_, "Trackplex::Beam::pass_map", bunch.size(),
            detail::PassMap<Real, Pattern>{bunch.columns(), coefficients_.data() + step.first});
        return true;
      }
      return false;
    });
  }

  /// Coefficients of the steps of a segment that depend on turn and reference particle.
  void fill_pass_coefficients(const Segment& segment, const BunchType& bunch, double start,
                              int first_turn, int turns) {
    std::vector<double> values;
    for (int turn = first_turn; turn < first_turn + turns; ++turn, start += path_before_.back())
      for (const PassCoefficients& pass : passes_) {
        if (pass.element < segment.first_element || pass.element >= segment.end_element) continue;
        values.resize(std::size_t(turn - first_turn + 1) * n_pass_coefficients_);
        ElementPass here{turn, bunch.reference};
        here.reference.path_length = start + path_before_[pass.element];
        const auto of_pass = pass.of(here);
        std::copy(of_pass.begin(), of_pass.end(), values.end() - n_pass_coefficients_ + pass.first);
      }
    if (values.empty()) return;
    if (pass_coefficients_.extent(0) < values.size()) {
      pass_coefficients_ =
          new_array<Coefficients>(exec_, "Trackplex::Beam::pass_coefficients", values.size());
      host_pass_coefficients_ = Kokkos::create_mirror_view(pass_coefficients_);
    }
    exec_.fence();  // the last ones are in use
    for (std::size_t i = 0; i < values.size(); ++i) host_pass_coefficients_(i) = T(values[i]);
    copy_array(exec_, pass_coefficients_, host_pass_coefficients_);
  }

  void allocate_kept(std::size_t particles) {
    if (kept_x_.extent(0) >= particles) return;
    for (auto* kept : {&kept_x_, &kept_y_})
      *kept = new_array<Coefficients>(exec_, "Trackplex::Beam::kept_cosines", particles);
  }

  void pass_steps(const Segment& segment, const BunchType& bunch, bool can_lose, int first_turn,
                  int turns) const {
    using Variant = KernelVariant;
    const auto kernel_of = [&]<Variant variant>() {
      return TrackSegment<Real, Steps, variant>{
          bunch.columns(),
          bunch.losses.data(),
          steps_.data(),
          coefficients_.data(),
          pass_coefficients_.data(),
          n_pass_coefficients_,
          segment.first_step,
          segment.end_step,
          first_turn,
          turns,
          segment.changes,
          bunch.may_have_lost,
          bunch.ids.data(),
          bunch.seed,
          {kept_x_.data(), kept_y_.data(), segment.resumes_cosines, segment.keeps_cosines}};
    };
    const auto launch = [&]<Variant variant>() {
      for_each_tile<Real>(exec_, "Trackplex::Beam::track", bunch.size(),
                          kernel_of.template operator()<variant>());
    };
    if (bunch.has_spins())
      return for_each_tile<Real>(
          exec_, "Trackplex::Beam::track_spins", bunch.size(),
          TrackSpins<Real, Steps>{kernel_of.template operator()<Variant::general>(),
                                  bunch.spin_columns(), T(bunch.reference.p0), T(bunch.anomaly)});
    if (segment.has_long_steps) return launch.template operator()<Variant::general>();
    if (can_lose) return launch.template operator()<Variant::losses>();
    launch.template operator()<Variant::short_steps>();
  }

  /// The action sets the reference particle at the exit of the element.
  void act(int turn, int element, BunchType& bunch, double& start) {
    bunch.reference.path_length = start + path_before_[element];
    auto& action = actions_[element];
    if (!action.takes_lost()) remove_lost(exec_, bunch, workspace_);
    try {
      action(exec_, bunch, workspace_, Loss{turn, element});
    } catch (const UsageError& error) {
      throw UsageError("element " + line_[element].name, error.what());
    }
    start = bunch.reference.path_length - path_before_[element + 1];
  }

  template <class Observer>
  void observe(const Observer& observer, int turn, int end, BunchType& bunch, double& start) {
    const double path = bunch.reference.path_length;
    observer(turn, end - 1, bunch);
    if (bunch.reference.path_length != path)
      start = bunch.reference.path_length - path_before_[end];
  }

  ExecutionSpace exec_;
  BeamLine line_;
  std::vector<bool> stops_;
  std::vector<double> path_before_;  ///< of the reference particle, before each element and after
  std::vector<Segment> segments_;
  std::vector<PassCoefficients> passes_;
  int n_pass_coefficients_ = 0;
  int without_spin_ = -1;  ///< first element whose effect on spins is not known
  std::vector<KernelStep> host_steps_;
  Actions actions_;
  Workspace<ExecutionSpace> workspace_;
  Kokkos::View<KernelStep*, typename ExecutionSpace::memory_space> steps_;
  Coefficients coefficients_, pass_coefficients_;
  Coefficients kept_x_, kept_y_;  ///< KeptCosines
  decltype(Kokkos::create_mirror_view(Coefficients())) host_pass_coefficients_;
};

}  // namespace trackplex::beam

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/beam/detail/line_tracker.instances.hpp>
#include <trackplex/beam/detail/track_spins.instances.hpp>
#endif
