// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/bytes.hpp>
#include <trackplex/mpi/communicator.hpp>
#include <trackplex/mpi/shared_counter.hpp>
#include <trackplex/pipeline/event_farm.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace trackplex::mpi {

/// Distributes the numbers of events to ranks: each rank draws its next batch from a shared
/// counter when it has finished its last one, so that a slow rank takes fewer. Rank 0 writes the
/// outcomes in the order of the numbers. It also processes events; a separate thread receives the
/// outcomes of the other ranks.
///
/// A rank that is far ahead of the slowest rank waits (see EventFarmOptions::window).
class MpiEventFarm final : public pipeline::EventFarm {
 public:
  /// All ranks call it. Rank 0 provides the writer, `first`, `window` and `limit`.
  MpiEventFarm(const Communicator& ranks, pipeline::EventFarmOptions options, Write write)
      : pipeline::EventFarm(of_all(std::move(options), ranks), std::move(write)),
        ranks_(ranks.get()),
        next_number_(ranks_, std::int64_t(this->options().first)),
        bound_of_all_(ranks_, first_bound()) {}

  /// Waits for all ranks, unless an exception is in flight.
  ~MpiEventFarm() override = default;

  /// Waits until all ranks arrive here and all available outcomes are written. Returns on rank 0
  /// the reports of all ranks in rank order, on the others nothing.
  std::vector<Outcome> finish(bool early = false, Outcome report = {}) override {
    end(early && ranks_.is_first());
    if (!ranks_.is_first()) {
      flush();
      ByteWriter message;
      message.add(early).add(report);
      send(message.bytes(), tag_end);
      wait_for_all();
      return {};
    }
    receive();
    receiver_.join();
    if (received_all_) wait_for_all();  // else they may never arrive
    rethrow();
    reports_.front() = std::move(report);
    return std::move(reports_);
  }

 private:
  static constexpr int tag_outcomes = 1, tag_end = 2;

  static pipeline::EventFarmOptions of_all(pipeline::EventFarmOptions options,
                                           const Communicator& ranks) {
    for (auto* value : {&options.first, &options.window, &options.limit})
      ranks.broadcast(std::span(value, 1));
    const auto batches = std::size_t(ranks.size()) * ranks.max_of(options.batch);
    options.window = std::max(options.window, batches);  // else a rank could wait for itself
    return options;
  }

  std::size_t draw(std::size_t n) override {
    if (ranks_.is_first()) receive();
    return std::size_t(next_number_.next(std::int64_t(n)));
  }
  std::int64_t bound() override { return bound_of_all_.load(); }
  void set_bound(std::int64_t bound) override { bound_of_all_.store(bound); }

  void deliver(std::size_t event, Outcome&& outcome, bool is_last) override {
    if (ranks_.is_first()) return write_in_order(event, std::move(outcome));
    unsent_.add(std::uint64_t(event)).add(outcome);
    // A batch is one message, unless its events are large.
    constexpr std::size_t enough = std::size_t(1) << 20;
    const bool is_full = ++n_unsent_ == options().batch || unsent_.bytes().size() >= enough;
    if (is_full || is_last) flush();
  }
  void flush() {
    if (n_unsent_ == 0) return;
    n_unsent_ = 0;
    send(unsent_.bytes(), tag_outcomes);
    unsent_.clear();
  }

  /// Waits without occupying a core.
  template <class IsDone>
  static void wait(const IsDone& is_done) {
    constexpr std::chrono::microseconds shortest{20}, longest{1000};
    for (auto pause = shortest; !is_done(); pause = std::min(2 * pause, longest))
      std::this_thread::sleep_for(pause);
  }

  /// A barrier.
  void wait_for_all() {
    MPI_Request request;
    ranks_.check(MPI_Ibarrier(ranks_.get(), &request), "MPI_Ibarrier");
    wait_for(request);
  }
  void wait_for(MPI_Request& request) {
    wait([&] {
      int is_done = 0;
      ranks_.check(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), "MPI_Test");
      return is_done != 0;
    });
  }

  void send(std::span<const std::byte> bytes, int tag) {
    if (bytes.size() > std::size_t(std::numeric_limits<int>::max()))
      throw CapacityError("MpiEventFarm", "bytes of outcomes", bytes.size(),
                          std::size_t(std::numeric_limits<int>::max()), "take smaller batches");
    MPI_Request request;
    ranks_.check(
        MPI_Isend(bytes.data(), int(bytes.size()), MPI_BYTE, 0, tag, ranks_.get(), &request),
        "MPI_Isend");
    wait_for(request);
  }

  void receive() {
    if (!receiver_.joinable())
      receiver_ = std::jthread([this](const std::stop_token& stop) { receive_all(stop); });
  }
  /// Loop of the receiver thread, until all other ranks have finished.
  void receive_all(const std::stop_token& stop) {
    try {
      std::vector<std::byte> bytes;
      for (int left = ranks_.size() - 1; left > 0;) {
        MPI_Message message;
        MPI_Status status;
        wait([&] {
          int is_there = 0;
          ranks_.check(
              MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, ranks_.get(), &is_there, &message, &status),
              "MPI_Improbe");
          return is_there != 0 || stop.stop_requested();
        });
        if (stop.stop_requested()) return;
        int n = 0;
        MPI_Get_count(&status, MPI_BYTE, &n);
        bytes.resize(std::size_t(n));
        ranks_.check(MPI_Mrecv(bytes.data(), n, MPI_BYTE, &message, MPI_STATUS_IGNORE),
                     "MPI_Mrecv");
        ByteReader reader(bytes);
        if (status.MPI_TAG == tag_end) {
          --left;
          if (reader.read<bool>()) close();
          reader.read(reports_[std::size_t(status.MPI_SOURCE)]);
        }
        while (!reader.at_end()) {
          const auto event = reader.read<std::uint64_t>();
          write_in_order(std::size_t(event), reader.read<Outcome>());
        }
      }
      received_all_ = true;
    } catch (...) {
      fail(std::current_exception());
    }
  }

  Communicator ranks_;
  SharedCounter next_number_, bound_of_all_;
  ByteWriter unsent_;
  std::size_t n_unsent_ = 0;
  std::vector<Outcome> reports_ = std::vector<Outcome>(std::size_t(ranks_.size()));
  bool received_all_ = false;
  std::jthread receiver_;
};

}  // namespace trackplex::mpi
