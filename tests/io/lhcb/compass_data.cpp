// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>

#include "lhcb/ut/compass_check.hpp"
#include "support/data.hpp"

using namespace trackplex;

TEST_CASE("Compass on the ten raw events is that of the reference", "[io][data]") {
  const auto folder = test::data_or_skip("lhcb-raw");
  const auto detector = io::read_detector(folder / "geometry");
  std::vector<lhcb::RawEvent> events;
  for (const auto& name : io::raw_event_names(folder))
    events.push_back(io::read_raw_event(folder, name));
  REQUIRE(events.size() == 10);

  using enum lhcb::CompassConstants;
  CHECK(test::compare_compass(detector, {}, events).tracks > 600);
  for (const auto constants : {y2019, y2020, y2023, paper}) {
    CAPTURE(int(constants));
    CHECK(test::compare_compass(detector, lhcb::compass_params(constants), events).tracks > 500);
  }
}
