// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Reductions whose bits do not depend on the number of threads, ranks, the lane width or the
/// backend.
///
/// Items are cut into blocks of 4096. Each block has 32 partial results, each over every 32nd
/// item in order; they are combined by halving (i with i + 16, then i + 8, ...). Lanes and
/// threads share the 32 partial results, so that the same additions happen on every machine. The
/// results of the blocks are combined by a binary tree over their numbers: 2i with 2i + 1, on each
/// level; a result without a partner goes to the next level unchanged. Ranks have whole blocks, and
/// so whole branches of the tree.

#include <trackplex/core/detail/combine_blocks.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/core/reduce_operations.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/core/unroll.hpp>
#include <trackplex/core/workspace.hpp>

#include <cstddef>
#include <type_traits>

namespace trackplex {

namespace detail {

/// Number of terms of an item.
template <class Real, class Terms>
inline constexpr int components_of =
    int(std::invoke_result_t<const Terms&, const Tile<Real>&>::size());

/// One block per team: terms to block results, of which component c is at results[c * blocks +
/// block].
template <class Operation, class Real, class Terms>
struct ReduceBlocks {
  using T = ScalarOf<Real>;
  static constexpr int components = components_of<Real, Terms>;
  using Values = Kokkos::Array<Real, components>;
  Terms terms;
  T* results;
  int n, blocks;
  int rows = reduce_rows;  ///< that are read, of each block
  int rows_at_once = 0;    ///< of which a team of a device computes the terms at once

  /// Rows at once whose terms are in shared memory of a device: 8 give a team 256 threads.
  static constexpr int most_rows_at_once() {
    constexpr int fit = (40 << 10) / (components * reduce_partials * int(sizeof(T))) - 1;
    return fit < 1 ? 1 : fit < 8 ? fit : 8;
  }

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<T>(components * reduce_partials);
    carver.take<T>(components * reduce_partials * rows_at_once);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    const TeamLanes<Real, Member> team(member);
    const int block = member.league_rank();
    T* const partials = scratch.take<T>(components * reduce_partials);
    if constexpr (std::is_same_v<Member, HostTeam>) {
      reduce_in_order(block, partials);  // teams of one thread, see reduce_rows_of_blocks
    } else {
      T* const of_rows = scratch.take<T>(components * reduce_partials * rows_at_once);
      reduce_together(team, member, block, partials, of_rows);
    }
    team.barrier();
    for_each_component<Operation, components>([&](int c, auto operation) {
      if (c % member.team_size() == member.team_rank())
        results[c * blocks + block] = halved<decltype(operation)>(partials + c * reduce_partials);
    });
  }

 private:
  template <class ComponentOperation>
  KOKKOS_FUNCTION static T halved(T* p) {
    for (int half = reduce_partials / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) p[i] = ComponentOperation::combine(p[i], p[i + half]);
    return p[0];
  }

  KOKKOS_FORCEINLINE_FUNCTION static void set_to_identity(Values& sums) {
    for_each_component<Operation, components>([&](int c, auto operation) {
      sums[c] = Real(decltype(operation)::template identity<T>());
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION void add(const Tile<Real>& items, const Values& values,
                                       Values& sums) const {
    const bool whole = items.count == width_of<Real>;
    for_each_component<Operation, components>([&](int c, auto operation) {
      Real sum = decltype(operation)::combine(sums[c], values[c]);
      if (!whole) sum = select(items.mask(), sum, sums[c]);
      sums[c] = sum;
    });
  }

  /// For a team of a device: the terms of some rows at a time, an item for each thread, then their
  /// sums.
  template <class Team, class Member>
  KOKKOS_FUNCTION void reduce_together(const Team& team, const Member& member, int block,
                                       T* partials, T* of_rows) const {
    const int begin = block * reduce_block, most = rows * reduce_partials;
    const int all = n - begin < most ? n - begin : most, step = rows_at_once * reduce_partials;
    for_each_component<Operation, components>([&](int c, auto operation) {
      team.template for_each<int>(reduce_partials, [&](Tile<int> i) {
        partials[c * reduce_partials + i.first] = decltype(operation)::template identity<T>();
      });
    });
    for (int first = 0; first < all; first += step) {
      const int items = all - first < step ? all - first : step;
      team.for_each(items, [&](const Tile<Real>& tile) {
        const Values values = terms(Tile<Real>{begin + first + tile.first, tile.count});
        for_each_component<Operation, components>(
            [&](int c, auto) { store(of_rows + c * step + tile.first, values[c]); });
      });
      team.barrier();
      add_rows(member, of_rows, items, partials);
      team.barrier();
    }
  }

  /// Adds the terms of items to the partial results in the order of the rows; 32 threads of a team
  /// have a component.
  template <class Member>
  KOKKOS_FUNCTION void add_rows(const Member& member, const T* of_rows, int items,
                                T* partials) const {
    const int size = member.team_size(), rank = member.team_rank();
    const int threads = size < reduce_partials ? size : reduce_partials;
    const int groups = size / threads, group = rank / threads;
    for_each_component<Operation, components>([&](int c, auto operation) {
      if (c % groups != group) return;
      const T* const values = of_rows + c * rows_at_once * reduce_partials;
      for (int p = rank % threads; p < reduce_partials; p += threads) {
        T sum = partials[c * reduce_partials + p];
        for (int i = p; i < items; i += reduce_partials)
          sum = decltype(operation)::combine(sum, values[i]);
        partials[c * reduce_partials + p] = sum;
      }
    });
  }

  /// For a single thread: all items in order, with the partial results in registers, row by row, if
  /// there are enough; otherwise in memory.
  KOKKOS_FUNCTION void reduce_in_order(int block, T* partials) const {
    const int begin = block * reduce_block, most = rows * reduce_partials;
    const int end = n - begin < most ? n : begin + most;
    int first = begin;
    constexpr int tiles = reduce_partials / width_of<Real>;
    if constexpr (tiles * components <= 16) {
      Values sums[tiles];
      for_each_index<tiles>([&]<int i>() TRACKPLEX_INLINE_LAMBDA { set_to_identity(sums[i]); });
      for (; end - first >= reduce_partials; first += reduce_partials)
        for_each_index<tiles>([&]<int i>() TRACKPLEX_INLINE_LAMBDA {
          const Tile<Real> items{first + i * width_of<Real>, width_of<Real>};
          add(items, terms(items), sums[i]);
        });
      for_each_index<tiles>([&]<int i>() TRACKPLEX_INLINE_LAMBDA {
        store_partials(sums[i], partials + i * width_of<Real>);
      });
    } else {
      Values identity;
      set_to_identity(identity);
      for (int i = 0; i < reduce_partials; i += width_of<Real>)
        store_partials(identity, partials + i);
    }
    for (; end - first >= width_of<Real>; first += width_of<Real>)
      add_to_partials({first, width_of<Real>}, partials + (first - begin) % reduce_partials);
    if (first < end)
      add_to_partials({first, end - first}, partials + (first - begin) % reduce_partials);
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_to_partials(const Tile<Real>& items, T* partials) const {
    Values sums;
    for_each_component<Operation, components>(
        [&](int c, auto) { sums[c] = load<Real>(partials + c * reduce_partials); });
    add(items, terms(items), sums);
    store_partials(sums, partials);
  }

  KOKKOS_FORCEINLINE_FUNCTION static void store_partials(const Values& sums, T* partials) {
    for_each_component<Operation, components>(
        [&](int c, auto) { store(partials + c * reduce_partials, sums[c]); });
  }
};

/// As `reduce`, for the first `rows` rows of 32 items of each block.
template <class Operation, class Real, class ExecutionSpace, class Terms, class Result>
void reduce_rows_of_blocks(const ExecutionSpace& exec, const Share& items, int rows,
                           const Terms& terms, const Result& result,
                           Workspace<ExecutionSpace>& workspace) {
  using T = ScalarOf<Real>;
  constexpr int components = components_of<Real, Terms>;
  static_assert(width_of<Real> <= reduce_partials,
                "At most 32 lanes share the partial results of a block.");
  using Kernel = ReduceBlocks<Operation, Real, Terms>;
  constexpr int rows_at_once = is_host_space<ExecutionSpace> ? 0 : Kernel::most_rows_at_once();
  constexpr int team_size = is_host_space<ExecutionSpace> ? 1 : rows_at_once * reduce_partials;
  const int blocks = reduce_blocks(items.n);
  const bool at_once = blocks == 1 && !items.ranks;
  T* results = result.data();
  if (!at_once)
    results = workspace
                  .template get<T>(exec, "Trackplex::Core::reduce_blocks",
                                   std::size_t(components) * std::size_t(blocks))
                  .data();
  const Kernel kernel{terms, results, items.n, blocks, rows, rows_at_once};
  for_each_team(exec, "Trackplex::Core::reduce", blocks, kernel, team_size);
  if (!at_once) combine_blocks<Operation, components>(exec, items, results, result, workspace);
}

}  // namespace detail

/// Reduces several terms of each item at once, with results whose bits do not depend on threads,
/// lanes, ranks or backend. Enqueues on the instance; with ranks, all ranks call it, it waits for
/// the instance, and all ranks get the result.
/// @tparam Operation `Sum`, `Min` or `Max` for all components, or `Each<...>` with one for each
/// @tparam Real number type of the kernel, `LanesOf<double, 4>` for example, of at most 32 lanes
/// @param exec the instance
/// @param items number of items, or the share of this rank, whose first number is a multiple of
///        4096: `Share(n, reduce_block, &ranks)`
/// @param terms functor; `terms(Tile<Real>)`, with numbers of items of this rank from 0 on, gives
///        the terms of each item, a `Kokkos::Array<Real, n>`, whose lanes past the end are ignored.
///        It is called once for each item, and may also write data of the item.
/// @param result View of the results, `result(0)` to `result(n - 1)`, on the device
/// @param workspace memory for the results of blocks
template <class Operation, class Real, class ExecutionSpace, class Terms, class Result>
void reduce(const ExecutionSpace& exec, const Share& items, const Terms& terms,
            const Result& result, Workspace<ExecutionSpace>& workspace) {
  detail::reduce_rows_of_blocks<Operation, Real>(exec, items, detail::reduce_rows, terms, result,
                                                 workspace);
}

namespace detail {
template <class Real>
struct ArrayTerms {
  const ScalarOf<Real>* x;
  KOKKOS_FUNCTION Kokkos::Array<Real, 1> operator()(Tile<Real> tile) const {
    return {{tile.load(x)}};
  }
};

/// x - shift and its powers up to the fourth.
template <class Real>
struct MomentTerms {
  const ScalarOf<Real>* x;
  ScalarOf<Real> shift;
  KOKKOS_FUNCTION Kokkos::Array<Real, 4> operator()(Tile<Real> tile) const {
    const Real d = tile.load(x) - Real(shift);
    const Real d2 = d * d;
    return {{d, d2, d2 * d, d2 * d2}};
  }
};
}  // namespace detail

/// Reduces x(0) ... x(n - 1) to result(0), on the device, by an operation such as `Sum`. Enqueues
/// on the instance, with `Width` lanes on a host.
template <class Operation, int Width, class ExecutionSpace, class Array, class Result>
void reduce_array(const ExecutionSpace& exec, const Array& x, const Share& n, const Result& result,
                  Workspace<ExecutionSpace>& workspace) {
  using Real = LanesOf<typename Array::non_const_value_type, Width>;
  reduce<Operation, Real>(exec, n, detail::ArrayTerms<Real>{x.data()}, result, workspace);
}

/// Sums powers: \f$\mathrm{result}_{k-1} = \sum_i (x_i - \mathrm{shift})^k\f$ for k = 1 to 4, on
/// the device. These are n times the moments about `shift`. Enqueues on the instance.
template <int Width, class ExecutionSpace, class Array, class Result>
void sum_powers(const ExecutionSpace& exec, const Array& x, const Share& n,
                typename Array::non_const_value_type shift, const Result& result,
                Workspace<ExecutionSpace>& workspace) {
  using Real = LanesOf<typename Array::non_const_value_type, Width>;
  reduce<Sum, Real>(exec, n, detail::MomentTerms<Real>{x.data(), shift}, result, workspace);
}

}  // namespace trackplex
