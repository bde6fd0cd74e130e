// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Where the events of a program come from, one at a time.

#include <trackplex/core/error.hpp>
#include <trackplex/pipeline/read_ahead.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace trackplex::program {

template <class Event>
struct EventSource {
  /// Returns the first event, then the next one, and null at the end. Throws for an event that is
  /// damaged, and goes on after it.
  using Next = std::function<std::shared_ptr<const Event>()>;

  std::size_t events = 0;  ///< at most; 0: not known
  bool in_memory = false;  ///< is made, not read, when it is opened
  std::function<Next()> open;
};

/// Items 0 to n - 1 that several threads read, in their order.
template <class Event, class Read>
EventSource<Event> read_by_threads(std::size_t n, int readers, const Read& read) {
  using Reader = pipeline::ReadAhead<std::shared_ptr<const Event>>;
  return {n, false, [=] {
            const auto reader = std::make_shared<Reader>(n, readers, [read](std::size_t i) {
              return std::shared_ptr<const Event>(std::make_shared<Event>(read(i)));
            });
            return [reader]() -> std::shared_ptr<const Event> {
              auto event = (*reader)();
              return event ? std::move(*event) : nullptr;
            };
          }};
}

/// Events that are made before the first one is asked for; `after_each()` shows how far it is.
template <class Event, class Make>
EventSource<Event> made_in_memory(std::size_t n, const Make& make) {
  return {n, true, [=] {
            return [=, i = std::size_t(0)]() mutable -> std::shared_ptr<const Event> {
              return i == n ? nullptr : std::make_shared<Event>(make(i++));
            };
          }};
}

/// Ends after so many events that are not damaged; 0: never.
template <class Event>
EventSource<Event> limited(EventSource<Event> source, std::size_t events) {
  if (events == 0) return source;
  const std::size_t most = source.events > 0 ? std::min(source.events, events) : events;
  return {most, source.in_memory, [open = std::move(source.open), events] {
            return [next = open(), left = events]() mutable -> std::shared_ptr<const Event> {
              if (left == 0) return nullptr;
              auto event = next();
              --left;
              return event;
            };
          }};
}

/// @throws UsageError unless events are either to be read or to be generated
inline void check_one_input(bool read, bool generate) {
  if (read && generate)
    throw UsageError("", "events come from either --input or --generate", "both were given",
                     "see --help");
}

}  // namespace trackplex::program
