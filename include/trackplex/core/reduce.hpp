// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Reductions whose bits do not depend on the number of threads, ranks, the lane width or the
/// backend.
///
/// Items are cut into blocks of 4096. Inside a block there are 32 partial results, each of every
/// 32nd item in order; they are combined by halving (i with i + 16, then i + 8, ...). Lanes and
/// threads share the 32 partial results among them, so that the same additions happen on every
/// machine. The results of the blocks are combined by a binary tree over their numbers: 2i with
/// 2i + 1, on each level; one without a partner goes to the next level as it is. Ranks have whole
/// blocks, and so whole branches of the tree.

#include <trackplex/core/copy.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/core/unroll.hpp>
#include <trackplex/core/workspace.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex {

/// Number of items of a block of a reduction: ranks have whole ones.
inline constexpr int reduce_block = 4096;

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
static_assert(reduce_block == reduce_partials * reduce_rows);

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
  int rows = reduce_rows;  ///< that are read, of each block

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
    for (int row = 0; row < rows && begin + row * reduce_partials < n; row += rows_at_once) {
      Tile<Real> items[rows_at_once];
      Values values[rows_at_once] = {};  // compilers warn of rows past the end otherwise
      for_each_index<rows_at_once>([&]<int i>() {
        const int first = begin + (row + i) * reduce_partials;
        const int left = row + i < rows ? n - first : 0;
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
    const int begin = block * reduce_block, most = rows * reduce_partials;
    const int end = n - begin < most ? n : begin + most;
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

/// Combines the results of blocks by a binary tree over their numbers, in place: one component of
/// `reduce_block` blocks per team, to `to[c * groups + group]`.
template <class Operation, class T, int Components>
struct CombineBlocks {
  T* from;
  T* to;
  int blocks, groups;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver) const {
    const int component = member.league_rank() % Components;
    const int group = member.league_rank() / Components;
    for_each_component<Operation, Components>([&](int c, auto operation) {
      if (c == component) combine<decltype(operation)>(member, c, group);
    });
  }

 private:
  template <class ComponentOperation, class Member>
  KOKKOS_FUNCTION void combine(const Member& member, int component, int group) const {
    T* const results = from + component * std::int64_t(blocks) + group * reduce_block;
    const int left = blocks - group * reduce_block;
    const int n = left < reduce_block ? left : reduce_block;
    const int branches = (n - 1) / reduce_rows + 1;  // of whole subtrees
    for (int i = member.team_rank(); i < branches; i += member.team_size()) {
      const int begin = i * reduce_rows, count = n - begin < reduce_rows ? n - begin : reduce_rows;
      tree<ComponentOperation>(results + begin, 1, count);
    }
    member.team_barrier();
    if (member.team_rank() == 0)
      to[component * groups + group] = tree<ComponentOperation>(results, reduce_rows, branches);
  }

  /// Of n values, at a distance of `stride`, to the first of them.
  template <class ComponentOperation>
  KOKKOS_FUNCTION static T tree(T* p, int stride, int n) {
    for (; n > 1; n = (n + 1) / 2, stride *= 2)
      for (int i = 0; i + 1 < n; i += 2)
        p[i * stride] = ComponentOperation::combine(p[i * stride], p[(i + 1) * stride]);
    return p[0];
  }
};

/// Branch of the binary tree over the numbers of blocks, with its results.
template <class T, int Components>
struct Branch {
  std::int64_t first;  ///< number of its first block, a multiple of `size`
  std::int64_t size;   ///< number of blocks, a power of two
  std::array<T, Components> results;
};

/// Adds a branch behind others, and combines those that are the two halves of one.
template <class Operation, class T, int Components>
void add_branch(std::vector<Branch<T, Components>>& branches, const Branch<T, Components>& branch) {
  branches.push_back(branch);
  while (branches.size() > 1) {
    auto& left = branches[branches.size() - 2];
    const auto& right = branches.back();
    if (left.size != right.size || left.first % (2 * left.size) != 0) return;
    for_each_component<Operation, Components>([&](int c, auto operation) {
      left.results[c] = decltype(operation)::combine(left.results[c], right.results[c]);
    });
    left.size *= 2;
    branches.pop_back();
  }
}

/// Combines the branches of a whole tree. Without any: the result of no items.
template <class Operation, class T, int Components>
std::array<T, Components> combine_branches(std::vector<Branch<T, Components>> branches) {
  std::array<T, Components> results{};
  for_each_component<Operation, Components>([&](int c, auto operation) {
    if (branches.empty()) results[c] = decltype(operation)::template identity<T>();
  });
  for (std::size_t i = branches.size(); i-- > 0;) {
    if (i + 1 == branches.size()) results = branches[i].results;
    if (i == 0) break;
    for_each_component<Operation, Components>([&](int c, auto operation) {
      results[c] = decltype(operation)::combine(branches[i - 1].results[c], results[c]);
    });
  }
  return results;
}

/// The results of all ranks' blocks: the branches of each travel to all. Waits for the instance.
template <class Operation, int Components, class T, class ExecutionSpace, class Result>
void combine_over_ranks(const ExecutionSpace& exec, const Share& items, const T* results,
                        const Result& result) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Values = Kokkos::View<T*, typename ExecutionSpace::memory_space, Unmanaged>;
  const int blocks = items.n == 0 ? 0 : reduce_blocks(items.n);
  const auto on_host =
      to_host(exec, Values(const_cast<T*>(results), std::size_t(Components) * std::size_t(blocks)));
  std::vector<Branch<T, Components>> own, all;
  for (int block = 0; block < blocks; ++block) {
    Branch<T, Components> leaf{items.first / reduce_block + block, 1, {}};
    for (int c = 0; c < Components; ++c) leaf.results[c] = on_host(c * std::size_t(blocks) + block);
    add_branch<Operation>(own, leaf);
  }
  for (const auto& branch : gather_all(*items.ranks, std::span<const Branch<T, Components>>(own)))
    add_branch<Operation>(all, branch);
  auto total = combine_branches<Operation>(std::move(all));
  const Kokkos::View<T*, Kokkos::HostSpace, Unmanaged> from(total.data(), Components);
  Kokkos::deep_copy(exec, Values(result.data(), Components), from);
  exec.fence();
}

/// Enqueues the combination of the results of the blocks of some items, of which component c of a
/// block is at `results[c * blocks + block]`; they are overwritten.
template <class Operation, int Components, class T, class ExecutionSpace, class Result>
void combine_blocks(const ExecutionSpace& exec, const Share& items, T* results,
                    const Result& result, Workspace<ExecutionSpace>& workspace) {
  if (items.ranks) return combine_over_ranks<Operation, Components>(exec, items, results, result);
  const int team_size = is_host_space<ExecutionSpace> ? 1 : reduce_partials;
  int blocks = reduce_blocks(items.n);
  T* from = results;
  T* to = nullptr;  // two buffers take turns
  for (;;) {
    const int groups = reduce_blocks(blocks);
    if (groups > 1 && !to)
      to = workspace
               .template get<T>(exec, "Trackplex::Core::reduce_groups",
                                std::size_t(Components) * std::size_t(groups))
               .data();
    const CombineBlocks<Operation, T, Components> kernel{from, groups == 1 ? result.data() : to,
                                                         blocks, groups};
    for_each_team(exec, "Trackplex::Core::combine_blocks", Components * groups, kernel, team_size);
    if (groups == 1) return;
    blocks = groups;
    std::swap(from, to);
  }
}

/// As `reduce`, of the first `rows` rows of 32 items of each block.
template <class Operation, class Real, int Components, class ExecutionSpace, class Terms,
          class Result>
void reduce_rows_of_blocks(const ExecutionSpace& exec, const Share& items, int rows,
                           const Terms& terms, const Result& result,
                           Workspace<ExecutionSpace>& workspace) {
  using T = ScalarOf<Real>;
  static_assert(width_of<Real> <= reduce_partials,
                "At most 32 lanes share the partial results of a block.");
  const int team_size = is_host_space<ExecutionSpace> ? 1 : reduce_partials;
  const int blocks = reduce_blocks(items.n);
  const bool at_once = blocks == 1 && !items.ranks;
  T* results = result.data();
  if (!at_once)
    results = workspace
                  .template get<T>(exec, "Trackplex::Core::reduce_blocks",
                                   std::size_t(Components) * std::size_t(blocks))
                  .data();
  const ReduceBlocks<Operation, Real, Components, Terms> functor{terms, results, items.n, blocks,
                                                                 rows};
  for_each_team(exec, "Trackplex::Core::reduce", blocks, functor, team_size);
  if (!at_once) combine_blocks<Operation, Components>(exec, items, results, result, workspace);
}

}  // namespace detail

/// Reduces several terms of each item at once, with results whose bits do not depend on threads,
/// lanes, ranks or backend. Enqueues on the instance; with ranks, all of them call it, it waits for
/// the instance, and all get the result.
/// @tparam Operation `Sum`, `Min` or `Max` for all components, or `Each<...>` with one for each
/// @tparam Real number type of the kernel, `LanesOf<double, 4>` for example, of at most 32 lanes
/// @tparam Components number of terms of an item
/// @param exec the instance
/// @param items number of items, or the share of this rank, whose first number is a multiple of
///        4096: `Share(n, reduce_block, &ranks)`
/// @param terms functor; `terms(Tile<Real>)`, with numbers of items of this rank from 0 on, gives a `Kokkos::Array<Real, Components>`, whose lanes
///        past the end are ignored. It is called once for each item, and may also write data of the
///        item.
/// @param result View of the results, `result(0)` to `result(Components - 1)`, on the device
/// @param workspace memory for the results of blocks
template <class Operation, class Real, int Components, class ExecutionSpace, class Terms,
          class Result>
void reduce(const ExecutionSpace& exec, const Share& items, const Terms& terms,
            const Result& result, Workspace<ExecutionSpace>& workspace) {
  detail::reduce_rows_of_blocks<Operation, Real, Components>(exec, items, detail::reduce_rows,
                                                             terms, result, workspace);
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
  reduce<Operation, Real, 1>(exec, n, detail::ArrayTerms<Real>{x.data()}, result, workspace);
}

/// Sums powers: \f$\mathrm{result}_{k-1} = \sum_i (x_i - \mathrm{shift})^k\f$ for k = 1 to 4, on
/// the device. These are n times the moments about `shift`. Enqueues on the instance.
template <int Width, class ExecutionSpace, class Array, class Result>
void sum_powers(const ExecutionSpace& exec, const Array& x, const Share& n,
                typename Array::non_const_value_type shift, const Result& result,
                Workspace<ExecutionSpace>& workspace) {
  using Real = LanesOf<typename Array::non_const_value_type, Width>;
  reduce<Sum, Real, 4>(exec, n, detail::MomentTerms<Real>{x.data(), shift}, result, workspace);
}

}  // namespace trackplex
