// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/detail/moment_blocks.hpp>

#include <cstddef>

namespace trackplex::beam {

/// Algorithm that sums the moments of the first `bunch.size()` particles, without lost ones, into
/// one row of a View of `MomentSums`: rows of several places along a line are filled without
/// waiting, and read at the end. The sums are about the mean of some particles of each block of
/// `reduce_block`, of 4096 or more in all where there are so many. The order of the sums is fixed:
/// results do not depend on threads, ranks, lanes or the backend. With ranks, all ranks call it,
/// get the sums, and wait for the instance.
template <class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, double>>
struct SumMoments {
  static constexpr const char* name = "sum_moments";
  using Scratch = Workspace<ExecutionSpace>;  ///< Temporary memory of the algorithm.

  int row = 0;  ///< Row of the results.

  /// Allocates rows up to `row`.
  template <class Memory, class T, class Rows>
  void allocate(const Memory& memory, const Bunch<T, MemoryOf<ExecutionSpace>>&, Rows& rows) const {
    allocate_array(memory.of(rows), rows, "Trackplex::Beam::moment_rows", std::size_t(row) + 1);
  }

  /// Enqueues the sums into rows(row); `rows` is a View of `MomentSums` with more than `row` of
  /// them.
  template <class T, class Rows>
  void operator()(const ExecutionSpace& exec, const Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                  Rows& rows, Scratch& workspace) const {
    using Real = LanesOf<double, Width>;
    using Places = detail::MomentPlaces;
    using Values = Kokkos::View<double*, typename ExecutionSpace::memory_space,
                                Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    static_assert(sizeof(MomentSums) == (1 + n_coordinates + Places::size) * sizeof(double));
    const Share& all = bunch.share();
    const int n = all.n;
    double* const sample = reinterpret_cast<double*>(rows.data() + row);
    double* const sums = sample + 1 + n_coordinates;
    const detail::PresentParticles<T> particles{
        bunch.columns(), bunch.may_have_lost ? bunch.losses.data() : nullptr};

    trackplex::detail::reduce_rows_of_blocks<Sum, Real>(
        exec, all, detail::rows_of_sample(all.all), detail::SampleTerms<Real, T>{particles},
        Values(sample, 1 + n_coordinates), workspace);
    const int blocks = trackplex::detail::reduce_blocks(n);
    const bool at_once = blocks == 1 && !all.ranks;
    double* results = sums;
    if (!at_once)
      results = workspace
                    .template get<double>(exec, "Trackplex::Beam::moments",
                                          std::size_t(Places::size) * blocks)
                    .data();
    const int team_size = is_host_space<ExecutionSpace> ? 1 : trackplex::detail::reduce_partials;
    for_each_team(exec, "Trackplex::Beam::moments", blocks,
                  detail::MomentBlocks<Real, T>{particles, rows.data() + row, results, n, blocks},
                  team_size);
    if (at_once) return;
    const auto combine = [&]<class Operation, int first, int count>() {
      trackplex::detail::combine_blocks<Operation, count>(
          exec, all, results + std::size_t(first) * blocks, Values(sums + first, count), workspace);
    };
    combine.template operator()<Sum, 0, Places::n_sums>();
    combine.template operator()<Min, Places::min, Places::n_minima>();
  }
};

}  // namespace trackplex::beam

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/beam/bunch/detail/sum_moments.instances.hpp>
#endif
