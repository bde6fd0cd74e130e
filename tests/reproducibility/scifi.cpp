// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/fingerprint.hpp>

#include "golden_hashes.hpp"
#include "lhcb/decoded_scifi_events.hpp"
#include "support/spaces.hpp"
#include "support/team_sizes.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

/// Decoded SciFi hits of generated banks of all versions.

using namespace trackplex;

namespace {

template <class Real>
void add(Fingerprint& hash, const test::ScifiReferenceEvent<Real>& event) {
  hash.add(event.invalid).add(std::uint64_t(event.hits.size()));
  for (const auto& hit : event.hits) {
    for (const Real value : {hit.x, hit.z, hit.y_begin, hit.y_end, hit.weight}) hash.add(value);
    hash.add(hit.zone).add(hit.size).add(hit.id);
  }
}

template <class Real, int Width, class Space>
std::string scifi_hash(int batch, int team_size = 0) {
  Fingerprint hash;
  for (const int version : {4, 5, 6, 7, 8}) {
    const auto geometry = test::small_scifi(version >= lhcb::scifi_link_version, version % 2 == 0);
    std::vector<lhcb::RawEvent> events;
    for (const unsigned seed : {1u, 2u, 3u})
      events.push_back(test::random_scifi_event(geometry, version, int(80 * seed), 20, seed));
    events.push_back(test::random_scifi_event(geometry, version, 20, 40, 4, true));
    for (std::size_t first = 0; first < events.size(); first += std::size_t(batch)) {
      const auto some =
          std::span(events).subspan(first, std::min(std::size_t(batch), events.size() - first));
      const auto decoded = test::decode_scifi_on<Width, Real, Space>(geometry, some, team_size);
      for (std::size_t e = 0; e < some.size(); ++e) add(hash, decoded.event(e));
    }
  }
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("SciFi hits are the same in all spaces and at all widths",
                        "[reproducibility]", test::EnabledSpaces) {
  const auto& golden = test::scifi_hits_golden;
  CHECK(scifi_hash<float, 1, TestType>(1) == golden.single_precision);
  CHECK(scifi_hash<double, 1, TestType>(4) == golden.double_precision);
  if constexpr (is_host_space<TestType>) {
    CHECK(scifi_hash<float, 8, TestType>(3) == golden.single_precision);
    CHECK(scifi_hash<float, 16, TestType>(4) == golden.single_precision);
    CHECK(scifi_hash<double, 4, TestType>(1) == golden.double_precision);
  }
}

TEMPLATE_LIST_TEST_CASE("SciFi hits are the same with teams of any size",
                        "[reproducibility][teams]", test::EnabledSpaces) {
  if constexpr (is_host_space<TestType>)
    for (const int size : test::tested_team_sizes<TestType>()) {
      CAPTURE(size);
      CHECK(scifi_hash<float, 1, TestType>(4, size) == test::scifi_hits_golden.single_precision);
      CHECK(scifi_hash<float, 8, TestType>(4, size) == test::scifi_hits_golden.single_precision);
    }
}
