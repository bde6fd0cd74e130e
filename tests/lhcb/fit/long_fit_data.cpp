// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/kalman_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/io/lhcb/mc_truth.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>
#include <trackplex/validation/long_fit_validation.hpp>
#include <trackplex/validation/long_id_tracks.hpp>
#include <trackplex/validation/velo_ut_id_tracks.hpp>
#include <trackplex/validation/vertex_validation.hpp>
#include <vector>

#include "support/data.hpp"

using namespace trackplex;
using validation::half_width_68;
using validation::LongFitValidation;

namespace {

/// The published parameters.
std::shared_ptr<const lhcb::KalmanTables> kalman_tables_or_skip() {
  const auto folder = test::data_or_skip("lhcb-scifi") / "geometry" / "kalman";
  if (!io::has_lzma) SKIP("this build has no liblzma");
  return std::make_shared<const lhcb::KalmanTables>(io::read_kalman_tables(folder));
}

/// Values of a member of all items.
template <class Item>
std::vector<double> fit_values(const std::vector<Item>& items, double Item::*member) {
  std::vector<double> list;
  for (const auto& item : items) list.push_back(item.*member);
  return list;
}

LongFitValidation fit_ten_events(const lhcb::TracksParams& params) {
  const std::vector<std::filesystem::path> folders = {test::data_or_skip("lhcb-raw"),
                                                      test::data_or_skip("lhcb-scifi")};
  const auto detector = io::read_detector(
      std::vector<std::filesystem::path>{folders[0] / "geometry", folders[1] / "geometry"});
  std::vector<lhcb::RawEvent> events;
  std::vector<lhcb::McEvent> truth;
  for (const auto& name : io::raw_event_names(folders)) {
    events.push_back(io::read_raw_event(folders, name));
    truth.push_back(io::read_mc_event(folders[1], name));
  }
  REQUIRE(events.size() == 10);
  const auto found = lhcb::tracks_chain<float>(HostExecutor(), detector, params)(events);
  auto matching = validation::long_track_validation();
  LongFitValidation all;
  for (std::size_t e = 0; e < found.size(); ++e) {
    matching.add(truth[e],
                 validation::long_id_tracks(found[e], validation::velo_id_tracks(found[e])));
    all.add(truth[e], found[e], matching.matches());
  }
  return all;
}

/// Cuts of 2020, for which there are reference figures.
lhcb::TracksParams fit_params_of_2020() {
  lhcb::TracksParams params;
  params.velo_ut.velo = lhcb::velo_params(lhcb::VeloConstants::y2020);
  params.velo_ut.ut = lhcb::compass_params(lhcb::CompassConstants::y2020);
  params.long_tracks = lhcb::forward_params();
  params.method = lhcb::LongTrackMethod::forward;
  return params;
}

/// Rough field of the magnet, with B_y on the axis near that of a Gaussian fit to LHCb's map,
/// -1.02 T exp(-(z - 5.007 m)^2 / (2 (1.744 m)^2)) (magnet down), scaled to the momenta of the ten
/// events; f(z + i y) obeys Maxwell's equations.
geometry::FieldGrid rough_magnet() {
  const auto field = [](double, double y, double z) {
    const double sigma = 174.4, u = z - 500.7, along = (u * u - y * y) / (2. * sigma * sigma);
    const double b = -0.98 * std::exp(-along), phase = -u * y / (sigma * sigma);
    return geometry::Vector3<double>{{0., b * std::cos(phase), b * std::sin(phase)}};
  };
  return geometry::sample_field({-400., 400., 3}, {-250., 250., 51}, {-100., 1100., 121}, field);
}

}  // namespace

TEST_CASE("The polynomials from the UT to the SciFi have the published values", "[lhcb][data]") {
  const auto t = lhcb::kalman_transport<double>(HostExecutor(), *kalman_tables_or_skip(), -1.);
  const auto check = [&](const lhcb::KalmanState<double>& s, const double(&expected)[4],
                         double by_qop) {
    const auto step = t.cells(s, s.qop);
    CHECK(std::abs(step.state.x - expected[0]) < 1e-4);
    CHECK(std::abs(step.state.y - expected[1]) < 1e-4);
    CHECK(std::abs(step.state.tx - expected[2]) < 1e-7);
    CHECK(std::abs(step.state.ty - expected[3]) < 1e-8);
    CHECK(step.state.z == 7826.);
    // which leaves out that the expected slopes change with q/p
    CHECK(std::abs(step.d[0][3] / by_qop - 1.) < 0.005);
  };
  check({100., 50., 2642.5, 0.05, 0.02, 1e-4}, {660.9702, 154.5310, 0.1645417, 0.02010059},
        3.061384e6);
  check({-300., 200., 2642.5, -0.1, 0.08, -2e-4}, {-1456.1254, 626.2751, -0.3464878, 0.07999298},
        3.392425e6);
}

TEST_CASE("Fits of the long tracks of the ten raw events are precise", "[lhcb][data]") {
  auto params = fit_params_of_2020();
  params.fit_tables = kalman_tables_or_skip();
  const auto compare = [](const LongFitValidation& all, double resolution, double min_pull,
                          double max_pull) {
    using Track = LongFitValidation::Track;
    using Impact = LongFitValidation::Impact;
    std::vector<Impact> fast;
    for (const auto& impact : all.impacts())
      if (impact.pt > 1000.) fast.push_back(impact);
    const double search = half_width_68(fit_values(all.tracks(), &Track::search_error));
    const double fit = half_width_68(fit_values(all.tracks(), &Track::error));
    const double qop_pull = half_width_68(fit_values(all.tracks(), &Track::qop_pull));
    const double ip_x = half_width_68(fit_values(fast, &Impact::x));
    CAPTURE(all.tracks().size(), search, fit, qop_pull, fast.size(), ip_x);
    CHECK(all.tracks().size() > 380);
    CHECK(std::abs(search - 0.0088) < 0.0003);
    CHECK(fit < resolution);
    CHECK(qop_pull > min_pull);
    CHECK(qop_pull < max_pull);
    CHECK(ip_x < 0.0225);
    for (const auto member :
         {&Impact::x_pull, &Impact::y_pull, &Impact::tx_pull, &Impact::ty_pull}) {
      const double pull = half_width_68(fit_values(all.impacts(), member));
      CAPTURE(pull);
      CHECK(pull > min_pull - 0.1);
      CHECK(pull < max_pull);
    }
  };
  compare(fit_ten_events(params), 0.0040, 1., 1.1);
  auto published = params;
  published.fit = lhcb::long_fit_params();
  const auto all = fit_ten_events(published);
  using Track = LongFitValidation::Track;
  CHECK(std::abs(half_width_68(fit_values(all.tracks(), &Track::error)) - 0.00396) < 2e-5);
  // errors of hits that are wrong for wide clusters, and no noise on the way to the beam
  CHECK(half_width_68(fit_values(all.tracks(), &Track::qop_pull)) > 1.1);
}

TEST_CASE("Fits of the ten raw events in a rough field follow the tracks", "[lhcb][data]") {
  auto params = fit_params_of_2020();
  params.field_map = std::make_shared<const geometry::FieldGrid>(rough_magnet());
  const auto all = fit_ten_events(params);
  using Track = LongFitValidation::Track;
  using Impact = LongFitValidation::Impact;
  auto errors = fit_values(all.tracks(), &Track::error);
  const double fit = half_width_68(errors);
  std::ranges::sort(errors);
  const double median = errors[errors.size() / 2];
  std::vector<Impact> fast;
  for (const auto& impact : all.impacts())
    if (impact.pt > 1000.) fast.push_back(impact);
  const double ip_x = half_width_68(fit_values(fast, &Impact::x));
  CAPTURE(all.tracks().size(), fit, median, ip_x);
  CHECK(all.tracks().size() > 380);
  CHECK(fit < 0.01);  // the field is not that of the magnet
  CHECK(std::abs(median) < 0.005);
  CHECK(ip_x < 0.025);
  for (const auto member : {&Impact::x_pull, &Impact::y_pull, &Impact::tx_pull, &Impact::ty_pull}) {
    const double pull = half_width_68(fit_values(all.impacts(), member));
    CAPTURE(pull);
    CHECK(pull > 0.9);
    CHECK(pull < 1.3);
  }
}
