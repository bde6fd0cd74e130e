// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <random>
#include <set>
#include <trackplex/candidates/resolve_ambiguities.hpp>
#include <trackplex/core/host_executor.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "support/spaces.hpp"

namespace trackplex::candidates::test {
namespace {

constexpr int layers = 10;

struct PlainTrack {
  int event;
  std::vector<std::int32_t> hits;  ///< one per layer, -1 for none
  float chi2;

  int size() const {
    return int(std::count_if(hits.begin(), hits.end(), [](int h) { return h >= 0; }));
  }
};

/// Tracks one by one, from the best to the worst, as the documentation says.
std::vector<int> keep_one_by_one(const std::vector<PlainTrack>& tracks,
                                 const ResolveAmbiguitiesParams& params) {
  std::vector<int> order(tracks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const auto& s = tracks[std::size_t(a)];
    const auto& t = tracks[std::size_t(b)];
    return s.size() != t.size() ? s.size() > t.size() : s.chi2 < t.chi2;
  });
  std::set<std::tuple<int, int, int>> taken;  // event, layer, hit
  std::vector<int> kept;
  for (const int i : order) {
    const auto& track = tracks[std::size_t(i)];
    int own = 0;
    for (int layer = 0; layer < layers; ++layer) {
      const int hit = track.hits[std::size_t(layer)];
      if (hit >= 0 && taken.count({track.event, layer, hit}) == 0) ++own;
    }
    if (track.size() < params.min_hits || own < params.min_own_hits * track.size()) continue;
    for (int layer = 0; layer < layers; ++layer)
      if (const int hit = track.hits[std::size_t(layer)]; hit >= 0)
        taken.insert({track.event, layer, hit});
    kept.push_back(i);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

/// Few hits for many tracks; whole numbers as chi2, so that ties are frequent.
std::vector<PlainTrack> random_tracks(int n, int events, int hits_per_layer, unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](int end) { return int(random() % unsigned(end)); };
  std::vector<PlainTrack> tracks;
  for (int i = 0; i < n; ++i) {
    PlainTrack track{draw(events), {}, float(draw(20))};
    for (int layer = 0; layer < layers; ++layer)
      track.hits.push_back(draw(5) == 0 ? -1 : draw(hits_per_layer));
    tracks.push_back(track);
  }
  return tracks;
}

template <class Space>
hits::LayerHits<float, MemoryOf<Space>> hits_without_places(const Space& exec, int events,
                                                            int hits_per_layer) {
  hits::HostLayerHits<float> host(layers);
  for (int group = 0; group < events * layers; ++group) {
    for (int i = 0; i < hits_per_layer; ++i) host.add(0.f, 0.f, 0.f, {});
    host.end_layer();
  }
  hits::LayerHits<float, MemoryOf<Space>> hits;
  hits::upload(exec, host, hits);
  return hits;
}

template <class Space>
tracks::FoundTracks<float, MemoryOf<Space>> found_tracks(const Space& exec,
                                                         const std::vector<PlainTrack>& tracks) {
  tracks::FoundTracks<float, MemoryOf<Space>> found;
  found.allocate(exec, int(tracks.size()), layers);
  exec.fence();
  const auto states = found.states.view();
  for (int i = 0; i < found.size(); ++i) {
    const auto& track = tracks[std::size_t(i)];
    found.hits.event(i) = track.event;
    found.chi2(i) = track.chi2;
    found.found(i) = track.size();
    for (int layer = 0; layer < layers; ++layer)
      found.hits(i, layer) = track.hits[std::size_t(layer)];
    for (int p = 0; p < 6; ++p) states.parameters(i, p) = float(100 * i + p);
    for (int e = 0; e < 21; ++e) states.covariance.element(i, e) = float(e) - float(i);
    found.states.charge(i) = i % 2 ? 1.f : -1.f;
  }
  return found;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Tracks are kept as if they came one by one", "[candidates]",
                        trackplex::test::EnabledSpaces) {
  if constexpr (is_host_space<TestType>) {
    const TestType exec;
    typename ResolveAmbiguities<float, TestType>::Scratch scratch;
    tracks::KeptTracks<float, MemoryOf<TestType>> kept;
    for (unsigned seed = 1; seed <= 40; ++seed) {
      CAPTURE(seed);
      const int events = 1 + int(seed % 3), hits_per_layer = 5 + int(seed % 4) * 20;
      const int n = seed == 1 ? 0 : 20 * int(seed);
      const ResolveAmbiguitiesParams params{.min_hits = int(seed % 10),
                                            .min_own_hits = 0.25 * double(seed % 5)};
      const auto tracks = random_tracks(n, events, hits_per_layer, seed);
      const auto found = found_tracks(exec, tracks);
      const auto hits = hits_without_places(exec, events, hits_per_layer);
      run_algorithm(exec, ResolveAmbiguities<float, TestType>{params}, hits, found, kept, scratch);
      exec.fence();
      const auto expected = keep_one_by_one(tracks, params);
      REQUIRE(kept.tracks.size() == int(expected.size()));
      const auto states = kept.tracks.states.const_view();
      REQUIRE(states.parameters.size() == kept.tracks.size());
      REQUIRE(states.covariance.size() == kept.tracks.size());
      for (int i = 0; i < kept.tracks.size(); ++i) {
        const int from = expected[std::size_t(i)];
        REQUIRE(kept.origin(i) == from);
        REQUIRE(kept.tracks.chi2(i) == found.chi2(from));
        REQUIRE(kept.tracks.found(i) == found.found(from));
        REQUIRE(kept.tracks.hits.event(i) == found.hits.event(from));
        for (int layer = 0; layer < layers; ++layer)
          REQUIRE(kept.tracks.hits(i, layer) == found.hits(from, layer));
        REQUIRE(states.parameters(i, 5) == float(100 * from + 5));
        REQUIRE(states.covariance.element(i, 20) == 20.f - float(from));
        REQUIRE(kept.tracks.states.charge(i) == (from % 2 ? 1.f : -1.f));
      }
    }
  }
}

TEST_CASE("A duplicate goes, a track that shares little stays", "[candidates]") {
  using Space = HostExecutor;
  const Space exec;
  std::vector<PlainTrack> tracks(4, {0, {}, 1.f});
  for (int layer = 0; layer < layers; ++layer) {
    tracks[0].hits.push_back(0);
    tracks[1].hits.push_back(0);                  // the same, with less chi2
    tracks[2].hits.push_back(layer < 2 ? 0 : 1);  // shares two of ten hits
    tracks[3].hits.push_back(layer < 3 ? 0 : 2);  // shares three
  }
  tracks[1].chi2 = 0.5f;
  tracks::KeptTracks<float, MemoryOf<Space>> kept;
  ResolveAmbiguities<float, Space>::Scratch scratch;
  const auto hits = hits_without_places(exec, 1, 3);
  const auto found = found_tracks(exec, tracks);
  run_algorithm(exec, ResolveAmbiguities<float, Space>{}, hits, found, kept, scratch);
  exec.fence();
  REQUIRE(kept.tracks.size() == 2);
  CHECK(kept.origin(0) == 1);
  CHECK(kept.origin(1) == 2);
}

TEST_CASE("Of tracks with the same hits the one with less chi2 is kept, to 18 bits",
          "[candidates]") {
  using Space = HostExecutor;
  const Space exec;
  constexpr std::uint32_t step = 1u << 5;  // of the bits of a chi2 that are not compared
  const auto kept_of = [&](std::uint32_t more) {
    std::vector<PlainTrack> tracks(2, {0, std::vector<std::int32_t>(layers, 0), 1.f});
    tracks[0].chi2 = bit_cast<float>(bit_cast<std::uint32_t>(1.f) + more);
    tracks::KeptTracks<float, MemoryOf<Space>> kept;
    ResolveAmbiguities<float, Space>::Scratch scratch;
    const auto hits = hits_without_places(exec, 1, 1);
    run_algorithm(exec, ResolveAmbiguities<float, Space>{}, hits, found_tracks(exec, tracks), kept,
                  scratch);
    exec.fence();
    REQUIRE(kept.tracks.size() == 1);
    return kept.origin(0);
  };
  CHECK(kept_of(step) == 1);
  CHECK(kept_of(step - 1) == 0);  // as if equal: the first one
}

}  // namespace trackplex::candidates::test
