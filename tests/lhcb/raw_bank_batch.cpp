// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/lhcb/raw_bank_batch.hpp>

#include "support/refusals.hpp"
#include "support/small_raw_event.hpp"

using namespace trackplex;
using lhcb::RawEvent;

namespace {

using Space = HostExecutor;
using Batch = lhcb::RawBankBatch<Kokkos::HostSpace>;

Batch loaded(const std::vector<RawEvent>& events, lhcb::RawBanks RawEvent::*banks) {
  std::vector<const RawEvent*> pointers;
  for (const auto& event : events) pointers.push_back(&event);
  Batch batch;
  lhcb::allocate_raw_banks(Space{}, pointers, banks, batch);
  lhcb::stage_raw_banks(pointers, banks, batch);
  return batch;
}

}  // namespace

TEST_CASE("A batch holds the banks of its events, and events without any", "[lhcb]") {
  const auto event = test::small_raw_event();
  const auto batch = loaded({RawEvent{}, event, RawEvent{}, event}, &RawEvent::ut);
  CHECK(batch.version == 3);
  CHECK(batch.n_events == 4);
  REQUIRE(batch.n_banks == 4);
  REQUIRE(batch.n_words == 10);
  for (const int e : {0, 1}) CHECK(batch.event_banks(e) == 0);
  for (const int e : {2, 3}) CHECK(batch.event_banks(e) == 2);
  CHECK(batch.event_banks(4) == 4);
  for (int b = 0; b < 4; ++b) {
    CHECK(batch.sources(b) == event.ut.sources[b % 2]);
    CHECK(batch.first_words(b) == 5 * (b / 2) + event.ut.first_words[b % 2]);
  }
  CHECK(batch.first_words(4) == 10);
  for (int w = 0; w < 10; ++w) CHECK(batch.words(w) == event.ut.words[w % 5]);
  CHECK(loaded({}, &RawEvent::vp).n_banks == 0);
  CHECK(loaded({RawEvent{}}, &RawEvent::vp).version == 0);
}

TEST_CASE("Banks of two versions are not loaded into one batch", "[lhcb]") {
  auto other = test::small_raw_event();
  other.ut.version = 4;
  other.name = "other";
  const std::vector<RawEvent> events = {RawEvent{}, test::small_raw_event(), other};
  CHECK(loaded(events, &RawEvent::vp).n_banks == 6);
  test::check_refused<UsageError>([&] { loaded(events, &RawEvent::ut); },
                                  "other: its banks have another version than those before");
}
