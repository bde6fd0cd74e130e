// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/on_host.hpp>
#include <trackplex/lhcb/velo_hits.hpp>
#include <trackplex/lhcb/velo_parameters.hpp>
#include <trackplex/lhcb/velo_track_list.hpp>
#include <trackplex/search/sort_by_phi.hpp>
#include <trackplex/seeding/fit_lines.hpp>
#include <trackplex/seeding/search_by_triplet.hpp>

#include <vector>

namespace trackplex::lhcb {

/// VELO tracks from hits, for batches of events: sort by azimuth, Search by triplet, straight-line
/// fit. The object keeps all memory between batches; each step enqueues its kernel on the instance
/// and returns.
template <class Real, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, Real>>
class VeloTracking {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Parameters = seeding::TripletParameters;

  VeloTracking(const ExecutionSpace& exec, const Parameters& parameters, int team_size = 0)
      : exec_(exec),
        parameters_(parameters),
        team_size_(team_size),
        module_z_(
            Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "Trackplex::Lhcb::velo_module_z"),
            velo_modules) {
    const auto host = Kokkos::create_mirror_view(module_z_);
    for (int m = 0; m < velo_modules; ++m) host(m) = Real(velo_module_z[m]);
    Kokkos::deep_copy(exec, module_z_, host);
    exec.fence();
  }

  /// Takes in a batch of events. Waits until the device has them.
  void load(std::span<const VeloEvent> events) { load_velo_hits(exec_, events, hits_, staging_); }

  void sort_hits() {
    if (parameters_.merge_sides) {
      search::sort_by_phi<Phi16, Merged, Width>(exec_, hits_, velo_pairs, sorted16_, team_size_);
    } else {
      search::sort_by_phi<PhiRadians, Separate, Width>(exec_, hits_, velo_pairs, sorted_radians_,
                                                       team_size_);
    }
  }

  void search() {
    if (parameters_.merge_sides) {
      seeding::search_by_triplet<Phi16, Merged, Width>(exec_, hits_, sorted16_, module_z_,
                                                       parameters_, tracks_, team_size_);
    } else {
      seeding::search_by_triplet<PhiRadians, Separate, Width>(
          exec_, hits_, sorted_radians_, module_z_, parameters_, tracks_, team_size_);
    }
  }

  void fit() {
    seeding::fit_lines<Width>(exec_, hits_, tracks_, parameters_.inverse_variance, lines_,
                              team_size_);
  }

  /// All three steps in one kernel, an event at a time, so that its hits stay in the cache.
  void reconstruct() {
    with_kernel([&](const auto& kernel) {
      for_each_team(exec_, "Trackplex::Lhcb::velo_tracks", hits_.n_events, kernel, team_size_);
    });
  }

  /// Calls f with the team kernel of all three steps, to be launched over the events, alone or
  /// fused with others.
  template <class F>
  void with_kernel(const F& f) {
    if (parameters_.merge_sides) {
      f(kernel<Phi16, Merged>(sorted16_));
    } else {
      f(kernel<PhiRadians, Separate>(sorted_radians_));
    }
  }

  /// The fitted tracks of each event, in the order of their seeds. Waits for the device.
  std::vector<VeloTrackList> tracks() const;

  /// Seeds of each event that found no slot (see TripletParameters::hits_per_slot). Waits for the
  /// device.
  std::vector<std::uint32_t> overflow() const {
    const auto host = on_host(exec_, tracks_.overflow, hits_.n_events);
    return {host.data(), host.data() + hits_.n_events};
  }

  /// The hits on the device, for a decoder that fills them instead of `load`.
  search::Hits<Real, MemorySpace>& hits() { return hits_; }

  // What the device holds, for further kernels.
  const search::Hits<Real, MemorySpace>& device_hits() const { return hits_; }
  const seeding::Tracks<MemorySpace>& device_tracks() const { return tracks_; }
  const seeding::LineStates<Real, MemorySpace>& device_lines() const { return lines_; }

 private:
  using Phi16 = search::Phi16<Real>;
  using PhiRadians = search::PhiRadians<Real>;
  using Merged = search::Grouping<true, 6>;
  using Separate = search::Grouping<false, 5>;

  template <class Phi, class Groups, class Sorted>
  auto kernel(Sorted& sorted) {
    const auto sort =
        search::sort_by_phi_kernel<Phi, Groups, Width>(exec_, hits_, velo_pairs, sorted);
    const auto search = seeding::search_by_triplet_kernel<Phi, Groups, Width>(
        exec_, hits_, sorted, module_z_, parameters_, tracks_);
    const auto fit = seeding::fit_lines_kernel<Width>(exec_, hits_, tracks_,
                                                      parameters_.inverse_variance, lines_);
    return fused(sort, search, fit);
  }

  ExecutionSpace exec_;
  Parameters parameters_;
  int team_size_;
  Kokkos::View<Real*, MemorySpace> module_z_;
  detail::VeloHitsStaging<Real> staging_;
  search::Hits<Real, MemorySpace> hits_;
  search::SortedHits<Real, typename Phi16::Key, MemorySpace> sorted16_;
  search::SortedHits<Real, typename PhiRadians::Key, MemorySpace> sorted_radians_;
  seeding::Tracks<MemorySpace> tracks_;
  seeding::LineStates<Real, MemorySpace> lines_;
};

template <class Real, class ExecutionSpace, int Width>
std::vector<VeloTrackList> VeloTracking<Real, ExecutionSpace, Width>::tracks() const {
  const auto events = std::size_t(hits_.n_events);
  const auto slots = tracks_.slots;
  const auto offsets = on_host(exec_, hits_.event_offsets, events + 1);
  const auto count = on_host(exec_, tracks_.count, events);
  const auto length = on_host(exec_, tracks_.length, slots);
  const auto x = on_host(exec_, lines_.x, slots), y = on_host(exec_, lines_.y, slots),
             z = on_host(exec_, lines_.z, slots);
  const auto tx = on_host(exec_, lines_.tx, slots), ty = on_host(exec_, lines_.ty, slots),
             chi2 = on_host(exec_, lines_.chi2, slots);
  const auto backward = on_host(exec_, lines_.backward, slots);
  const auto track_hits = on_host(exec_, tracks_.hits, slots * seeding::max_track_hits);

  std::vector<VeloTrackList> lists(events);
  for (std::size_t e = 0; e < events; ++e) {
    const auto first = seeding::first_slot(offsets(e), int(e), tracks_.hits_per_slot);
    for (auto slot = first; slot < first + count(e); ++slot) {
      const VeloTrackState state{double(x(slot)),           double(y(slot)),    double(z(slot)),
                                 double(tx(slot)),          double(ty(slot)),   double(chi2(slot)),
                                 2 * int(length(slot)) - 4, backward(slot) != 0};
      std::array<std::uint16_t, seeding::max_track_hits> indices;
      for (int h = 0; h < length(slot); ++h) indices[h] = track_hits(h * slots + slot);
      lists[e].push_back(std::span(indices).first(length(slot)), state);
    }
  }
  return lists;
}

}  // namespace trackplex::lhcb
