// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Where the events of a program come from, one at a time.

#include <trackplex/core/error.hpp>
#include <trackplex/pipeline/read_ahead.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::program {

template <class Event>
struct EventSource {
  using Pointer = std::shared_ptr<const Event>;
  /// Returns the first event, then the next one, and null at the end. Throws for an event that is
  /// damaged, and goes on after it.
  using Next = std::function<Pointer()>;
  /// Numbers of events of the input, in their order; none at the end.
  using Numbers = std::function<std::optional<std::size_t>()>;

  std::size_t events = 0;  ///< at most; 0: not known
  bool in_memory = false;  ///< is made, not read, when it is opened
  std::function<Next()> open;
  /// Opens the events of these numbers, where others need not be read.
  std::function<Next(Numbers)> open_some{};
  std::size_t limit = 0;  ///< ends after so many events that are not damaged; 0: never

  /// Opens the events of these numbers. Numbers behind the end end it, too.
  Next open_numbers(Numbers numbers) const {
    if (open_some) return open_some(std::move(numbers));
    const auto next = std::make_shared<Next>(open());
    return some_of([=] { return (*next)(); }, [=] { return (*next)() != nullptr; },
                   std::move(numbers));
  }

  /// The events of these numbers of an input of which `next()` returns the next event, and `skip()`
  /// leaves out one, or returns false at the end.
  template <class ReadNext, class Skip>
  static Next some_of(ReadNext next, Skip skip, Numbers numbers) {
    return [=, at = std::size_t(0)]() mutable -> Pointer {
      const auto number = numbers();
      if (!number) return nullptr;
      while (at < *number) try {
          ++at;
          if (!skip()) return nullptr;
        } catch (const std::exception&) {  // those who have this event say so
        }
      ++at;
      return next();
    };
  }
};

namespace detail {

/// The i-th one of some numbers, for several threads, until they end or are not below n.
class SharedNumbers {
 public:
  SharedNumbers(std::size_t n, std::function<std::optional<std::size_t>()> next)
      : n_(n), next_(std::move(next)) {}

  /// One thread asks for numbers at a time; those that are known do not wait for it.
  std::optional<std::size_t> at(std::size_t i) {
    std::unique_lock lock(mutex_);
    const auto is_known = [&] { return i < numbers_.size() || ended_; };
    for (;;) {
      changed_.wait(lock, [&] { return is_known() || !is_asking_; });
      if (is_known()) break;
      is_asking_ = true;
      lock.unlock();
      std::optional<std::size_t> number;
      std::exception_ptr error;
      try {
        number = next_();
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      is_asking_ = false;
      ended_ = !number || *number >= n_;
      if (!ended_) numbers_.push_back(*number);
      changed_.notify_all();
      if (error) std::rethrow_exception(error);
    }
    return i < numbers_.size() ? std::optional(numbers_[i]) : std::nullopt;
  }

 private:
  const std::size_t n_;
  const std::function<std::optional<std::size_t>()> next_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::size_t> numbers_;
  bool is_asking_ = false, ended_ = false;
};

}  // namespace detail

/// Items 0 to n - 1 that several threads read, in their order.
template <class Event, class Read>
EventSource<Event> read_by_threads(std::size_t n, int readers, const Read& read) {
  using Source = EventSource<Event>;
  using Pointer = typename Source::Pointer;
  using Reader = pipeline::ReadAhead<Pointer>;
  const auto open = [=](std::size_t items, std::function<Pointer(std::size_t)> read_item) {
    return [reader = std::make_shared<Reader>(items, readers, std::move(read_item))] {
      auto event = (*reader)();
      return event ? std::move(*event) : nullptr;
    };
  };
  const auto read_one = [read](std::size_t i) -> Pointer {
    return std::make_shared<Event>(read(i));
  };
  return {.events = n,
          .in_memory = false,
          .open = [=]() -> typename Source::Next { return open(n, read_one); },
          .open_some = [=](typename Source::Numbers some) -> typename Source::Next {
            const auto numbers = std::make_shared<detail::SharedNumbers>(n, std::move(some));
            return open(std::numeric_limits<std::size_t>::max(), [=](std::size_t i) {
              const auto number = numbers->at(i);
              return number ? read_one(*number) : nullptr;
            });
          }};
}

/// Events that are made before the first one is asked for: `make(i)` returns an event or a pointer
/// to one.
template <class Event, class Make>
EventSource<Event> made_in_memory(std::size_t n, const Make& make) {
  using Pointer = typename EventSource<Event>::Pointer;
  return {n, true, [=] {
            return [=, i = std::size_t(0)]() mutable -> Pointer {
              if (i == n) return nullptr;
              if constexpr (std::is_convertible_v<std::invoke_result_t<const Make&, std::size_t>,
                                                  Pointer>)
                return make(i++);
              else
                return std::make_shared<Event>(make(i++));
            };
          }};
}

/// Ends after so many events that are not damaged; 0: never.
template <class Event>
EventSource<Event> limited(EventSource<Event> source, std::size_t events) {
  if (events == 0) return source;
  source.events = source.events > 0 ? std::min(source.events, events) : events;
  source.limit = events;
  source.open = [open = std::move(source.open), events] {
    return [next = open(), left = events]() mutable -> std::shared_ptr<const Event> {
      if (left == 0) return nullptr;
      auto event = next();
      --left;
      return event;
    };
  };
  return source;
}

/// @throws UsageError unless events are either to be read or to be generated
inline void check_one_input(bool read, bool generate) {
  if (read && generate)
    throw UsageError("", "events come from either --input or --generate", "both were given",
                     "see --help");
}

}  // namespace trackplex::program
