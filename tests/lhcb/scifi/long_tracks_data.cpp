// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>
#include <trackplex/validation/long_id_tracks.hpp>
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

/// The tracks of the events, compared with the truth; `fast`: those above 3 GeV and 0.5 GeV in pT.
struct Compared {
  validation::IdValidationResult all, fast;

  /// Half the width around the median that contains 68 % of the relative errors of the momenta.
  double momentum_error() const {
    std::vector<double> errors;
    for (const auto& m : all.momenta) errors.push_back(m.reconstructed / m.truth - 1.);
    std::sort(errors.begin(), errors.end());
    const double median = errors[errors.size() / 2];
    for (double& error : errors) error = std::abs(error - median);
    std::sort(errors.begin(), errors.end());
    return errors[std::size_t(0.68 * double(errors.size()))];
  }
  std::size_t wrong_charges() const {
    return std::size_t(std::count_if(all.momenta.begin(), all.momenta.end(),
                                     [](const auto& m) { return !m.right_charge; }));
  }
};

template <class T>
Compared compare(const Data& data, const lhcb::VeloUtParams& params,
                 const lhcb::ForwardParams& forward) {
  lhcb::TracksParams all_params;
  all_params.velo_ut = params;
  all_params.long_tracks = forward;
  const auto found = lhcb::tracks_chain<T>(HostExecutor(), data.detector, all_params)(data.events);
  auto all = validation::long_track_validation(true), fast = validation::long_track_validation();
  for (std::size_t e = 0; e < found.size(); ++e) {
    const auto tracks = validation::long_id_tracks(found[e], validation::velo_id_tracks(found[e]));
    std::vector<validation::IdTrack> fast_tracks;
    for (const auto& track : tracks)
      if (track.p > 3000. && track.p > 500. * std::cosh(track.eta)) fast_tracks.push_back(track);
    all.add(data.truth[e], tracks);
    fast.add(data.truth[e], fast_tracks);
  }
  return {all.result(), fast.result()};
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
  const auto check = [&](const lhcb::VeloUtParams& params, bool without_ut, std::size_t all_long,
                         std::size_t fast_long) {
    lhcb::ForwardParams forward;
    forward.without_ut = without_ut;
    const auto found = compare<float>(data, params, forward);
    const auto& all = found.all;
    CAPTURE(without_ut, all["Long"].found, all["Long p>3GeV pT>0.5GeV"].found, all.tracks,
            all.ghosts, found.fast.tracks, found.fast.ghosts, found.momentum_error());
    CHECK(all["Long"].particles == 634);
    CHECK(all["Long p>5GeV"].particles == 416);
    CHECK(all["Long p>3GeV pT>0.5GeV"].particles == 234);
    CHECK(all["Long"].found == all_long);
    CHECK(all["Long p>3GeV pT>0.5GeV"].found == fast_long);
    CHECK(all["Long"].clones == 0);
    CHECK(all.ghost_rate().value() < 0.08);
    CHECK(found.fast.ghost_rate().value() < 0.085);
    CHECK(found.momentum_error() < 0.01);
    CHECK(found.wrong_charges() == 0);
  };
  check(params_of_2020(), false, 432, 202);
  check(params_of_2020(), true, 443, 208);
  check({}, false, 366, 208);
  check({}, true, 382, 212);
}
