// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/detail/pass_map.hpp>
#include <trackplex/beam/detail/track_segment.hpp>
#include <trackplex/beam/longitudinal_space_charge.hpp>
#include <trackplex/beam/remove_lost.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/launch.hpp>

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::beam {

/// Tracker of bunches through a beam line, for any number of turns. The elements of a segment run
/// in one kernel with the particles in registers: the whole line over all turns, unless elements or
/// stops need the bunch as a whole. Results do not depend on backend, threads, lanes, stops or the
/// number of turns of a call.
/// @tparam T              precision of the particles, float or double
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Width          lanes on hosts
template <class T, class ExecutionSpace,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::beam_tracking>>
class LineTracker {
  using Real = LanesOf<T, Width>;

 public:
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;  ///< Bunches that it tracks.
  /// Space charge of its drifts.
  using SpaceCharge = LongitudinalSpaceCharge<T, ExecutionSpace, Width>;
  /// Observer that does nothing.
  struct NoObserver {
    /// Does nothing.
    void operator()(int, int, BunchType&) const {}
  };

  /// Makes a tracker that enqueues on an instance. `limits` are checked at the end of each turn;
  /// `stops` are numbers of elements along the line behind which `track` calls its observer.
  /// @throws UsageError if an element cannot be tracked, as `check_element`, or a stop is not in
  /// the line
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
    segments_ = steps.segments;
    host_steps_ = steps.steps;
    steps_ = to_device<TrackingStep>(exec_, "Trackplex::Beam::steps", steps.steps);
    coefficients_ = to_device<T>(exec_, "Trackplex::Beam::coefficients", steps.coefficients);
    for (int i = 0; i < int(line_.size()); ++i)
      if (const auto* drift = std::get_if<SpaceChargeDrift>(&line_[i].kind))
        space_charges_.emplace(i, space_charge_of(line_[i].name, *drift));
  }

  /// Returns the line.
  const BeamLine& line() const { return line_; }
  /// Returns the space charge of an element (a `SpaceChargeDrift`) with the results of its last
  /// pass, for an observer behind it, for example.
  const SpaceCharge& space_charge(int element) const { return space_charges_.at(element); }

  /// Enqueues the tracking of a bunch through the line; drifts with space charge wait for the
  /// lengths of their steps. `observer(turn, element, bunch)` is called on the host behind each
  /// stop, when all work before it is enqueued. Turns are counted from `first_turn`, for losses and
  /// the observer. Lost particles keep their places until space charge moves them behind the
  /// others.
  /// @throws UsageError if a bunch without charge or extent is in a drift with space charge, or
  /// needs too many steps there
  template <class Observer = NoObserver>
  void track(BunchType& bunch, int turns = 1, const Observer& observer = {}, int first_turn = 0) {
    const bool at_once = segments_.size() == 1 && !segments_[0].is_collective && !stops_.back();
    if (at_once) return track_segment(segments_[0], bunch, first_turn, turns);
    for (int turn = first_turn; turn < first_turn + turns; ++turn)
      for (std::size_t i = 0; i < segments_.size(); ++i) {
        const Segment& segment = segments_[i];
        if (segment.is_collective) {
          pass_collective(segment.first_element, bunch);
        } else {
          track_segment(segment, bunch, turn, 1);
        }
        const int end = segment.end_element;
        const bool continues = i + 1 < segments_.size() && segments_[i + 1].end_element == end;
        if (stops_[end - 1] && !continues) observer(turn, end - 1, bunch);
      }
  }

 private:
  void track_segment(const Segment& segment, BunchType& bunch, int first_turn, int turns) const {
    const bool can_lose = segment.can_lose || bunch.may_have_lost;
    const bool may_be_one_map = turns == 1 && !can_lose;
    if (!(may_be_one_map && pass_map(segment, bunch)))
      pass_steps(segment, bunch, can_lose, first_turn, turns);
    bunch.may_have_lost = can_lose;
    for (int turn = 0; turn < turns; ++turn)
      for (int i = segment.first_element; i < segment.end_element; ++i)
        bunch.reference.path_length += lengths_[i];  // one by one: stops do not change the sum
  }

  /// Tracks through a segment of a single map of first or second order; returns false for others.
  bool pass_map(const Segment& segment, const BunchType& bunch) const {
    if (segment.end_step != segment.first_step + 1) return false;
    const TrackingStep& step = host_steps_[segment.first_step];
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

  void pass_steps(const Segment& segment, const BunchType& bunch, bool can_lose, int first_turn,
                  int turns) const {
    using Variant = detail::KernelVariant;
    const auto launch = [&]<Variant variant>() {
      const detail::TrackSegment<Real, variant> kernel{
          bunch.columns(),    bunch.losses.data(), steps_.data(), coefficients_.data(),
          segment.first_step, segment.end_step,    first_turn,    turns,
          segment.changes,    bunch.may_have_lost};
      for_each_tile<Real>(exec_, "Trackplex::Beam::track", bunch.size(), kernel);
    };
    if (segment.needs_general_kernel) return launch.template operator()<Variant::general>();
    if (can_lose) return launch.template operator()<Variant::losses>();
    launch.template operator()<Variant::short_steps>();
  }

  SpaceCharge space_charge_of(const std::string& name, const SpaceChargeDrift& drift) const {
    try {
      return SpaceCharge(exec_, drift);
    } catch (const Error& error) {
      throw UsageError("element " + name, error.what());
    }
  }

  void pass_collective(int element, BunchType& bunch) {
    if (const auto* charge = std::get_if<Charge>(&line_[element].kind)) {
      if (bunch.size_with_lost() > 0)
        bunch.particle_charge = charge->total / bunch.size_with_lost();
    } else {
      remove_lost(exec_, bunch, workspace_);
      try {
        space_charges_.at(element)(exec_, bunch, workspace_);
      } catch (const UsageError& error) {
        throw UsageError("element " + line_[element].name, error.what());
      }
    }
  }

  ExecutionSpace exec_;
  BeamLine line_;
  std::vector<bool> stops_;
  std::vector<double> lengths_;
  std::vector<Segment> segments_;
  std::vector<TrackingStep> host_steps_;
  std::map<int, SpaceCharge> space_charges_;  ///< by the number of the element
  Workspace<ExecutionSpace> workspace_;
  Kokkos::View<TrackingStep*, typename ExecutionSpace::memory_space> steps_;
  Kokkos::View<T*, typename ExecutionSpace::memory_space> coefficients_;
};

}  // namespace trackplex::beam
