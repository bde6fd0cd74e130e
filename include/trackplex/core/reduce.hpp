// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Reductions whose bits do not depend on the number of threads, the lane width or the backend.
///
/// Items are cut into blocks of 4096. Inside a block there are 32 partial results, each of every
/// 32nd item in order; they are combined by halving (i with i + 16, then i + 8, ...). The results
/// of the blocks are reduced in the same way, level by level. Lanes and threads share the 32
/// partial results among them, so that the same additions happen on every machine.

#include <trackplex/core/team_launch.hpp>
#include <trackplex/core/unroll.hpp>
#include <trackplex/core/workspace.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace trackplex {

/// Operation of a reduction: the sum. Of no items: 0.
struct Sum {
  /// Combines two partial results.
  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static N combine(N a, N b) {
    return a + b;
  }
  /// Returns the start value, which leaves a result unchanged.
  template <Scalar T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T identity() {
    return T{};
  }
};

/// Operation of a reduction: the smallest value; NaNs are ignored. Of no items: the largest number
/// (infinity for floating point).
struct Min {
  /// Returns the smaller of two partial results.
  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static N combine(N a, N b) {
    return min(a, b);
  }
  /// Returns the start value, which leaves a result unchanged.
  template <Scalar T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T identity() {
    if constexpr (std::floating_point<T>) return Kokkos::Experimental::infinity<T>::value;
    return Kokkos::Experimental::finite_max<T>::value;
  }
};

/// Operation of a reduction: the largest value; NaNs are ignored. Of no items: the smallest number
/// (-infinity for floating point).
struct Max {
  /// Returns the larger of two partial results.
  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static N combine(N a, N b) {
    return max(a, b);
  }
  /// Returns the start value, which leaves a result unchanged.
  template <Scalar T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T identity() {
    if constexpr (std::floating_point<T>) return -Kokkos::Experimental::infinity<T>::value;
    return Kokkos::Experimental::finite_min<T>::value;
  }
};

/// Operation of a reduction of several components: one operation for each, `Each<Sum, Min, Max>`.
template <class... Operations>
struct Each {};

namespace detail {

template <class Operation, int Component>
struct OperationOf {
  using type = Operation;
};
template <class First, class... Others, int Component>
struct OperationOf<Each<First, Others...>, Component>
    : OperationOf<Each<Others...>, Component - 1> {};
template <class First, class... Others>
struct OperationOf<Each<First, Others...>, 0> {
  using type = First;
};

/// Calls f(component, operation) for the components C to Components - 1.
template <class Operation, int Components, int C = 0, class F>
KOKKOS_FORCEINLINE_FUNCTION void for_each_component(const F& f) {
  if constexpr (C < Components) {
    f(C, typename OperationOf<Operation, C>::type{});
    for_each_component<Operation, Components, C + 1>(f);
  }
}

inline constexpr int reduce_partials = 32;
inline constexpr int reduce_rows = 128;
inline constexpr int reduce_block = reduce_partials * reduce_rows;

constexpr int reduce_blocks(int n) {
  return n <= reduce_block ? 1 : (n + reduce_block - 1) / reduce_block;
}

/// One block per team: terms to block results, of which component c is at results[c * blocks +
/// block].
template <class Operation, class Real, int Components, class Terms>
struct ReduceBlocks {
  using T = ScalarOf<Real>;
  using Values = Kokkos::Array<Real, Components>;
  Terms terms;
  T* results;
  int n, blocks;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<T>(Components * reduce_partials);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    const TeamLanes<Real, Member> team(member);
    const int block = member.league_rank();
    T* const partials = scratch.take<T>(Components * reduce_partials);
    if (team.alone()) {
      reduce_in_order(block, partials);
    } else {
      team.for_each(reduce_partials,
                    [&](Tile<Real> tile) { reduce_rows_of(tile, block, partials); });
    }
    team.barrier();
    for_each_component<Operation, Components>([&](int c, auto operation) {
      if (c % member.team_size() == member.team_rank())
        results[c * blocks + block] = halved<decltype(operation)>(partials + c * reduce_partials);
    });
  }

 private:
  /// Rows whose terms are fetched before they are added: a thread of a device waits for its memory.
  static constexpr int rows_at_once = Components * sizeof(T) <= 8 ? 8
                                      : Components <= 4           ? 4
                                      : Components <= 8           ? 2
                                                                  : 1;

  template <class ComponentOperation>
  KOKKOS_FUNCTION static T halved(T* p) {
    for (int half = reduce_partials / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) p[i] = ComponentOperation::combine(p[i], p[i + half]);
    return p[0];
  }

  KOKKOS_FORCEINLINE_FUNCTION void add(const Tile<Real>& items, const Values& values,
                                       Values& sums) const {
    const bool whole = items.count == width_of<Real>;
    for_each_component<Operation, Components>([&](int c, auto operation) {
      Real sum = decltype(operation)::combine(sums[c], values[c]);
      if (!whole) sum = select(items.mask(), sum, sums[c]);
      sums[c] = sum;
    });
  }

  /// One of several threads: the items of its partial results, row by row.
  KOKKOS_FUNCTION void reduce_rows_of(const Tile<Real>& tile, int block, T* partials) const {
    Values sums;
    for_each_component<Operation, Components>([&](int c, auto operation) {
      sums[c] = Real(decltype(operation)::template identity<T>());
    });
    const int begin = block * reduce_block + tile.first;
    for (int row = 0; row < reduce_rows && begin + row * reduce_partials < n; row += rows_at_once) {
      Tile<Real> items[rows_at_once];
      Values values[rows_at_once] = {};  // compilers warn of rows past the end otherwise
      for_each_index<rows_at_once>([&]<int i>() {
        const int first = begin + (row + i) * reduce_partials, left = n - first;
        items[i] = {first, left < width_of<Real> ? left : width_of<Real>};
        if (left > 0) values[i] = terms(items[i]);
      });
      for_each_index<rows_at_once>([&]<int i>() {
        if (items[i].count > 0) add(items[i], values[i], sums);
      });
    }
    store_partials(sums, partials + tile.first);
  }

  /// A single thread: all items in their order, with the partial results in memory.
  KOKKOS_FUNCTION void reduce_in_order(int block, T* partials) const {
    for_each_component<Operation, Components>([&](int c, auto operation) {
      for (int i = 0; i < reduce_partials; ++i)
        partials[c * reduce_partials + i] = decltype(operation)::template identity<T>();
    });
    const int begin = block * reduce_block;
    const int end = n - begin < reduce_block ? n : begin + reduce_block;
    int first = begin;
    for (; end - first >= width_of<Real>; first += width_of<Real>)
      add_to_partials({first, width_of<Real>}, partials + (first - begin) % reduce_partials);
    if (first < end)
      add_to_partials({first, end - first}, partials + (first - begin) % reduce_partials);
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_to_partials(const Tile<Real>& items, T* partials) const {
    Values sums;
    for_each_component<Operation, Components>(
        [&](int c, auto) { sums[c] = load<Real>(partials + c * reduce_partials); });
    add(items, terms(items), sums);
    store_partials(sums, partials);
  }

  KOKKOS_FORCEINLINE_FUNCTION static void store_partials(const Values& sums, T* partials) {
    for_each_component<Operation, Components>(
        [&](int c, auto) { store(partials + c * reduce_partials, sums[c]); });
  }
};

/// Results of a level as the terms of the next.
template <class Real, int Components>
struct BlockTerms {
  const ScalarOf<Real>* results;
  int blocks;
  KOKKOS_FUNCTION Kokkos::Array<Real, Components> operator()(Tile<Real> tile) const {
    Kokkos::Array<Real, Components> values;
    for (int c = 0; c < Components; ++c) values[c] = tile.load(results + c * blocks);
    return values;
  }
};

}  // namespace detail

/// Reduces several terms of each item at once, with results whose bits do not depend on threads,
/// lanes or backend. Enqueues on the instance.
/// @tparam Operation `Sum`, `Min` or `Max` for all components, or `Each<...>` with one for each
/// @tparam Real number type of the kernel, `LanesOf<double, 4>` for example, of at most 32 lanes
/// @tparam Components number of terms of an item
/// @param exec the instance
/// @param n number of items
/// @param terms functor; `terms(Tile<Real>)` gives a `Kokkos::Array<Real, Components>`, whose lanes
///        past the end are ignored. It is called once for each item, and may also write data of the
///        item.
/// @param result View of the results, `result(0)` to `result(Components - 1)`, on the device
/// @param workspace memory for the results of blocks
template <class Operation, class Real, int Components, class ExecutionSpace, class Terms,
          class Result>
void reduce(const ExecutionSpace& exec, int n, const Terms& terms, const Result& result,
            Workspace<ExecutionSpace>& workspace) {
  using T = ScalarOf<Real>;
  static_assert(width_of<Real> <= detail::reduce_partials,
                "At most 32 lanes share the partial results of a block.");
  const int team_size = is_host_space<ExecutionSpace> ? 1 : detail::reduce_partials;
  int blocks = detail::reduce_blocks(n);
  const auto level = [&](const auto& level_terms, T* results, int items) {
    using Functor =
        detail::ReduceBlocks<Operation, Real, Components, std::decay_t<decltype(level_terms)>>;
    const Functor functor{level_terms, results, items, blocks};
    for_each_team(exec, "Trackplex::Core::reduce", blocks, functor, team_size);
  };
  if (blocks == 1) return level(terms, result.data(), n);

  // Two buffers take turns: each level reads one and writes the other.
  const int capacity = Components * blocks;
  auto buffer =
      workspace.template get<T>(exec, "Trackplex::Core::reduce_blocks", 2 * std::size_t(capacity));
  T* from = buffer.data();
  T* to = buffer.data() + capacity;
  level(terms, from, n);
  while (blocks > 1) {
    const int items = blocks;
    blocks = detail::reduce_blocks(items);
    level(detail::BlockTerms<Real, Components>{from, items}, blocks == 1 ? result.data() : to,
          items);
    std::swap(from, to);
  }
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
void reduce_array(const ExecutionSpace& exec, const Array& x, int n, const Result& result,
                  Workspace<ExecutionSpace>& workspace) {
  using Real = LanesOf<typename Array::non_const_value_type, Width>;
  reduce<Operation, Real, 1>(exec, n, detail::ArrayTerms<Real>{x.data()}, result, workspace);
}

/// Sums powers: \f$\mathrm{result}_{k-1} = \sum_i (x_i - \mathrm{shift})^k\f$ for k = 1 to 4, on
/// the device. These are n times the moments about `shift`. Enqueues on the instance.
template <int Width, class ExecutionSpace, class Array, class Result>
void sum_powers(const ExecutionSpace& exec, const Array& x, int n,
                typename Array::non_const_value_type shift, const Result& result,
                Workspace<ExecutionSpace>& workspace) {
  using Real = LanesOf<typename Array::non_const_value_type, Width>;
  reduce<Sum, Real, 4>(exec, n, detail::MomentTerms<Real>{x.data(), shift}, result, workspace);
}

}  // namespace trackplex
