// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "raw_event_decoding.hpp"

#include <support/data.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

using Catch::Matchers::WithinRel;
using namespace trackplex;

/// The banks of one of the shared files: their number, where each begins, and each one's source and
/// payload.
lhcb::RawBanks read_banks(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(stream), {});
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), 4 * words.size());
  const std::uint32_t n = words.at(0);
  lhcb::RawBanks banks;
  for (std::uint32_t b = 0; b < n; ++b) {
    const auto* bank = words.data() + n + 2 + words.at(1 + b) / 4;
    const std::uint32_t size = (words.at(2 + b) - words[1 + b]) / 4;
    banks.push_back(std::uint16_t(bank[0]), {bank + 1, size - 1});
  }
  return banks;
}

struct Means {
  double super_pixels = 0., isolated = 0., clusters = 0., pixels = 0., single = 0.;
  double ut_hits = 0., ut_on_strip = 0.;  ///< the latter without a fraction

  void add(const lhcb::RawBanks& vp, const lhcb::RawBanks& ut) {
    for (std::size_t b = 0; b < vp.size(); ++b) {
      for (const auto word : vp.payload(b).subspan(1, vp.payload(b)[0])) isolated += word >> 31;
      super_pixels += vp.payload(b)[0];
    }
    for (const auto& cluster : test::velo_clusters(vp, {})) {
      clusters += 1.;
      pixels += cluster.pixels;
      single += cluster.pixels == 1;
    }
    for (std::size_t b = 0; b < ut.size(); ++b) {
      const auto payload = ut.payload(b);
      for (std::uint32_t i = 0; i < (payload[0] & 0xffff); ++i) {
        ut_hits += 1.;
        ut_on_strip += (payload[1 + i / 2] >> (16 * (i % 2)) & 3) == 0;
      }
    }
  }
};

}  // namespace

TEST_CASE("Generated raw events resemble simulated ones of LHCb", "[simulation]") {
  const auto folder = test::data_or_skip("lhcb-raw/banks");
  Means real, made;
  int n = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "VP")) {
    const auto name = entry.path().filename();
    real.add(read_banks(folder / "VP" / name), read_banks(folder / "UT" / name));
    ++n;
  }
  REQUIRE(n == 10);
  const simulation::RawEventGenerator generate(simulation::ideal_detector());
  constexpr int events = 100;
  for (int e = 0; e < events; ++e) {
    const auto raw = generate(e).raw;
    made.add(raw.vp, raw.ut);
  }
  // Ten events: their mean number of hits is known to 20 %, what a cluster is like to 1 or 2 %.
  CHECK_THAT(made.super_pixels / events, WithinRel(real.super_pixels / n, 0.3));
  CHECK_THAT(made.clusters / events, WithinRel(real.clusters / n, 0.3));
  CHECK_THAT(made.ut_hits / events, WithinRel(real.ut_hits / n, 0.3));
  CHECK_THAT(made.ut_hits / made.clusters, WithinRel(real.ut_hits / real.clusters, 0.1));
  CHECK_THAT(made.super_pixels / made.clusters, WithinRel(real.super_pixels / real.clusters, 0.05));
  CHECK_THAT(made.isolated / made.super_pixels, WithinRel(real.isolated / real.super_pixels, 0.1));
  CHECK_THAT(made.pixels / made.clusters, WithinRel(real.pixels / real.clusters, 0.1));
  CHECK_THAT(made.single / made.clusters, WithinRel(real.single / real.clusters, 0.1));
  CHECK_THAT(made.ut_on_strip / made.ut_hits, WithinRel(real.ut_on_strip / real.ut_hits, 0.1));
}
