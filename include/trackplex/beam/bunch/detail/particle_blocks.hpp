// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/ranks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace trackplex::beam::detail {

/// Arrays of a bunch that the host can read: those of the bunch where it is on the host.
template <class T, class ExecutionSpace>
class HostParticles {
  using BunchType = Bunch<T, MemoryOf<ExecutionSpace>>;
  template <class View>
  using OnHost = decltype(to_host(std::declval<const ExecutionSpace&>(), std::declval<View>()));
  using Column = OnHost<decltype(std::declval<const BunchType&>().values(0))>;

 public:
  /// Waits for the instance.
  HostParticles(const ExecutionSpace& exec, const BunchType& bunch)
      : ids_(to_host(exec, bunch.ids)), losses_(to_host(exec, bunch.losses)) {
    for (int c = 0; c < n_coordinates; ++c) columns_.push_back(to_host(exec, bunch.values(c)));
    for (int c = 0; c < n_spin_components && bunch.has_spins(); ++c)
      columns_.push_back(to_host(exec, bunch.spin_values(c)));
    empty_.reference = bunch.reference;
    empty_.particle_charge = bunch.particle_charge;
    empty_.anomaly = bunch.anomaly;
    empty_.has_spins = bunch.has_spins();
  }

  std::span<const std::int64_t> ids() const { return {ids_.data(), ids_.extent(0)}; }
  std::span<const Loss> losses() const { return {losses_.data(), losses_.extent(0)}; }

  /// Calls f(place of the first one, table) for blocks in an order; an empty one is that of the
  /// bunch.
  template <class F>
  void for_each_block(const std::vector<int>& order, std::int64_t first_place, const F& f) const {
    ParticleTable block = empty_;
    const int all = int(ids_.extent(0));
    for (int first = 0; first < all; first += block.size()) {
      const int n = std::min(reduce_block, all - first);
      const auto take = [&](const auto& from, auto& to) {
        to.resize(std::size_t(n));
        for (int i = 0; i < n; ++i)
          to[std::size_t(i)] = from(order.empty() ? first + i : order[std::size_t(first + i)]);
      };
      for (int c = 0; c < n_coordinates; ++c) take(columns_[std::size_t(c)], block.v[c]);
      for (int c = 0; c < n_spin_components && block.has_spins; ++c)
        take(columns_[std::size_t(n_coordinates + c)], block.spin[c]);
      take(losses_, block.losses);
      take(ids_, block.ids);
      f(first_place + first, std::as_const(block));
    }
  }

 private:
  OnHost<typename BunchType::template Array<std::int64_t>> ids_;
  OnHost<typename BunchType::template Array<Loss>> losses_;
  std::vector<Column> columns_;  ///< coordinates, then components of spins
  ParticleTable empty_;
};

}  // namespace trackplex::beam::detail
