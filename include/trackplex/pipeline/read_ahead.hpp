// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace trackplex::pipeline {

/// Reader of the items of an input, such as files, that uses several threads and returns the items
/// in order: for readers of run_pipeline() that are too slow with one thread. Each thread is at
/// most `items_ahead_per_thread` items ahead of the caller.
///
/// Movable, not copyable; the destructor waits for reads in progress.
template <class Item>
class ReadAhead {
 public:
  static constexpr std::size_t items_ahead_per_thread = 16;  ///< items

  /// Starts the threads.
  /// @param n        number of items
  /// @param threads  number of threads
  /// @param read     `(std::size_t item) -> Item`, called by several threads at the same time
  /// @throws UsageError if there is no thread
  ReadAhead(std::size_t n, int threads, std::function<Item(std::size_t)> read)
      : state_(std::make_unique<State>(n, std::size_t(threads), std::move(read))) {
    if (threads < 1)
      throw UsageError("ReadAhead", "at least 1 thread is needed",
                       "it is " + std::to_string(threads));
    for (int i = 0; i < threads; ++i)
      state_->threads.emplace_back([state = state_.get()] { state->work(); });
  }

  /// Returns the next item; nothing at the end.
  /// @throws what `read` threw for this item; the next call returns the next item
  std::optional<Item> operator()() { return state_->next(); }

 private:
  struct Outcome {
    std::optional<Item> item{};
    std::exception_ptr error{};
  };

  struct State {
    State(std::size_t n_items, std::size_t n_threads, std::function<Item(std::size_t)> function)
        : n(n_items), ahead(n_threads * items_ahead_per_thread), read(std::move(function)) {}
    ~State() {
      {
        const std::lock_guard lock(mutex);
        n = 0;
      }
      threads_wake.notify_all();
      for (auto& thread : threads) thread.join();
    }

    void work() {
      std::unique_lock lock(mutex);
      for (;;) {
        threads_wake.wait(lock, [&] { return begun >= n || begun < given_out + ahead; });
        if (begun >= n) return;
        const std::size_t number = begun++;
        lock.unlock();
        Outcome outcome = attempt(number);
        lock.lock();
        done.emplace(number, std::move(outcome));
        if (number == given_out) reader_wakes.notify_one();
      }
    }

    Outcome attempt(std::size_t number) const {
      Outcome outcome;
      try {
        outcome.item = read(number);
      } catch (...) {
        outcome.error = std::current_exception();
      }
      return outcome;
    }

    std::optional<Item> next() {
      std::unique_lock lock(mutex);
      if (given_out == n) return std::nullopt;
      reader_wakes.wait(lock, [&] { return done.contains(given_out); });
      Outcome outcome = std::move(done.extract(given_out).mapped());
      ++given_out;
      lock.unlock();
      threads_wake.notify_one();
      if (outcome.error) std::rethrow_exception(outcome.error);
      return std::move(outcome.item);
    }

    std::mutex mutex;
    std::condition_variable threads_wake, reader_wakes;
    std::size_t n;
    const std::size_t ahead;
    const std::function<Item(std::size_t)> read;
    std::size_t begun = 0, given_out = 0;
    std::map<std::size_t, Outcome> done;
    std::vector<std::thread> threads;
  };

  std::unique_ptr<State> state_;
};

}  // namespace trackplex::pipeline
