// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hits on neighbouring modules and in front of tracks, and tracks on modules that share hits.
#include <trackplex/candidates/add_inner_hits.hpp>
#include <trackplex/candidates/add_overlap_hits.hpp>
#include <trackplex/candidates/resolve_ambiguities.hpp>
#include <trackplex/core/host_executor.hpp>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "building_in_detector.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using test::hits_of;
using test::host_copy;

namespace {

const kalman::UniformField solenoid_of_overlaps{test::building_tesla};

int count(const std::vector<std::int32_t>& hits) {
  return int(std::count_if(hits.begin(), hits.end(), [](int hit) { return hit >= 0; }));
}

template <class Space>
struct OverlapInput {
  using Input = test::DetectorBuildingInput<float, Space>;
  using Hits = tracks::TrackHits<MemoryOf<Space>>;
  geometry::DetectorDescription detector = test::barrels_and_disks(0.3);
  tracks::DetectorEvents events = test::generated_events(detector, 2, 80);
  Input input{detector, events, solenoid_of_overlaps};

  /// Adds hits to tracks with these hits, in slots.
  template <int Width>
  Hits add(const std::vector<std::vector<std::int32_t>>& tracks,
           const std::vector<std::int32_t>& event) const {
    using Add = candidates::AddOverlapHits<float, Space, kalman::UniformField, Width>;
    std::vector<std::int32_t> all;
    for (const auto& track : tracks) all.insert(all.end(), track.begin(), track.end());
    const auto& exec = input.exec;
    const auto own = test::track_hits_on(exec, all, int(tracks[0].size()), event);
    const auto states = test::states_on<float, kalman::CentralTrack>(
        exec, test::start_states(detector, events.hits, tracks));
    Hits found;
    typename Add::States ends;
    typename Add::Scratch scratch;
    run_algorithm(exec, Add{input.navigation, input.field},
                  typename Add::Tracks{input.hits, own, input.navigation.detector}, input.binned,
                  states, found, ends, scratch);
    exec.fence();
    return found;
  }
  /// Adds hits in front of tracks, up to three.
  template <int Width>
  Hits add_inner(const std::vector<std::vector<std::int32_t>>& tracks,
                 const std::vector<std::int32_t>& event) const {
    using Add = candidates::AddInnerHits<float, Space, kalman::UniformField, Width>;
    std::vector<std::int32_t> all;
    for (const auto& track : tracks) all.insert(all.end(), track.begin(), track.end());
    const auto& exec = input.exec;
    const auto own = test::track_hits_on(exec, all, int(tracks[0].size()), event);
    typename Add::Tracks layers{input.hits, own, input.navigation.detector};
    auto states = test::states_on<float, kalman::CentralTrack>(
        exec, test::start_states(detector, events.hits, tracks));
    kalman::FitResults<float, MemoryOf<Space>> results;
    kalman::fit_tracks<Width>(exec, states, input.field, layers, {}, results);
    // At their last hits; from there with wide errors to the first ones
    auto there = kalman::states_on_host(exec, states);
    for (auto& state : there)
      for (auto& element : state.covariance.elements) element *= 100.;
    states = test::states_on<float, kalman::CentralTrack>(exec, there);
    layers.order = tracks::FitOrder::last_to_first;
    kalman::fit_tracks<Width>(exec, states, input.field, layers, {.along = false}, results);
    Hits found;
    typename Add::Scratch scratch;
    const auto inwards = geometry::with_graph(
        exec, input.navigation, geometry::reversed(geometry::find_layer_graph(detector)));
    run_algorithm(exec, Add{inwards, input.field, {.max_holes = 1, .max_layers = 4}}, layers,
                  input.binned, states, found, scratch);
    exec.fence();
    return found;
  }
};

/// Which tracks are kept one by one, from the best to the worst.
std::vector<int> kept_one_by_one(const std::vector<std::vector<std::int32_t>>& tracks,
                                 const std::vector<float>& chi2,
                                 const candidates::ResolveAmbiguitiesParams& params) {
  std::vector<int> order(tracks.size()), kept;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const int hits_a = count(tracks[std::size_t(a)]), hits_b = count(tracks[std::size_t(b)]);
    return hits_a != hits_b ? hits_a > hits_b : chi2[std::size_t(a)] < chi2[std::size_t(b)];
  });
  std::set<std::int32_t> taken;
  for (const int i : order) {
    const auto& hits = tracks[std::size_t(i)];
    const int n = count(hits);
    const auto own = std::count_if(hits.begin(), hits.end(),
                                   [&](auto hit) { return hit >= 0 && !taken.contains(hit); });
    if (n < params.min_hits || double(own) < params.min_own_hits * n) continue;
    kept.push_back(i);
    taken.insert(hits.begin(), hits.end());
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("hits on overlapping modules are added to tracks", "[candidates]",
                        test::EnabledSpaces) {
  OverlapInput<TestType> all;
  const auto& events = all.events;
  const auto layer_of = [&](int hit) {
    return events.hits.layer_of_module(events.hits.module[std::size_t(hit)]);
  };
  // The tracks of particles with one hit of each layer, as building finds them
  std::vector<std::vector<std::int32_t>> tracks;
  std::vector<std::int32_t> event;
  std::vector<std::set<std::int32_t>> further;
  std::size_t n_further = 0;
  for (const auto& particle : test::true_tracks(events)) {
    std::vector<std::int32_t> own;
    std::set<std::int32_t> others;
    int before = -1;
    for (const int hit : particle.hits) {
      if (own.size() < 12 && layer_of(hit) != before)
        own.push_back(hit);
      else if (layer_of(hit) == before)
        others.insert(hit);
      before = layer_of(hit);
    }
    if (own.size() < 4) continue;
    own.resize(12, -1);
    if (tracks.size() % 3 == 0 && own[11] < 0)  // slots may be empty in between
      std::rotate(own.begin() + 3, own.begin() + 11, own.end());
    tracks.push_back(own);
    event.push_back(particle.event);
    further.push_back(others);
    n_further += others.size();
  }
  REQUIRE(tracks.size() > 140);
  REQUIRE(n_further > 100);
  constexpr int width = test::state_lanes<TestType, float>;
  const auto added = hits_of(all.template add<width>(tracks, event));
  std::size_t right = 0, wrong = 0;
  std::map<std::int32_t, int> uses;
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    REQUIRE(added[t].size() == 36);
    for (std::size_t k = 0; k < 36; ++k) {
      const auto hit = added[t][k];
      if (hit >= 0) ++uses[hit];
      if (k % 3 == 0) {
        CHECK(hit == tracks[t][k / 3]);
      } else if (hit >= 0) {
        ++(further[t].contains(hit) ? right : wrong);
        CHECK(layer_of(hit) == layer_of(added[t][k - k % 3]));
        CHECK(events.hits.module[std::size_t(hit)] !=
              events.hits.module[std::size_t(added[t][k - k % 3])]);
      }
    }
  }
  CAPTURE(right, wrong, n_further);
  CHECK(double(right) > 0.88 * double(n_further));
  CHECK(double(wrong) < 0.05 * double(right));
  for (const auto& [hit, n] : uses) CHECK(n == 1);

  // Once more: no hit is on a track twice
  std::vector<std::vector<std::int32_t>> compact;
  for (const auto& track : added) {
    compact.emplace_back();
    for (const auto hit : track)
      if (hit >= 0) compact.back().push_back(hit);
    compact.back().resize(24, -1);
  }
  for (const auto& track : hits_of(all.template add<width>(compact, event))) {
    const std::set<std::int32_t> different(track.begin(), track.end());
    CHECK(int(different.size()) - int(different.contains(-1)) == count(track));
  }

  // A hit stays on the track with more hits, and of equals on the first
  auto shared = tracks;
  shared.push_back(tracks[7]);
  shared.push_back(tracks[9]);
  *std::find_if(shared.back().rbegin(), shared.back().rend(), [](int hit) { return hit >= 0; }) =
      -1;
  shared.insert(shared.begin(), shared.back());
  shared.pop_back();
  auto events_of_shared = event;
  events_of_shared.push_back(event[7]);
  events_of_shared.insert(events_of_shared.begin(), event[9]);
  const auto settled = hits_of(all.template add<width>(shared, events_of_shared));
  uses.clear();
  for (const auto& track : settled)
    for (const auto hit : track)
      if (hit >= 0) ++uses[hit];
  for (const auto& [hit, n] : uses) CHECK(n == 1);
  for (std::size_t k = 0; k < 36; k += 3) {
    CHECK(settled[0][k] == -1);
    CHECK(settled.back()[k] == -1);
    CHECK(settled[8][k] == added[7][k]);
    CHECK(settled[10][k] == added[9][k]);
  }
  // Of equal chi2 of hits on neighbouring modules, the first
  CHECK(settled[8] == added[7]);

  // A track keeps half of its hits, but not less: of two that share some, the shorter one
  std::size_t a = 0, b = 0;
  for (std::size_t t = 0; t < tracks.size(); ++t)
    for (std::size_t u = 0; u < tracks.size(); ++u)
      if (event[t] == event[u] && count(tracks[t]) >= 8 && count(tracks[u]) == 6) a = t, b = u;
  REQUIRE(a != b);
  for (const int common : {2, 3, 4}) {
    CAPTURE(common);
    auto pair = std::vector{tracks[b], tracks[a]};
    auto longer = tracks[a];
    std::erase(longer, -1);
    int n_before = 0;
    for (auto& hit : pair[0])
      if (hit >= 0 && n_before++ >= 6 - common) {
        hit = longer.back();
        longer.pop_back();
      }
    const auto left = hits_of(all.template add<width>(pair, {event[b], event[a]}));
    int own = 0;
    for (std::size_t k = 0; k < 36; k += 3) own += left[0][k] >= 0;
    CHECK(own == (common <= 3 ? 6 - common : 0));
  }

  // Of hits that are taken none is added
  std::vector<std::uint8_t> taken(events.hits.u.size());
  for (const auto& hits : further)
    for (const auto hit : hits) taken[std::size_t(hit)] = 1;
  all.input.bin(taken);
  std::size_t n = 0;
  for (const auto& track : hits_of(all.template add<width>(tracks, event)))
    for (std::size_t k = 0; k < 36; ++k) n += k % 3 != 0 && track[k] >= 0;
  CHECK(n <= wrong + 5);
}

TEMPLATE_LIST_TEST_CASE("hits in front of tracks are added", "[candidates]", test::EnabledSpaces) {
  OverlapInput<TestType> all;
  const auto& events = all.events;
  const auto layer_of = [&](int hit) {
    return events.hits.layer_of_module(events.hits.module[std::size_t(hit)]);
  };
  // The tracks of particles without the hits of their first one to three layers
  std::vector<std::vector<std::int32_t>> tracks, in_front;
  std::vector<std::int32_t> event;
  for (const auto& particle : test::true_tracks(events)) {
    std::vector<std::int32_t> own;
    for (const int hit : particle.hits)
      if (own.empty() || layer_of(hit) != layer_of(own.back())) own.push_back(hit);
    const auto n = tracks.size() % 3 + 1;
    if (own.size() < n + 4) continue;
    in_front.emplace_back(own.begin(), own.begin() + std::ptrdiff_t(n));
    own.erase(own.begin(), own.begin() + std::ptrdiff_t(n));
    own.resize(12, -1);
    tracks.push_back(own);
    event.push_back(particle.event);
  }
  REQUIRE(tracks.size() > 120);
  constexpr int width = test::state_lanes<TestType, float>;
  const auto added = hits_of(all.template add_inner<width>(tracks, event));
  std::size_t wanted = 0, right = 0, wrong = 0;
  std::map<std::int32_t, int> uses;
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    REQUIRE(added[t].size() == 15);
    CHECK(std::equal(tracks[t].begin(), tracks[t].end(), added[t].begin() + 3));
    wanted += in_front[t].size();
    for (std::size_t k = 0; k < 3; ++k) {
      const auto hit = added[t][k];
      if (hit < 0) continue;
      // of one layer, one of two hits on neighbouring modules
      const bool same = std::any_of(in_front[t].begin(), in_front[t].end(), [&](auto of) {
        return events.particle_of_hit[std::size_t(hit)] ==
                   events.particle_of_hit[std::size_t(of)] &&
               layer_of(hit) == layer_of(of);
      });
      ++(same ? right : wrong);
    }
    for (const auto hit : added[t])
      if (hit >= 0) ++uses[hit];
  }
  CAPTURE(wanted, right, wrong);
  CHECK(double(right) > 0.95 * double(wanted));
  CHECK(double(wrong) < 0.02 * double(wanted));
  for (const auto& [hit, n] : uses) CHECK(n == 1);

  // Hits of another track are not added, and of two tracks that find one the longer gets it
  auto more = tracks;
  auto of_more = event;
  more.push_back(in_front[2]);  // of three hits
  more.back().resize(12, -1);
  of_more.push_back(event[2]);
  const auto shorter = more.size();
  more.push_back(tracks[5]);
  *std::find_if(more.back().rbegin(), more.back().rend(), [](int hit) { return hit >= 0; }) = -1;
  of_more.push_back(event[5]);
  const auto settled = hits_of(all.template add_inner<width>(more, of_more));
  CHECK(std::count(settled[2].begin(), settled[2].begin() + 3, -1) == 3);
  CHECK(std::equal(in_front[2].begin(), in_front[2].end(), settled[shorter - 1].begin() + 3));
  CHECK(settled[5] == added[5]);
  CHECK(std::count(settled[shorter].begin(), settled[shorter].begin() + 3, -1) == 3);

  // Behind one layer without a hit tracks are followed on, not behind two
  std::vector<std::uint8_t> taken(events.hits.u.size());
  for (const std::size_t missing : {0, 1, 2}) {
    int n = 0, first = 0;
    for (std::size_t t = 2; t < tracks.size(); t += 3) {  // those without three
      const auto of_layer = [&](std::size_t k, const auto& visit) {
        for (std::size_t hit = 0; hit < taken.size(); ++hit)
          if (events.particle_of_hit[hit] == events.particle_of_hit[std::size_t(in_front[t][k])] &&
              layer_of(int(hit)) == layer_of(in_front[t][k]))
            visit(hit);
      };
      if (missing > 0) of_layer(3 - missing, [&](std::size_t hit) { taken[hit] = 1; });
    }
    all.input.bin(taken);
    const auto found = hits_of(all.template add_inner<width>(tracks, event));
    for (std::size_t t = 2; t < tracks.size(); t += 3) {
      ++n;
      first += found[t][0] >= 0 && layer_of(found[t][0]) == layer_of(in_front[t][0]);
    }
    CAPTURE(missing, n, first);
    CHECK((missing < 2 ? first > n * 8 / 10 : first < n / 10));
  }
}

TEMPLATE_LIST_TEST_CASE("tracks on modules that share hits are removed", "[candidates]",
                        test::EnabledSpaces) {
  OverlapInput<TestType> all;
  auto& input = all.input;
  // Each seed twice: all of the second ones are duplicates
  auto& list = input.list;
  const auto twice = [](auto& values) {
    const auto once = values;
    values.insert(values.end(), once.begin(), once.end());
  };
  twice(list.states);
  twice(list.hits);
  twice(list.event);
  twice(list.layer);
  input.seeds.states = test::states_on<float, kalman::CentralTrack>(input.exec, list.states);
  input.seeds.hits = test::track_hits_on(input.exec, list.hits, 3, list.event);
  input.seeds.layer = to_device<std::int32_t>(input.exec, "layer", list.layer);
  const auto found = input.template build<candidates::BestHit>();
  using Remove = candidates::ResolveAmbiguities<float, TestType,
                                                hits::DetectorHits<float, MemoryOf<TestType>>>;
  for (const candidates::ResolveAmbiguitiesParams params :
       {candidates::ResolveAmbiguitiesParams{4, 0.75}, {6, 0.9}}) {
    tracks::KeptTracks<float, MemoryOf<TestType>> kept;
    typename Remove::Scratch scratch;
    run_algorithm(input.exec, Remove{params}, input.hits, found, kept, scratch);
    input.exec.fence();
    const auto chi2 = host_copy(found.chi2);
    const auto lists = hits_of(found.hits);
    const auto expected =
        kept_one_by_one(lists, std::vector<float>(chi2.data(), chi2.data() + lists.size()), params);
    const auto origin = host_copy(kept.origin);
    REQUIRE(kept.tracks.size() == int(expected.size()));
    CHECK(kept.tracks.size() > 60);
    CHECK(kept.tracks.size() <= found.size() / 2);
    const auto kept_hits = hits_of(kept.tracks.hits);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(origin(i) == expected[i]);
      CHECK(kept_hits[i] == lists[std::size_t(expected[i])]);
    }
  }
}

TEST_CASE("tracks and states that do not belong together get no further hits", "[candidates]") {
  using Space = HostExecutor;
  const OverlapInput<Space> all;
  using Add = candidates::AddOverlapHits<float, Space, kalman::UniformField>;
  const auto& input = all.input;
  const Add add{input.navigation, input.field};
  typename Add::Hits found;
  typename Add::States ends;
  typename Add::Scratch scratch;
  Add::Tracks tracks{input.hits, input.seeds.hits, input.navigation.detector};
  const auto run = [&] {
    run_algorithm(input.exec, add, tracks, input.binned, input.seeds.states, found, ends, scratch);
  };
  CHECK_NOTHROW(run());
  tracks.tracks.tracks -= 1;
  test::check_refused<UsageError>(run, "add_overlap_hits");
  tracks.tracks.tracks += 1;
  tracks.hits.layers = 3;
  test::check_refused<UsageError>(run, "hits and detector do not belong together");
  tracks.hits.layers = input.hits.layers;
  auto binned = input.binned;
  binned.layers = 3;
  test::check_refused<UsageError>(
      [&] {
        run_algorithm(input.exec, add, tracks, binned, input.seeds.states, found, ends, scratch);
      },
      "hits and detector have different layers (3 and 19)");
  binned = input.binned;
  binned.events = 0;
  test::check_refused<UsageError>(
      [&] {
        run_algorithm(input.exec, add, tracks, binned, input.seeds.states, found, ends, scratch);
      },
      "there are no hits in bins");
}
