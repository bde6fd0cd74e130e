// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/on_device.hpp>
#include <trackplex/lhcb/velo_geometry.hpp>
#include <trackplex/search/sort_by_phi.hpp>
#include <trackplex/seeding/fit_lines.hpp>
#include <trackplex/seeding/search_by_triplet.hpp>

#include <string>

namespace trackplex::lhcb {

/// Hits of the VELO sorted by azimuth, in the one of two ways that TripletParameters::merge_sides
/// says; the other is empty.
template <class Real, class MemorySpace>
struct SortedVeloHits {
  search::SortedHits<Real, typename search::Phi16<Real>::Key, MemorySpace> merged;
  search::SortedHits<Real, typename search::PhiRadians<Real>::Key, MemorySpace> separate;
};

/// The steps from VELO hits to tracks, on arrays of the caller: sort by azimuth, Search by triplet,
/// straight-line fit. Each makes room for what it writes where `reserve_*` has not, and enqueues
/// one kernel. Copies share the table of modules.
template <class Real, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, Real>>
class VeloSteps {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Hits = search::Hits<Real, MemorySpace>;
  using Sorted = SortedVeloHits<Real, MemorySpace>;
  using Tracks = seeding::Tracks<MemorySpace>;
  using Lines = seeding::LineStates<Real, MemorySpace>;

  VeloSteps(const ExecutionSpace& exec, const seeding::TripletParameters& parameters,
            int team_size = 0)
      : parameters_(parameters),
        team_size_(team_size),
        module_z_(on_device<Real>(exec, "Trackplex::Lhcb::velo_module_z", velo_module_z)) {}

  template <class Memory>
  void reserve_sorted(const Memory& memory, const Hits& hits, Sorted& sorted) const {
    with_order(sorted, [&](auto order, auto& hits_in_order) {
      search::reserve_sorted_hits<typename decltype(order)::Groups>(memory, hits, velo_pairs,
                                                                    hits_in_order);
    });
  }
  template <class Memory>
  void reserve_tracks(const Memory& memory, const Hits& hits, Tracks& tracks) const {
    seeding::reserve_tracks(memory, hits, parameters_, tracks);
  }

  void sort_hits(const ExecutionSpace& exec, const Hits& hits, Sorted& sorted) const {
    with_order(sorted, [&](auto order, auto& hits_in_order) {
      using Order = decltype(order);
      search::sort_by_phi<typename Order::Phi, typename Order::Groups, Width>(
          exec, hits, velo_pairs, hits_in_order, team_size_);
    });
  }

  void search(const ExecutionSpace& exec, const Hits& hits, const Sorted& sorted,
              Tracks& tracks) const {
    with_order(sorted, [&](auto order, const auto& hits_in_order) {
      using Order = decltype(order);
      seeding::search_by_triplet<typename Order::Phi, typename Order::Groups, Width>(
          exec, hits, hits_in_order, module_z_, parameters_, tracks, team_size_);
    });
  }

  void fit(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks, Lines& lines) const {
    seeding::fit_lines<Width>(exec, hits, tracks, parameters_.inverse_variance, lines, team_size_);
  }

  /// All three steps in one kernel, an event at a time, so that its hits stay in the cache.
  void reconstruct(const ExecutionSpace& exec, const Hits& hits, Sorted& sorted, Tracks& tracks,
                   Lines& lines) const {
    with_kernel(exec, hits, sorted, tracks, lines, [&](const auto& kernel) {
      for_each_team(exec, "Trackplex::Lhcb::velo_tracks", hits.n_events, kernel, team_size_);
    });
  }

  /// Calls f with the team kernel of all three steps, to be launched over the events, alone or
  /// fused with others.
  template <class F>
  void with_kernel(const ExecutionSpace& exec, const Hits& hits, Sorted& sorted, Tracks& tracks,
                   Lines& lines, const F& f) const {
    with_order(sorted, [&](auto order, auto& hits_in_order) {
      using Phi = typename decltype(order)::Phi;
      using Groups = typename decltype(order)::Groups;
      const auto sort =
          search::sort_by_phi_kernel<Phi, Groups, Width>(exec, hits, velo_pairs, hits_in_order);
      const auto search = seeding::search_by_triplet_kernel<Phi, Groups, Width>(
          exec, hits, hits_in_order, module_z_, parameters_, tracks);
      const auto fit =
          seeding::fit_lines_kernel<Width>(exec, hits, tracks, parameters_.inverse_variance, lines);
      f(fused(sort, search, fit));
    });
  }

 private:
  template <class Phi_, class Groups_>
  struct Order {
    using Phi = Phi_;
    using Groups = Groups_;
  };

  /// Calls f with the order that the parameters ask for, and the hits in it.
  template <class AnySorted, class F>
  void with_order(AnySorted& sorted, const F& f) const {
    if (parameters_.merge_sides) {
      f(Order<search::Phi16<Real>, search::Grouping<true, 6>>(), sorted.merged);
    } else {
      f(Order<search::PhiRadians<Real>, search::Grouping<false, 5>>(), sorted.separate);
    }
  }

  seeding::TripletParameters parameters_;
  int team_size_;
  Kokkos::View<Real*, MemorySpace> module_z_;
};

}  // namespace trackplex::lhcb
