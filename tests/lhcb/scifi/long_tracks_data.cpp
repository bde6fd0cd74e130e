// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>

#include "lhcb/decoded_scifi_events.hpp"
#include "lhcb/scifi/long_track_chain.hpp"
#include "support/lhcb_files.hpp"

#include <algorithm>

using namespace trackplex;

namespace {

struct Data {
  lhcb::Detector detector;
  lhcb::ScifiGeometry scifi;
  std::vector<lhcb::RawEvent> events;
  std::vector<lhcb::McEvent> truth;
};

Data read_data() {
  const auto folder = test::data_or_skip("lhcb-raw");
  Data data{io::read_detector(folder / "geometry"), test::lhcb_scifi_geometry(), {}, {}};
  for (const auto& name : test::lhcb_event_names()) {
    data.events.push_back(io::read_raw_event(folder, name.substr(0, name.find('.'))));
    data.events.back().scifi = test::lhcb_scifi_event(name).scifi;
    data.truth.push_back(test::lhcb_mc_event(name));
  }
  return data;
}

struct Found {
  validation::IdValidationResult all, fast;  ///< fast: ghosts of p > 3 GeV, pT > 0.5 GeV
};

template <class T>
void try_it(const Data& data, const char* label, const lhcb::VeloUtParams& params,
            const std::vector<std::pair<std::string, lhcb::ForwardParams>>& list) {
  const HostExecutor exec;
  auto chain = lhcb::velo_ut_chain<T>(exec, data.detector, params);
  chain(data.events);
  const auto banks = test::loaded_scifi_banks(exec, data.events);
  lhcb::ScifiHits<T, Kokkos::HostSpace> hits;
  run_algorithm(exec,
                lhcb::DecodeScifi<T, HostExecutor>{lhcb::scifi_decoding_table<T>(exec, data.scifi)},
                banks, hits);
  for (const auto& [name, forward] : list) {
    if (forward.end_of_velo_states && !params.ut.end_of_velo_states) continue;
    const auto tracks = test::long_id_tracks<T>(exec, chain, hits, forward, data.detector.polarity);
    auto all = validation::long_track_validation(true), fast = validation::long_track_validation();
    for (std::size_t e = 0; e < tracks.size(); ++e) {
      all.add(data.truth[e], tracks[e]);
      std::vector<validation::IdTrack> some;
      for (const auto& t : tracks[e])
        if (t.p > 3000. && t.p / std::cosh(t.eta) > 500.) some.push_back(t);
      fast.add(data.truth[e], some);
    }
    const auto& r = all.result();
    const auto& f = fast.result();
    std::vector<double> dp;
    int charge = 0;
    for (const auto& m : r.momenta) {
      dp.push_back(m.reconstructed / m.truth - 1.);
      charge += m.right_charge;
    }
    std::sort(dp.begin(), dp.end());
    const double med = dp[dp.size() / 2];
    for (auto& d : dp) d = std::abs(d - med);
    std::sort(dp.begin(), dp.end());
    std::printf(
        "%s %s: tracks %d ghosts %d = %.2f; fast %d %d = %.2f; Long %d p5 %d p3pt.5 %d str %d el "
        "%d clones %d; dp med %.5f w %.5f charge %d/%zu\n",
        label, name.c_str(), int(r.tracks), int(r.ghosts), 100. * r.ghosts / r.tracks,
        int(f.tracks), int(f.ghosts), 100. * f.ghosts / f.tracks, int(r["Long"].found),
        int(r["Long p>5GeV"].found), int(r["Long p>3GeV pT>0.5GeV"].found),
        int(r["Long strange"].found), int(r["Long electrons"].found), int(r["Long"].clones), med,
        dp[std::size_t(0.68 * dp.size())], charge, r.momenta.size());
  }
}

}  // namespace

TEST_CASE("scan") {
  const auto data = read_data();
  std::vector<std::pair<std::string, lhcb::ForwardParams>> list;
  const auto add = [&](const std::string& name, const auto& change) {
    lhcb::ForwardParams p;
    change(p);
    list.push_back({name, p});
  };
  list.push_back({"published", lhcb::forward_params()});
  add("default", [](auto&) {});
  add("end", [](auto& p) { p.end_of_velo_states = true; });
  add("uv20", [](auto& p) { p.stereo_distance2_per_slope = 20.; });
  add("uv30", [](auto& p) { p.stereo_distance2_per_slope = 30.; });
  add("cap64", [](auto& p) { p.max_window_hits = 64; });
  add("cap64 cand24", [](auto& p) {
    p.max_window_hits = 64;
    p.candidates = 24;
  });
  add("cap1000 cand40", [](auto& p) {
    p.max_window_hits = 1000;
    p.candidates = 40;
  });
  add("cap1000 cand40 uv20", [](auto& p) {
    p.max_window_hits = 1000;
    p.candidates = 40;
    p.stereo_distance2_per_slope = 20.;
  });
  add("cap1000 cand40 uv20 q0.3", [](auto& p) {
    p.max_window_hits = 1000;
    p.candidates = 40;
    p.stereo_distance2_per_slope = 20.;
    p.max_quality = 0.3;
  });
  add("q0.3", [](auto& p) { p.max_quality = 0.3; });
  add("q1", [](auto& p) { p.max_quality = 1.; });
  add("min10", [](auto& p) { p.min_hits = 10; });
  add("ty0.01", [](auto& p) { p.max_ty_difference = 0.01; });
  add("shared 0.3", [](auto& p) { p.max_shared = 0.3; });
  add("shared 0.7", [](auto& p) { p.max_shared = 0.7; });
  add("noUT", [](auto& p) { p.without_ut = true; });
  add("noUT q.15", [](auto& p) { p.without_ut = true; p.velo_max_quality = 0.15; });
  add("noUT q.1", [](auto& p) { p.without_ut = true; p.velo_max_quality = 0.1; });
  add("noUT min 11", [](auto& p) { p.without_ut = true; p.velo_min_hits = 11; });
  add("noUT uv20", [](auto& p) { p.without_ut = true; p.stereo_distance2_per_slope = 20.; });
  lhcb::VeloUtParams p20, best20, best23;
  p20.velo = best20.velo = lhcb::velo_params(lhcb::VeloConstants::y2020);
  best23.velo = lhcb::velo_params(lhcb::VeloConstants::y2023);
  p20.ut = lhcb::compass_params(lhcb::CompassConstants::y2020);
  auto p20no = p20;
  p20no.ut.final_selection = false;
  auto loose = best23;
  loose.ut.min_p = loose.ut.min_pt = 0.;
  loose.ut.min_window_p = 1500;
  loose.ut.min_window_pt = 200;
  try_it<double>(data, "2020/2020", p20, list);
  try_it<double>(data, "2020/2020 nofinal", p20no, list);
  try_it<float>(data, "2023/best", best23, list);
  try_it<float>(data, "2023/loose", loose, list);
}
