// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/workspace.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace trackplex::beam::detail {

/// Begin of the share of each rank, and the end of the last one.
using ShareStarts = std::vector<std::int64_t>;

ShareStarts starts_of(const std::vector<int>& sizes);

/// Aligned begins for shares of these sizes: at the nearest block, so that few particles move; in
/// equal parts if a rank would have a fourth more than the others.
ShareStarts aligned_starts(const ShareStarts& now);

/// Moves the particles of a bunch, the first `n` on this rank, to ranks whose shares begin at
/// `to`, from shares that begin at `from`; particles after the first n stay after them.
template <class T, class ExecutionSpace>
class MoveBetweenRanks {
 public:
  MoveBetweenRanks(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                   const ShareStarts& from, const ShareStarts& to,
                   Workspace<ExecutionSpace>& workspace)
      : exec_(exec), bunch_(bunch), workspace_(workspace), ranks_(*bunch.share().ranks) {
    const int rank = ranks_.rank();
    n_before_ = int(from[rank + 1] - from[rank]);
    n_after_ = int(to[rank + 1] - to[rank]);
    for (int other = 0; other < ranks_.size(); ++other) {
      sent_.push_back(overlap(from, rank, to, other));
      received_.push_back(overlap(to, rank, from, other));
    }
    sent_[rank].n = 0;
  }

  void operator()() {
    const auto received = exchange();
    const int n_behind = bunch_.size_with_lost() - n_before_;
    const auto old = bunch_;
    if (n_before_ != n_after_) bunch_.allocate(exec_, n_after_ + n_behind);
    std::size_t offset = 0;
    for_each_array(old, bunch_, [&](const auto& before, const auto& after) {
      offset = place(before, after, n_behind, received, offset);
    });
    auto share = bunch_.share();
    share.n = n_after_;
    bunch_.set_share(share);
  }

 private:
  /// Particles [first, first + n) of one share.
  struct Part {
    int first, n;
  };

  static Part overlap(const ShareStarts& own, int rank, const ShareStarts& others, int other) {
    const std::int64_t first = std::max(own[rank], others[other]);
    const std::int64_t end = std::min(own[rank + 1], others[other + 1]);
    return {int(first - own[rank]), int(std::max<std::int64_t>(end - first, 0))};
  }

  template <class F>
  static void for_each_array(const Bunch<T, MemoryOf<ExecutionSpace>>& before,
                             const Bunch<T, MemoryOf<ExecutionSpace>>& after, const F& f) {
    for (int c = 0; c < n_coordinates; ++c) f(before.values(c), after.values(c));
    if (before.has_spins())
      for (int c = 0; c < n_spin_components; ++c) f(before.spin_values(c), after.spin_values(c));
    f(before.ids, after.ids);
    f(before.losses, after.losses);
  }

  /// The arrays of the particles that other ranks send, one rank after another.
  std::vector<std::byte> exchange() const {
    std::vector<std::vector<std::byte>> bytes(sent_.size());
    for (std::size_t other = 0; other < sent_.size(); ++other)
      for_each_array(bunch_, bunch_, [&](const auto& array, const auto&) {
        if (sent_[other].n > 0) append(bytes[other], array, sent_[other]);
      });
    const std::vector<std::span<const std::byte>> to(bytes.begin(), bytes.end());
    return ranks_.exchange(to);
  }

  template <class Array>
  void append(std::vector<std::byte>& bytes, const Array& array, const Part& part) const {
    const auto host = to_host(exec_, part_of(array, part.first, part.n));
    const auto values = std::as_bytes(std::span(host.data(), host.extent(0)));
    bytes.insert(bytes.end(), values.begin(), values.end());
  }

  /// One array of all particles that are here now; returns where its successor is in what each rank
  /// has sent, bytes per particle.
  template <class Before, class After>
  std::size_t place(const Before& before, const After& after, int n_behind,
                    const std::vector<std::byte>& received, std::size_t offset) {
    using Value = typename Before::non_const_value_type;
    const auto all = workspace_.template get<Value>(exec_, "Trackplex::Beam::particles_between",
                                                    before.extent(0));
    copy_array(exec_, all, before);
    const auto copy = [&](const auto& from, int at) {
      copy_array(exec_, part_of(after, at, int(from.extent(0))), from);
    };
    std::size_t message = 0;  // of a rank
    int at = 0;
    for (int other = 0; other < ranks_.size(); ++other) {
      const int n = received_[other].n;
      if (n == 0) continue;
      if (other == ranks_.rank()) {
        copy(part_of(all, overlap_begin(), n), at);
      } else {
        const auto values = new_array<Kokkos::View<Value*, Kokkos::HostSpace>>(
            "Trackplex::Beam::received", std::size_t(n));
        std::memcpy(values.data(), received.data() + message + offset * std::size_t(n),
                    sizeof(Value) * std::size_t(n));
        copy(values, at);
        exec_.fence();
        message += bytes_per_particle() * std::size_t(n);
      }
      at += n;
    }
    copy(part_of(all, n_before_, n_behind), at);
    return offset + sizeof(Value);
  }

  /// Place, before the move, of the first particle that stays on this rank.
  int overlap_begin() const {
    int first = 0;
    for (int other = 0; other < ranks_.rank(); ++other) first += sent_[other].n;
    return first;
  }

  template <class Array>
  static auto part_of(const Array& array, int first, int n) {
    return Kokkos::subview(array, std::make_pair(std::size_t(first), std::size_t(first + n)));
  }

  std::size_t bytes_per_particle() const {
    const int n = n_coordinates + (bunch_.has_spins() ? n_spin_components : 0);
    return std::size_t(n) * sizeof(T) + sizeof(std::int64_t) + sizeof(Loss);
  }

  ExecutionSpace exec_;
  Bunch<T, MemoryOf<ExecutionSpace>>& bunch_;
  Workspace<ExecutionSpace>& workspace_;
  const Ranks& ranks_;
  int n_before_, n_after_;
  std::vector<Part> sent_, received_;
};

/// Moves particles so that the share of each rank, whose first n particles are not lost,
/// begins with a whole block of the remaining particles of all ranks. Waits for the instance.
template <class T, class ExecutionSpace>
void align_share(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch, int n,
                 Workspace<ExecutionSpace>& workspace) {
  const Ranks& ranks = *bunch.share().ranks;
  const auto now = starts_of(gather_all(ranks, std::span<const int>(&n, 1)));
  const auto to = aligned_starts(now);
  if (now != to) MoveBetweenRanks<T, ExecutionSpace>(exec, bunch, now, to, workspace)();
  Share share = bunch.share();
  share.first = to[ranks.rank()];
  share.n = int(to[ranks.rank() + 1] - share.first);
  share.all = to.back();
  bunch.set_share(share);
}

}  // namespace trackplex::beam::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/bunch/detail/align_share.impl.hpp>
#endif
