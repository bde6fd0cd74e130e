// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/io/lhcb/mc_truth.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>

#include "lhcb/velo_vertices.hpp"
#include "support/data.hpp"

using namespace trackplex;

namespace {

template <class T>
void check_vertices(const lhcb::TripletParams& params, std::uint64_t found) {
  const auto folder = test::data_or_skip("lhcb-raw");
  const auto detector = io::read_detector(folder / "geometry");
  std::vector<lhcb::RawEvent> events;
  for (const auto& name : io::raw_event_names(folder))
    events.push_back(io::read_raw_event(folder, name));
  REQUIRE(events.size() == 10);
  const auto vertices = test::velo_vertices<T, default_lane_width<HostExecutor, T>, HostExecutor>(
      detector, events, params);
  validation::VertexValidation sums;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto truth = io::read_mc_event(folder, io::raw_event_names(folder)[e]);
    sums.add(vertices[e], test::true_vertices(truth));
  }
  CHECK(sums.sums().reconstructible == 59);
  CHECK(sums.sums().found == found);
  CHECK(sums.sums().false_vertices == 0);
  CHECK(sums.sums().duplicates == 0);
  using validation::half_width_68;
  const double x = 1000. * half_width_68(sums.residuals(0)),
               y = 1000. * half_width_68(sums.residuals(1)),
               z = 1000. * half_width_68(sums.residuals(2));
  CAPTURE(x, y, z);
  CHECK(x < 18.);  // um
  CHECK(y < 18.);
  CHECK(z < 75.);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(half_width_68(sums.pulls(k)) > 0.8);
    CHECK(half_width_68(sums.pulls(k)) < 1.2);
  }
}

}  // namespace

TEST_CASE("The ten raw events have the vertices of their truth", "[lhcb][data]") {
  check_vertices<float>(lhcb::velo_params(lhcb::VeloConstants::y2020), 56);
  check_vertices<double>(lhcb::velo_params(lhcb::VeloConstants::y2020), 56);
  check_vertices<float>(lhcb::velo_params(lhcb::VeloConstants::y2023), 56);
}
