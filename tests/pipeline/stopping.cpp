// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs that are stopped, and readers and writers that do not come back.

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

#include "scenario.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::pipeline;
using namespace trackplex::test;
using namespace std::chrono_literals;

namespace {

/// Holds threads up until it is opened.
class Gate {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return open_; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

/// What threads share that may outlive a run.
struct Shared {
  Gate gate;
  std::mutex mutex;
  std::size_t read = 0;
  std::vector<std::size_t> order;
};

void wait_until_forgotten(const std::weak_ptr<Shared>& shared) {
  while (!shared.expired()) std::this_thread::sleep_for(1ms);
}

/// A pipeline whose reader and writer share the ownership of all they use.
template <class BeforeRead, class BeforeWrite>
Statistics run_shared(const std::shared_ptr<Shared>& shared, const PipelineOptions& options,
                      std::size_t events, const BeforeRead& before_read,
                      const BeforeWrite& before_write) {
  const Scenario scenario;
  std::atomic<std::size_t> attempts{0};
  return run_pipeline<std::size_t, std::uint64_t>(
      HostExecutor(), options,
      [&](const auto&, int) { return NumberProcessor(scenario, attempts); },
      [=](std::stop_token stop) -> std::optional<std::size_t> {
        if (shared->read == events) return std::nullopt;
        if (!before_read(*shared, shared->read, stop)) return std::nullopt;
        return shared->read++;
      },
      [=](std::size_t event, std::uint64_t&&) {
        before_write(*shared, event);
        const std::lock_guard lock(shared->mutex);
        shared->order.push_back(event);
      },
      [](const Failure& failure) { FAIL(failure.message); });
}

const auto do_not_wait_to_read = [](Shared&, std::size_t, const std::stop_token&) { return true; };
const auto do_not_wait_to_write = [](Shared&, std::size_t) {};

}  // namespace

TEST_CASE("A partial batch goes on while the reader waits", "[pipeline]") {
  // Event 13 is read after event 12 was written.
  const auto shared = std::make_shared<Shared>();
  auto options = options_with(3, 10);
  options.flush_after = 5ms;
  const auto statistics = run_shared(
      shared, options, 30,
      [](Shared& s, std::size_t event, const std::stop_token&) {
        if (event == 13) s.gate.wait();
        return true;
      },
      [](Shared& s, std::size_t event) {
        if (event == 12) s.gate.open();
      });
  CHECK(statistics.events_written == 30);
  CHECK(statistics.ending == Ending::end_of_input);
}

TEST_CASE("Each event of a slow reader goes on by itself", "[pipeline]") {
  Scenario scenario;
  scenario.events = 20;
  scenario.options = options_with(2, 10);
  scenario.options.flush_after = 0ms;
  std::atomic<std::size_t> written{0}, late{0};
  scenario.fault = [&](const std::string& stage, std::size_t event) {
    if (stage == "write") ++written;
    if (stage != "read") return;
    for (int i = 0; i < 5000 && written < event; ++i) std::this_thread::sleep_for(1ms);
    late += written < event;
  };
  check_whole(run(scenario), scenario);
  CHECK(late == 0);
}

TEST_CASE("A stop in the middle ends reading and drains what was read", "[pipeline]") {
  for (const char* const where : {"read", "run", "write"}) {
    CAPTURE(where);
    StopFlag stop;
    Scenario scenario;
    scenario.events = 10'000'000;
    scenario.options = options_with(2, 10);
    scenario.options.stop = &stop;
    scenario.fault = [&](const std::string& stage, std::size_t event) {
      if (stage == where && event == 500) stop.request_stop();
    };
    const Outcome outcome = run(scenario);
    CHECK(outcome.statistics.events_read > 500);
    CHECK(outcome.statistics.events_read < scenario.events);
    check_complete(outcome, outcome.statistics.events_read);
    CHECK(outcome.statistics.ending == Ending::stop_requested);
    CHECK_FALSE(outcome.statistics.broken());
  }
}

TEST_CASE("A stop wakes a reader that waits for its token", "[pipeline]") {
  StopFlag stop;
  auto options = options_with(2, 10);
  options.stop = &stop;
  const auto shared = std::make_shared<Shared>();
  const auto statistics = run_shared(
      shared, options, 100,
      [&stop](Shared&, std::size_t event, const std::stop_token& token) {
        if (event < 42) return true;
        stop.request_stop();
        while (!token.stop_requested()) std::this_thread::sleep_for(1ms);
        return false;
      },
      do_not_wait_to_write);
  CHECK(statistics.events_written == 42);
  CHECK(statistics.ending == Ending::stop_requested);
}

TEST_CASE("A flag that is set before the run", "[pipeline]") {
  StopFlag stop;
  stop.request_stop();
  Scenario scenario;
  scenario.events = 100'000'000;
  scenario.options.stop = &stop;
  const Outcome outcome = run(scenario);
  check_complete(outcome, outcome.statistics.events_read);
  CHECK(outcome.statistics.ending == Ending::stop_requested);
}

TEST_CASE("A signal stops the run, and its handler is the old one afterwards", "[pipeline]") {
  static std::atomic<int> old_handler_called{0};
  for (const int signal : {SIGINT, SIGTERM}) {
    old_handler_called = 0;
    const auto before = std::signal(signal, [](int) { ++old_handler_called; });
    StopFlag stop;
    {
      const StopOnSignal on_signal(stop);
      check_refused<UsageError>([&] { StopOnSignal second(stop); }, "there is one already");
      Scenario scenario;
      scenario.events = 10'000'000;
      scenario.options = options_with(2, 10);
      scenario.options.stop = &stop;
      scenario.fault = [&](const std::string& stage, std::size_t event) {
        if (stage == "write" && event == 500) std::raise(signal);
      };
      const Outcome outcome = run(scenario);
      check_complete(outcome, outcome.statistics.events_read);
      CHECK(outcome.statistics.ending == Ending::stop_requested);
      CHECK(outcome.statistics.events_read < scenario.events);
      CHECK(old_handler_called == 0);
      std::raise(signal);  // the second one does what it did before
      CHECK(old_handler_called == 1);
    }
    std::raise(signal);
    CHECK(old_handler_called == 2);
    std::signal(signal, before);
  }
}

TEST_CASE("A reader that stalls ends the run; what was read is written", "[pipeline]") {
  std::weak_ptr<Shared> left;
  {
    const auto shared = std::make_shared<Shared>();
    left = shared;
    auto options = options_with(2, 10);
    options.stall_limit = 50ms;
    Trace trace;  // ends before the thread that is stuck
    options.trace = &trace;
    const auto statistics = run_shared(
        shared, options, 100,
        [](Shared& s, std::size_t event, const std::stop_token&) {
          if (event == 25) s.gate.wait();
          return true;
        },
        do_not_wait_to_write);
    CHECK(statistics.ending == Ending::reader_stalled);
    CHECK(statistics.error == "the reader worked on one event for longer than 50 ms");
    CHECK(statistics.broken());
    CHECK(statistics.events_read == 25);
    CHECK(statistics.events_written == 25);
    CHECK(statistics.events_not_processed == 0);
    CHECK(shared->order.size() == 25);
    shared->gate.open();
  }
  wait_until_forgotten(left);
}

TEST_CASE("A reader that stalls, but heeds its token, is waited for", "[pipeline]") {
  const auto shared = std::make_shared<Shared>();
  auto options = options_with(2, 10);
  options.stall_limit = 50ms;
  const auto statistics = run_shared(
      shared, options, 100,
      [](Shared&, std::size_t event, const std::stop_token& stop) {
        while (event == 25 && !stop.stop_requested()) std::this_thread::sleep_for(1ms);
        return event != 25;
      },
      do_not_wait_to_write);
  CHECK(statistics.ending == Ending::reader_stalled);
  CHECK(statistics.events_written == 25);
  CHECK(shared.use_count() == 1);  // its thread has ended
}

TEST_CASE("A reader that is slow, but not too slow, ends no run", "[pipeline]") {
  const auto shared = std::make_shared<Shared>();
  auto options = options_with(2, 10);
  options.stall_limit = 10s;
  const auto statistics = run_shared(
      shared, options, 30,
      [](Shared&, std::size_t, const std::stop_token&) {
        std::this_thread::sleep_for(2ms);
        return true;
      },
      do_not_wait_to_write);
  CHECK(statistics.ending == Ending::end_of_input);
  CHECK(statistics.events_written == 30);
}

TEST_CASE("A writer that stalls ends the run; the rest is counted", "[pipeline]") {
  std::weak_ptr<Shared> left;
  {
    const auto shared = std::make_shared<Shared>();
    left = shared;
    auto options = options_with(2, 10);
    options.stall_limit = 50ms;
    Trace trace;
    options.trace = &trace;
    const auto statistics =
        run_shared(shared, options, 100000, do_not_wait_to_read, [](Shared& s, std::size_t event) {
          if (event == 33) s.gate.wait();
        });
    CHECK(statistics.ending == Ending::writer_stalled);
    CHECK(statistics.error == "the writer worked on one event for longer than 50 ms");
    CHECK(statistics.events_written == 33);
    CHECK(statistics.events_read == 33 + statistics.events_not_processed);
    CHECK(statistics.events_read < 33 + 10 * 10);
    shared->gate.open();
  }
  wait_until_forgotten(left);
}

TEST_CASE("Reader and writer both stall", "[pipeline]") {
  std::weak_ptr<Shared> left;
  {
    const auto shared = std::make_shared<Shared>();
    left = shared;
    auto options = options_with(2, 10);
    options.stall_limit = 30ms;
    options.flush_after = 1ms;
    const auto statistics = run_shared(
        shared, options, 100000,
        [](Shared& s, std::size_t event, const std::stop_token&) {
          if (event == 25) s.gate.wait();
          return true;
        },
        [](Shared& s, std::size_t event) {
          if (event == 3) s.gate.wait();
        });
    CHECK(statistics.broken());
    CHECK(statistics.events_written == 3);
    CHECK(statistics.events_read == 25);
    CHECK(statistics.events_not_processed == 22);
    shared->gate.open();
  }
  wait_until_forgotten(left);
}
