// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Ranks: processes that share the items of a container, each a part of them that follows that of
/// the rank before it. The library talks to them through an interface, without which one process
/// has all items; `mpi::Communicator` is the one that implements it.

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace trackplex {

/// What the ranks of a group can do together. All ranks call the same functions in the same order,
/// from one thread at a time.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;  ///< Number of this rank, from 0.
  virtual int size() const = 0;  ///< Number of ranks.

  /// Adds up whole numbers over the ranks, in place on all of them. They may be in the memory of a
  /// device if `reads_device_memory`.
  virtual void add(std::span<std::int64_t> values) const = 0;
  /// Returns the bytes of all ranks, in the order of the ranks.
  virtual std::vector<std::byte> gather_all(std::span<const std::byte> own) const = 0;
  /// Sends `to[r]` to rank r, and returns what the ranks sent to this one, in their order.
  virtual std::vector<std::byte> exchange(std::span<const std::span<const std::byte>> to) const = 0;
  /// Whether `add` takes memory of devices.
  virtual bool reads_device_memory() const { return false; }
};

/// Returns the values of all ranks, in the order of the ranks.
template <class T>
std::vector<T> gather_all(const Ranks& ranks, std::span<const T> own) {
  const auto bytes = ranks.gather_all(std::as_bytes(own));
  std::vector<T> all(bytes.size() / sizeof(T));
  std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(all)).begin());
  return all;
}

/// Returns whether `value` is true on any rank; without ranks, the value.
inline bool on_any(const Ranks* ranks, bool value) {
  std::int64_t n = value;
  if (ranks) ranks->add({&n, 1});
  return n != 0;
}

/// Part of a row of items that a rank has; without ranks, all of them.
struct Share {
  int n = 0;                     ///< Number of items of this rank.
  std::int64_t first = 0;        ///< Number of the first one in the row of all.
  std::int64_t all = 0;          ///< Number of items of all ranks.
  const Ranks* ranks = nullptr;  ///< The ranks; null: there is one process.

  Share() = default;                                ///< No items.
  Share(int n_items) : n(n_items), all(n_items) {}  ///< All items of a row.
  /// Deals `all_items` to the ranks, about the same number to each, in whole blocks; without ranks,
  /// all to this process.
  /// @throws CapacityError if a rank gets 2^31 items or more
  Share(std::int64_t all_items, int block, const Ranks* of) : all(all_items), ranks(of) {
    const std::int64_t rank = of ? of->rank() : 0, size = of ? of->size() : 1;
    const std::int64_t blocks = all / block + (all % block != 0);
    const auto begin = [&](std::int64_t r) {
      const std::int64_t part = blocks / size,
                         more = blocks % size;  // the first ones have one more
      return std::min((r * part + std::min(r, more)) * block, all);
    };
    first = begin(rank);
    const std::int64_t own = begin(rank + 1) - first;
    if (own > std::numeric_limits<int>::max())
      throw CapacityError("rank " + std::to_string(rank), "items", std::size_t(own),
                          std::size_t(std::numeric_limits<int>::max()), "use more ranks");
    n = int(own);
  }
};

}  // namespace trackplex
