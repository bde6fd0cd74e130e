// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <memory>
#include <optional>
#include <trackplex/lhcb/fingerprints.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>
#include <trackplex/pipeline/pipeline.hpp>

#include "golden_hashes.hpp"
#include "support/spaces.hpp"
#include "velo_events.hpp"

using namespace trackplex;

namespace {

using Event = std::shared_ptr<const lhcb::VeloEvent>;

// Memory of a slot: for all events at a time, and for a few.
constexpr std::size_t enough = 32 << 20, scarce = 1 << 20;

/// Hash of all tracks and states of the events, in the order in which they are written.
template <class Real, class Space>
std::string tracks_hash(int slots, int events_per_batch, std::size_t bytes) {
  const auto make_chain = [&](const Space& instance, int) {
    const auto params = lhcb::velo_params(lhcb::VeloConstants::y2023);
    return lhcb::velo_chain<Real>(instance, params, {bytes, bytes});
  };
  std::size_t next = 0;
  const auto read = [&](std::stop_token) -> std::optional<Event> {
    const auto& events = test::generated_velo_events();
    if (next == events.size()) return std::nullopt;
    return Event(Event(), &events[next++]);
  };
  Fingerprint hash;
  const auto write = [&](std::size_t, lhcb::VeloResult&& result) {
    lhcb::add_tracks<Real>(hash, result.tracks);
  };
  const auto statistics = pipeline::run_pipeline<Event, lhcb::VeloResult>(
      Space(), {.slots = slots, .events_per_batch = events_per_batch}, make_chain, read, write,
      [](const pipeline::Failure& failure) { FAIL_CHECK(failure.message); });
  CHECK((statistics.batches_made_smaller > 0) == (bytes == scarce));
  CHECK(statistics.events_written == test::generated_velo_events().size());
  return hash.hex();
}

template <class Real, class Space>
void check_space(const std::string& golden) {
  for (const int slots : {1, 3})
    for (const int events_per_batch : {1, 7, 30}) {
      CAPTURE(slots, events_per_batch);
      CHECK(tracks_hash<Real, Space>(slots, events_per_batch, enough) == golden);
    }
  CHECK(tracks_hash<Real, Space>(2, 30, scarce) == golden);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("VELO tracks of the pipeline are the same everywhere", "[reproducibility]",
                        test::EnabledSpaces) {
  check_space<float, TestType>(test::velo_tracks_2023_golden.single_precision);
  check_space<double, TestType>(test::velo_tracks_2023_golden.double_precision);
}
