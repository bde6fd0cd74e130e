// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Ranks: processes that share the items of a container, each with a part that follows the part
/// of the previous rank. The library uses them through an interface, without which one process has
/// all items; `mpi::Communicator` implements it.

#include <trackplex/core/compiled.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace trackplex {

/// Number of items of a block of a reduction: ranks have whole blocks.
inline constexpr int reduce_block = 4096;

/// Number of processes that mpirun reports as started; 0 if it did not start this process.
int launched_processes();

class SharedInput;
class SharedOutput;

/// Group of ranks, with their collective operations. All ranks call the same functions in
/// the same order, from one thread at a time.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;  ///< Number of this rank, from 0.
  virtual int size() const = 0;  ///< Number of ranks.

  /// Sums integers over the ranks, in place on all ranks. They may be in device memory if
  /// `reads_device_memory`.
  virtual void add(std::span<std::int64_t> values) const = 0;
  /// Returns the bytes of all ranks, in the order of the ranks.
  virtual std::vector<std::byte> gather_all(std::span<const std::byte> own) const = 0;
  /// Sends `to[r]` to rank r, and returns what the ranks sent to this one, in rank order.
  virtual std::vector<std::byte> exchange(std::span<const std::span<const std::byte>> to) const = 0;
  /// Whether `add` accepts device memory.
  virtual bool reads_device_memory() const { return false; }

  /// Opens a file for reading on all ranks (core/shared_file.hpp).
  /// @throws Error if a rank cannot open it
  virtual std::unique_ptr<SharedInput> open_file(const std::filesystem::path& path) const = 0;
  /// Creates a file, or empties an existing one, for writing on all ranks.
  /// @throws Error if that is not possible
  virtual std::unique_ptr<SharedOutput> create_file(const std::filesystem::path& path) const = 0;
};

namespace detail {
template <class T>
std::vector<T> values_of_bytes(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
}  // namespace detail

/// Returns the values of all ranks, in the order of the ranks.
template <class T>
std::vector<T> gather_all(const Ranks& ranks, std::span<const T> own) {
  return detail::values_of_bytes<T>(ranks.gather_all(std::as_bytes(own)));
}
/// Returns the values of all ranks, in the order of the ranks; without ranks, those of the process.
template <class T>
std::vector<T> gather_all(const Ranks* ranks, const std::vector<T>& own) {
  return ranks ? gather_all(*ranks, std::span<const T>(own)) : own;
}

/// Sends the values `own[begins[r]]` to `own[begins[r + 1] - 1]` to each rank r, and returns the
/// values that the ranks sent to this one, in rank order.
template <class T>
std::vector<T> exchange(const Ranks& ranks, std::span<const T> own,
                        std::span<const std::size_t> begins) {
  std::vector<std::span<const std::byte>> to;
  for (std::size_t r = 0; r + 1 < begins.size(); ++r)
    to.push_back(std::as_bytes(own.subspan(begins[r], begins[r + 1] - begins[r])));
  return detail::values_of_bytes<T>(ranks.exchange(to));
}

/// Returns the sum of a number of each rank; without ranks, the number.
inline std::int64_t sum_over(const Ranks* ranks, std::int64_t value) {
  if (ranks) ranks->add({&value, 1});
  return value;
}

/// Returns the sum of a number of the ranks before this one; without ranks, 0. All ranks call it.
std::int64_t sum_before(const Ranks* ranks, std::int64_t value);

/// Returns whether `value` is true on any rank; without ranks, the value.
inline bool on_any(const Ranks* ranks, bool value) { return sum_over(ranks, value) != 0; }

/// Part of a sequence of items that a rank has; without ranks, all items.
struct Share {
  int n = 0;                     ///< Number of items of this rank.
  std::int64_t first = 0;        ///< Number of its first item in the whole sequence.
  std::int64_t all = 0;          ///< Number of items of all ranks.
  const Ranks* ranks = nullptr;  ///< The ranks; null: there is one process.

  Share() = default;                                ///< No items.
  Share(int n_items) : n(n_items), all(n_items) {}  ///< All items.
  /// Distributes `all_items` over the ranks, about the same number to each, in whole blocks;
  /// without ranks, all to this process.
  /// @throws CapacityError if a rank gets 2^31 items or more
  Share(std::int64_t all_items, int block, const Ranks* of);

  /// Returns the begin of the share of rank `rank` of `size` ranks if all items are distributed in
  /// whole blocks; for `rank` equal to `size`, the number of items.
  static std::int64_t begin_of(std::int64_t all, int block, std::int64_t rank, std::int64_t size);
};

/// Returns the share of a rank with n items, which follow the items of the previous ranks. All
/// ranks call it.
Share gather_share(int n, const Ranks* ranks);

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/ranks.impl.hpp>
#endif
