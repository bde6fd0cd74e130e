// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of tracks that combinatorial building finds on modules, without those that share hits, and
// with their hits on neighbouring modules.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/candidates/add_overlap_hits.hpp>
#include <trackplex/candidates/resolve_ambiguities.hpp>

#include "events_in_detector.hpp"

namespace trackplex::test {
namespace {

/// Tracks without those that share hits, and their hits on neighbouring modules.
template <int Width, class Input>
std::string overlaps_hash(const EventsInDetector& of, const Input& input,
                          const typename Input::Found& found) {
  using Space = decltype(input.exec);
  using Memory = typename Input::Memory;
  tracks::KeptTracks<float, Memory> kept;
  using Remove = candidates::ResolveAmbiguities<float, Space, hits::DetectorHits<float, Memory>>;
  typename Remove::Scratch scratch;
  run_algorithm(input.exec, Remove{{5, 0.75}}, input.hits, found, kept, scratch);
  input.exec.fence();
  CHECK(kept.tracks.size() > 100);
  const auto states = states_on<float, kalman::CentralTrack>(
      input.exec, start_states(of.detector, of.events.hits, hits_of(kept.tracks.hits)));
  using Add = candidates::AddOverlapHits<float, Space, kalman::UniformField, Width>;
  tracks::TrackHits<Memory> hits;
  typename Add::States ends;
  typename Add::Scratch claims;
  run_algorithm(input.exec, Add{input.navigation, input.field},
                typename Add::Tracks{input.hits, kept.tracks.hits, input.navigation.detector},
                input.binned, states, hits, ends, claims);
  input.exec.fence();
  Fingerprint hash;
  hash.add(tracks_hash(kept.tracks));
  for (const auto& track : hits_of(hits))
    for (const auto hit : track) hash.add(hit);
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Tracks of combinatorial building on modules are the same everywhere",
                        "[reproducibility]", EnabledSpaces) {
  const EventsInDetector of;
  const DetectorBuildingInput<float, TestType> input(of.detector, of.events,
                                                     kalman::UniformField{building_tesla});
  const auto found = input.template build<candidates::CloneEngine<4>>(wide_search);
  CHECK(tracks_hash(found) == combinatorial_on_modules_golden);
  constexpr int width = test::state_lanes<TestType, float>;
  CHECK(overlaps_hash<width>(of, input, found) == overlap_hits_golden);
}

}  // namespace trackplex::test
