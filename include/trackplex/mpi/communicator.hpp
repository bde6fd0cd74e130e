// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/core/rank_errors.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/mpi/mpi_error.hpp>
#include <trackplex/mpi/mpi_file.hpp>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::mpi {

/// MPI's name of a number type.
template <class T>
requires std::is_arithmetic_v<T> MPI_Datatype datatype() {
  if constexpr (std::is_same_v<T, float>) return MPI_FLOAT;
  if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
  if constexpr (std::is_signed_v<T>)
    return sizeof(T) == 8   ? MPI_INT64_T
           : sizeof(T) == 4 ? MPI_INT32_T
           : sizeof(T) == 2 ? MPI_INT16_T
                            : MPI_INT8_T;
  return sizeof(T) == 8   ? MPI_UINT64_T
         : sizeof(T) == 4 ? MPI_UINT32_T
         : sizeof(T) == 2 ? MPI_UINT16_T
                          : MPI_UINT8_T;
}

/// A group of ranks with separate messages, which do not mix with those of other groups. Failures
/// of MPI throw `mpi::Error`. Functions that all ranks must call are const members.
class Communicator : public Ranks {
 public:
  /// All ranks.
  Communicator() : Communicator(MPI_COMM_WORLD) {}
  /// The ranks of `of`. All of them call it.
  explicit Communicator(MPI_Comm of) {
    detail::check(MPI_Comm_dup(of, &communicator_), "MPI_Comm_dup");
    take();
  }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  Communicator(Communicator&& other) noexcept { *this = std::move(other); }  ///< Takes it over.
  /// Takes it over.
  Communicator& operator=(Communicator&& other) noexcept {
    std::swap(communicator_, other.communicator_);
    std::swap(rank_, other.rank_);
    std::swap(size_, other.size_);
    return *this;
  }
  /// Frees the group, if MPI has not ended.
  ~Communicator() override {
    int is_ended = 0;
    MPI_Finalized(&is_ended);
    if (communicator_ != MPI_COMM_NULL && !is_ended) MPI_Comm_free(&communicator_);
  }

  /// Returns a group of the ranks that pass the same colour, in the order of their numbers.
  Communicator split(int colour) const {
    Communicator part{Empty{}};
    check(MPI_Comm_split(communicator_, colour, rank_, &part.communicator_), "MPI_Comm_split");
    part.take();
    return part;
  }
  /// Returns the ranks of this node, which share its memory, cores and devices.
  Communicator node() const {
    Communicator part{Empty{}};
    check(MPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL,
                              &part.communicator_),
          "MPI_Comm_split_type");
    part.take();
    return part;
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  bool is_first() const { return rank_ == 0; }    ///< Whether it is rank 0.
  MPI_Comm get() const { return communicator_; }  ///< The communicator of MPI.

  /// Waits until all ranks arrive here.
  void barrier() const { check(MPI_Barrier(communicator_), "MPI_Barrier"); }

  /// Combines integers of all ranks elementwise, in place on all ranks, by an operation of MPI.
  /// The result depends on the order for sums of floating-point numbers, and for their MPI_MAX and
  /// MPI_MIN where one is NaN.
  template <std::integral T>
  void combine(std::span<T> values, MPI_Op operation) const {
    in_pieces(values.size(), [&](std::size_t first, int n) {
      check(MPI_Allreduce(MPI_IN_PLACE, values.data() + first, n, datatype<T>(), operation,
                          communicator_),
            "MPI_Allreduce");
    });
  }
  /// Sums integers over all ranks, in place.
  template <std::integral T>
  void add_up(std::span<T> values) const {
    combine(values, MPI_SUM);
  }
  /// Returns the sum of an integer over the ranks.
  template <std::integral T>
  T sum_of(T value) const {
    combine(std::span(&value, 1), MPI_SUM);
    return value;
  }
  /// Returns the max of an integer over the ranks.
  template <std::integral T>
  T max_of(T value) const {
    combine(std::span(&value, 1), MPI_MAX);
    return value;
  }
  /// Returns whether `value` is true on any rank.
  bool any(bool value) const { return max_of(int(value)) != 0; }

  /// Broadcasts the values of rank `root`; all ranks have the same number of values.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void broadcast(std::span<T> values, int root = 0) const {
    const auto bytes = std::as_writable_bytes(values);
    in_pieces(bytes.size(), [&](std::size_t first, int n) {
      check(MPI_Bcast(bytes.data() + first, n, MPI_BYTE, root, communicator_), "MPI_Bcast");
    });
  }
  /// Broadcasts the bytes of rank `root`.
  void broadcast(std::vector<std::byte>& bytes, int root = 0) const {
    std::uint64_t n = bytes.size();
    broadcast(std::span(&n, 1), root);
    bytes.resize(n);
    broadcast(std::span(bytes), root);
  }

  void add(std::span<std::int64_t> values) const override { add_up(values); }

  std::vector<std::byte> gather_all(std::span<const std::byte> own) const override {
    const int n = count_of(own.size(), "MPI_Allgather");
    std::vector<int> counts(std::size_t(size_), 0);
    check(MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, communicator_), "MPI_Allgather");
    std::vector<std::byte> all(sum(counts));
    const auto offsets = offsets_of(counts);
    check(MPI_Allgatherv(own.data(), n, MPI_BYTE, all.data(), counts.data(), offsets.data(),
                         MPI_BYTE, communicator_),
          "MPI_Allgatherv");
    return all;
  }

  std::vector<std::byte> exchange(std::span<const std::span<const std::byte>> to) const override {
    if (to.size() != std::size_t(size_))
      throw UsageError("mpi::Communicator::exchange", "each rank needs its bytes",
                       std::to_string(to.size()) + " of " + std::to_string(size_) + " have some");
    std::vector<std::uint64_t> sent, received(std::size_t(size_), 0);
    for (const auto bytes : to) sent.push_back(bytes.size());
    check(
        MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, communicator_),
        "MPI_Alltoall");
    std::vector<std::byte> all(std::accumulate(received.begin(), received.end(), std::uint64_t(0)));
    std::vector<MPI_Request> requests;
    std::byte* end = all.data();
    for (int from = 0; from < size_; ++from) {
      if (from == rank_)
        std::copy(to[from].begin(), to[from].end(), end);
      else
        receive({end, received[from]}, from, requests);
      end += received[from];
    }
    for (int i = 1; i < size_; ++i) send(to[(rank_ + i) % size_], (rank_ + i) % size_, requests);
    check(MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    return all;
  }

  std::unique_ptr<SharedInput> open_file(const std::filesystem::path& path) const override {
    std::unique_ptr<SharedInput> file;
    RankErrors errors(this);
    errors.run([&] {
      check_input(path);  // with the messages of a program without ranks
      file = std::make_unique<InputFile>(communicator_, path);
    });
    errors.check();
    return file;
  }
  std::unique_ptr<SharedOutput> create_file(const std::filesystem::path& path) const override {
    std::unique_ptr<SharedOutput> file;
    RankErrors errors(this);
    errors.run([&] {
      if (is_first()) write_file(path, {});
    });
    errors.check();
    errors.run([&] { file = std::make_unique<OutputFile>(communicator_, path); });
    errors.check();
    return file;
  }

  /// Whether this MPI reports support for memory of CUDA or ROCm devices.
  bool reads_device_memory() const override {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
    if (MPIX_Query_cuda_support()) return true;
#endif
#if defined(MPIX_ROCM_AWARE_SUPPORT) && MPIX_ROCM_AWARE_SUPPORT
    if (MPIX_Query_rocm_support()) return true;
#endif
    return false;
  }

  /// Throws if a call of MPI on this group has failed; for the caller's own calls of MPI.
  /// @throws Error with rank and call
  void check(int code, const char* call) const { detail::check(code, call, communicator_); }

 private:
  struct Empty {};
  explicit Communicator(Empty) {}

  void take() {
    check(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
  }

  /// Starts to receive what a rank sends in `exchange`.
  void receive(std::span<std::byte> bytes, int from, std::vector<MPI_Request>& requests) const {
    in_pieces(bytes.size(), [&](std::size_t first, int n) {
      check(MPI_Irecv(bytes.data() + first, n, MPI_BYTE, from, exchange_tag, communicator_,
                      &requests.emplace_back()),
            "MPI_Irecv");
    });
  }
  void send(std::span<const std::byte> bytes, int to, std::vector<MPI_Request>& requests) const {
    in_pieces(bytes.size(), [&](std::size_t first, int n) {
      check(MPI_Isend(bytes.data() + first, n, MPI_BYTE, to, exchange_tag, communicator_,
                      &requests.emplace_back()),
            "MPI_Isend");
    });
  }

  /// Calls f(first, n) for parts of n_all items that MPI can count.
  template <class F>
  static void in_pieces(std::size_t n_all, const F& f) {
    constexpr std::size_t most = std::size_t(1) << 30;
    for (std::size_t first = 0; first < n_all; first += most)
      f(first, int(std::min(most, n_all - first)));
  }

  int count_of(std::size_t bytes, const char* call) const {
    if (bytes > std::size_t(std::numeric_limits<int>::max()))
      throw CapacityError(call, "bytes", bytes, std::size_t(std::numeric_limits<int>::max()),
                          "use more ranks");
    return int(bytes);
  }
  /// @throws CapacityError if MPI cannot count the sum
  std::size_t sum(const std::vector<int>& counts) const {
    const auto n = std::accumulate(counts.begin(), counts.end(), std::size_t(0));
    return std::size_t(count_of(n, "bytes of all ranks"));
  }
  static std::vector<int> offsets_of(const std::vector<int>& counts) {
    std::vector<int> offsets(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
    return offsets;
  }

  static constexpr int exchange_tag = 32767;  // the largest tag that every MPI supports
  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

}  // namespace trackplex::mpi
