// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/trace.hpp>

#include <catch2/catch_test_macros.hpp>
#include <thread>

using trackplex::TimedSpan;
using trackplex::Trace;

TEST_CASE("A trace keeps what threads did, and when", "[trace]") {
  Trace trace;
  const int first = trace.add_lane("slot 0"), second = trace.add_lane("slot 1");
  const auto work = [&](int lane) {
    for (int i = 0; i < 100; ++i) const TimedSpan span(&trace, lane, "run", i, 7);
  };
  std::thread one(work, first), other(work, second);
  one.join();
  other.join();
  CHECK(trace.lanes() == std::vector<std::string>{"slot 0", "slot 1"});
  const auto spans = trace.spans();
  REQUIRE(spans.size() == 200);
  int of_second = 0;
  for (const auto& span : spans) {
    of_second += span.lane == second;
    CHECK(span.name == "run");
    CHECK(span.events == 7);
    CHECK(span.begin_us >= 0.);
    CHECK(span.end_us >= span.begin_us);
    CHECK(span.end_us <= trace.now_us());
  }
  CHECK(of_second == 100);
  CHECK(trace.dropped() == 0);
}

TEST_CASE("A full trace counts what it leaves out", "[trace]") {
  Trace trace(2);
  for (int i = 0; i < 5; ++i) trace.record({.lane = 0, .name = "x"});
  CHECK(trace.spans().size() == 2);
  CHECK(trace.dropped() == 3);
}

TEST_CASE("Without a trace nothing is recorded", "[trace]") {
  const TimedSpan span(nullptr, 0, "run");
  SUCCEED();
}
