// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>
#include <trackplex/validation/long_id_tracks.hpp>
#include <trackplex/validation/momentum_resolution.hpp>
#include <trackplex/validation/velo_ut_id_tracks.hpp>

#include "support/lhcb_files.hpp"

using namespace trackplex;

namespace {

/// The ten simulated events.
struct Data {
  lhcb::Detector detector;
  std::vector<lhcb::RawEvent> events;
  std::vector<lhcb::McEvent> truth;
};

Data data_or_skip() {
  const auto folder = test::data_or_skip("lhcb-raw");
  Data data{io::read_detector(folder / "geometry"), {}, {}};
  data.detector.scifi = test::lhcb_scifi_geometry();
  for (const auto& name : test::lhcb_event_names()) {
    data.events.push_back(io::read_raw_event(folder, name.substr(0, name.find('.'))));
    data.events.back().scifi = test::lhcb_scifi_event(name).scifi;
    data.truth.push_back(test::lhcb_mc_event(name));
  }
  return data;
}

template <class T>
validation::IdValidationResult compare(const Data& data, const lhcb::VeloUtParams& params,
                                       lhcb::LongTrackMethod method, bool without_ut) {
  lhcb::TracksParams all_params;
  all_params.velo_ut = params;
  all_params.method = method;
  all_params.long_tracks.without_ut = without_ut;
  const auto found = lhcb::tracks_chain<T>(HostExecutor(), data.detector, all_params)(data.events);
  auto comparison = validation::long_track_validation(true);
  for (std::size_t e = 0; e < found.size(); ++e)
    comparison.add(data.truth[e],
                   validation::long_id_tracks(found[e], validation::velo_id_tracks(found[e])));
  return comparison.result();
}

/// Cuts of 2020 for VELO and UT, for which there are reference figures.
lhcb::VeloUtParams params_of_2020() {
  lhcb::VeloUtParams params;
  params.velo = lhcb::velo_params(lhcb::VeloConstants::y2020);
  params.ut = lhcb::compass_params(lhcb::CompassConstants::y2020);
  return params;
}

}  // namespace

TEST_CASE("Long tracks of the ten raw events are those of their truth", "[lhcb][data]") {
  const auto data = data_or_skip();
  using enum lhcb::LongTrackMethod;
  const auto check = [&](const lhcb::VeloUtParams& params, lhcb::LongTrackMethod method,
                         bool without_ut, std::size_t all_long, std::size_t fast_long) {
    const auto all = compare<float>(data, params, method, without_ut);
    const auto momenta = validation::momentum_resolution(all.momenta);
    CAPTURE(int(method), without_ut, all["Long"].found, all["Long p>3GeV pT>0.5GeV"].found,
            all.tracks, all.ghosts, all.fast_tracks, all.fast_ghosts, momenta.bias,
            momenta.resolution);
    CHECK(all["Long"].particles == 634);
    CHECK(all["Long p>5GeV"].particles == 416);
    CHECK(all["Long p>3GeV pT>0.5GeV"].particles == 234);
    CHECK(all["Long"].found == all_long);
    CHECK(all["Long p>3GeV pT>0.5GeV"].found == fast_long);
    CHECK(all["Long"].clones == 0);
    CHECK(all.ghost_rate().value() < 0.06);
    CHECK(all.fast_ghost_rate().value() < 0.055);
    CHECK(momenta.resolution < 0.01);
    CHECK(momenta.right_charges == momenta.charges);
  };
  check(params_of_2020(), forward, false, 429, 201);
  check(params_of_2020(), forward, true, 443, 209);
  check(params_of_2020(), matching, false, 420, 195);
  check(params_of_2020(), both, false, 475, 215);
  check({}, forward, false, 357, 198);
  check({}, forward, true, 381, 210);
  check({}, both, false, 467, 216);
}
