// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/io/lhcb/velo_json.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>

#include "lhcb/velo/velo_chain.hpp"
#include "lhcb/velo_ut_chain.hpp"
#include "support/data.hpp"

using namespace trackplex;

TEST_CASE("The VELO chain finds the same in batches of LHCb's events", "[lhcb]") {
  const auto folder = test::data_or_skip("lhcb-velo-json");
  for (const char* name : {"minibias", "bsphiphi", "upgrade2"}) {
    CAPTURE(name);
    auto files = io::velo_event_files(folder / name);
    files.resize(std::min<std::size_t>(files.size(), 10));
    std::vector<lhcb::VeloEvent> events;
    for (const auto& file : files) events.push_back(io::read_velo_event(file));
    test::check_velo_chain<float, default_lane_width<Kokkos::DefaultExecutionSpace, float>>(
        Kokkos::DefaultExecutionSpace(), events, lhcb::velo_params(lhcb::VeloConstants::y2023));
  }
}

TEST_CASE("The VELO and UT chain finds the same in batches of LHCb's events", "[lhcb]") {
  const auto folder = test::data_or_skip("lhcb-raw");
  const auto detector = io::read_detector(folder / "geometry");
  std::vector<lhcb::RawEvent> events;
  for (const auto& name : io::raw_event_names(folder))
    events.push_back(io::read_raw_event(folder, name));
  REQUIRE(events.size() == 10);
  test::check_velo_ut_chain<float, default_lane_width<Kokkos::DefaultExecutionSpace, float>>(
      Kokkos::DefaultExecutionSpace(), detector, events, {});
}
