// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/detail/pass_map.hpp>
#include <trackplex/beam/detail/track_stretch.hpp>
#include <trackplex/beam/longitudinal_space_charge.hpp>
#include <trackplex/beam/remove_lost.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/on_device.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::beam {

/// Sends bunches through a beam line. The elements of a stretch run in one kernel, with a particle
/// in registers: all of them, over all turns, unless something comes between that looks at the
/// bunch as a whole.
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::beam_tracking>>
class LineTracker {
  using Real = LanesOf<T, Width>;

 public:
  using BunchType = Bunch<T, ExecutionSpace>;
  using SpaceCharge = LongitudinalSpaceCharge<T, ExecutionSpace, Width>;
  /// Nothing to be called between elements.
  struct NoObserver {
    void operator()(int, int, BunchType&) const {}
  };

  /// `stops`: numbers of elements, along the line, behind which `track` calls its observer.
  /// @throws UsageError if an element cannot be tracked, or a stop is not in the line
  LineTracker(const ExecutionSpace& exec, BeamLine line, const CoordinateLimits& limits = {},
              std::vector<int> stops = {})
      : exec_(exec), line_(std::move(line)), stops_(line_.size(), false) {
    for (const int stop : stops) {
      if (stop < 0 || stop >= int(line_.size()))
        throw UsageError("LineTracker", "there is no element " + std::to_string(stop),
                         "the line has " + std::to_string(line_.size()) + " of them");
      stops_[stop] = true;
    }
    for (const Element& element : line_) lengths_.push_back(length_of(element));
    const TrackingSteps steps =
        tracking_steps(line_, limits, [&](int element) { return stops_[element]; });
    stretches_ = steps.stretches;
    host_steps_ = steps.steps;
    steps_ = on_device<TrackingStep>(exec_, "Trackplex::Beam::steps", steps.steps);
    coefficients_ = on_device<T>(exec_, "Trackplex::Beam::coefficients", steps.coefficients);
    for (int i = 0; i < int(line_.size()); ++i)
      if (const auto* drift = std::get_if<SpaceChargeDrift>(&line_[i].kind))
        space_charges_.emplace(i, space_charge_of(line_[i].name, *drift));
  }

  const BeamLine& line() const { return line_; }
  /// What works for an element with space charge, and knows what its last pass found; for an
  /// observer behind it, for example.
  const SpaceCharge& space_charge(int element) const { return space_charges_.at(element); }

  /// Enqueues so many turns; drifts with space charge wait for the lengths of their steps.
  /// `observer(turn, element, bunch)` is called on the host behind each stop, when all before it is
  /// enqueued. Turns are counted from `first_turn`, for losses.
  /// Lost particles stay where they are, until space charge moves them behind the others.
  /// @throws UsageError if a bunch without charge or extent meets space charge
  template <class Observer = NoObserver>
  void track(BunchType& bunch, int turns = 1, const Observer& observer = {}, int first_turn = 0) {
    const bool at_once = stretches_.size() == 1 && !stretches_[0].is_collective && !stops_.back();
    if (at_once) return track_stretch(stretches_[0], bunch, first_turn, turns);
    for (int turn = first_turn; turn < first_turn + turns; ++turn)
      for (std::size_t i = 0; i < stretches_.size(); ++i) {
        const Stretch& stretch = stretches_[i];
        if (stretch.is_collective) {
          pass_together(stretch.first_element, bunch);
        } else {
          track_stretch(stretch, bunch, turn, 1);
        }
        const int end = stretch.end_element;
        const bool goes_on = i + 1 < stretches_.size() && stretches_[i + 1].end_element == end;
        if (stops_[end - 1] && !goes_on) observer(turn, end - 1, bunch);
      }
  }

 private:
  void track_stretch(const Stretch& stretch, BunchType& bunch, int first_turn, int turns) const {
    const bool can_lose = stretch.can_lose || bunch.may_have_lost;
    const bool may_be_one_map = turns == 1 && !can_lose;
    if (!(may_be_one_map && pass_map(stretch, bunch)))
      pass_steps(stretch, bunch, can_lose, first_turn, turns);
    bunch.may_have_lost = can_lose;
    for (int turn = 0; turn < turns; ++turn)
      for (int i = stretch.first_element; i < stretch.end_element; ++i)
        bunch.reference.path_length += lengths_[i];  // one by one: stops do not change the sum
  }

  /// A stretch of one map to second order; false for others.
  bool pass_map(const Stretch& stretch, const BunchType& bunch) const {
    if (stretch.end_step != stretch.first_step + 1) return false;
    const TrackingStep& step = host_steps_[stretch.first_step];
    return detail::find_map_kind([&]<class Pattern>(StepKind kind, Pattern) {
      if constexpr (Pattern::value.order() <= 2) {
        if (kind != step.kind) return false;
        for_each_tile<Real>(
            exec_, "Trackplex::Beam::pass_map", bunch.size(),
            detail::PassMap<Real, Pattern>{bunch.columns(), coefficients_.data() + step.first});
        return true;
      }
      return false;
    });
  }

  void pass_steps(const Stretch& stretch, const BunchType& bunch, bool can_lose, int first_turn,
                  int turns) const {
    using detail::Preparation;
    if (stretch.is_rich) return pass_steps_by<Preparation::all>(stretch, bunch, first_turn, turns);
    if (can_lose) return pass_steps_by<Preparation::losses>(stretch, bunch, first_turn, turns);
    pass_steps_by<Preparation::short_steps>(stretch, bunch, first_turn, turns);
  }

  template <detail::Preparation For>
  void pass_steps_by(const Stretch& stretch, const BunchType& bunch, int first_turn,
                     int turns) const {
    const detail::TrackStretch<Real, For> kernel{
        bunch.columns(),    bunch.losses.data(), steps_.data(), coefficients_.data(),
        stretch.first_step, stretch.end_step,    first_turn,    turns,
        stretch.changes,    bunch.may_have_lost};
    for_each_tile<Real>(exec_, "Trackplex::Beam::track", bunch.size(), kernel);
  }

  SpaceCharge space_charge_of(const std::string& name, const SpaceChargeDrift& drift) const {
    try {
      return SpaceCharge(exec_, drift);
    } catch (const Error& error) {
      throw UsageError("element " + name, error.what());
    }
  }

  void pass_together(int element, BunchType& bunch) {
    if (const auto* charge = std::get_if<Charge>(&line_[element].kind)) {
      if (bunch.size_with_lost() > 0)
        bunch.particle_charge = charge->total / bunch.size_with_lost();
    } else {
      remove_lost(exec_, bunch, workspace_);
      try {
        space_charges_.at(element).track(exec_, bunch, workspace_);
      } catch (const UsageError& error) {
        throw UsageError("element " + line_[element].name, error.what());
      }
    }
  }

  ExecutionSpace exec_;
  BeamLine line_;
  std::vector<bool> stops_;
  std::vector<double> lengths_;
  std::vector<Stretch> stretches_;
  std::vector<TrackingStep> host_steps_;
  std::map<int, SpaceCharge> space_charges_;  ///< by the number of the element
  Workspace<ExecutionSpace> workspace_;
  Kokkos::View<TrackingStep*, typename ExecutionSpace::memory_space> steps_;
  Kokkos::View<T*, typename ExecutionSpace::memory_space> coefficients_;
};

}  // namespace trackplex::beam
