// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/io/bank_files.hpp>
#include <trackplex/io/lhcb_geometry.hpp>
#include <trackplex/io/velo_json.hpp>
#include <trackplex/lhcb/velo_parameters.hpp>

#include "pipeline/lhcb_velo.hpp"
#include "pipeline/lhcb_velo_ut.hpp"
#include "support/data.hpp"

using namespace trackplex;

TEST_CASE("The VELO sequence finds what the direct calls find in LHCb's events",
          "[pipeline][lhcb]") {
  const auto folder = test::data_or_skip("lhcb-velo-json");
  for (const char* name : {"minibias", "bsphiphi", "upgrade2"}) {
    CAPTURE(name);
    auto files = io::velo_event_files(folder / name);
    files.resize(std::min<std::size_t>(files.size(), 10));
    std::vector<lhcb::VeloEvent> events;
    for (const auto& file : files) events.push_back(io::read_velo_event(file));
    test::check_velo_sequence<float, default_lane_width<Kokkos::DefaultExecutionSpace, float>>(
        Kokkos::DefaultExecutionSpace(), events,
        lhcb::velo_tracking_parameters(lhcb::VeloConstants::y2023));
  }
}

TEST_CASE("The VELO and UT sequence finds what the direct calls find in LHCb's events",
          "[pipeline][lhcb]") {
  const auto folder = test::data_or_skip("lhcb-raw");
  const auto detector = io::read_detector(folder / "geometry");
  std::vector<lhcb::RawEvent> events;
  for (const auto& name : io::raw_event_names(folder))
    events.push_back(io::read_raw_event(folder, name));
  REQUIRE(events.size() == 10);
  test::check_velo_ut_sequence<float, default_lane_width<Kokkos::DefaultExecutionSpace, float>>(
      Kokkos::DefaultExecutionSpace(), detector, events, {},
      {test::velo_ut_fused, test::velo_ut_step_by_step});
}
