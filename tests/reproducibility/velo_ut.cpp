// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "velo_ut_chain.hpp"

using namespace trackplex;

namespace {

void add(Fingerprint& hash, const lhcb::RawBanks& banks) {
  hash.add(banks.version).add(banks.sources).add(banks.bytes).add(banks.first_words);
  hash.add(banks.words);
}

void add(Fingerprint& hash, const lhcb::McEvent& truth) {
  for (const auto& q : truth.particles) {
    hash.add(q.key).add(q.pid).add(q.mother_key).add(q.n_vertices);
    for (const float value :
         {q.p, q.pt, q.eta, q.phi, q.origin_x, q.origin_y, q.origin_z, q.charge})
      hash.add(value);
    for (const bool flag : {q.is_long, q.is_down, q.has_velo, q.has_ut, q.has_scifi, q.from_beauty,
                            q.from_charm, q.from_strange, q.from_signal})
      hash.add(flag);
    hash.add(q.velo_ids).add(q.ut_ids).add(q.scifi_ids);
  }
  for (const auto& v : truth.vertices) hash.add(v.n_tracks).add(v.x).add(v.y).add(v.z);
}

}  // namespace

TEST_CASE("generated raw events are the same everywhere", "[reproducibility]") {
  Fingerprint hash;
  for (const auto& event : test::generated_raw_events()) {
    add(hash, event.raw.vp);
    add(hash, event.raw.ut);
    add(hash, event.truth);
  }
  CHECK(hash.hex() == test::raw_events_golden);
}

TEST_CASE("generated raw events with a SciFi are the same everywhere", "[reproducibility]") {
  Fingerprint hash;
  for (const float polarity : {-1.f, 1.f})
    for (const auto& event : test::generated_scifi_events(polarity)) {
      add(hash, event.raw.vp);
      add(hash, event.raw.ut);
      add(hash, event.raw.scifi);
      add(hash, event.truth);
    }
  CHECK(hash.hex() == test::raw_scifi_events_golden);
}

TEST_CASE("UT tracks are the same at all widths", "[reproducibility]") {
  using Space = test::FirstSpace;
  test::check_velo_ut<float, Space, 1>();
  if constexpr (is_host_space<Space>) {
    test::check_velo_ut<float, Space, 4>();
    test::check_velo_ut<float, Space, 8>();
    test::check_velo_ut<float, Space, 16>();
  }
}
