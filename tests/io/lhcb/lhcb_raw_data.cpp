// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/detail/mdf_frame.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/io/lhcb/mc_truth.hpp>
#include <trackplex/io/lhcb/mdf.hpp>

#include "support/data.hpp"

using namespace trackplex;
using Catch::Approx;
using Catch::Matchers::WithinAbs;

namespace {

constexpr const char* mdf_file = "lhcb-raw/mdf/upgrade_mc_minbias_scifi_v5.mdf";

/// The banks with their payloads cut down to whole words.
lhcb::RawBanks cut_to_words(const lhcb::RawBanks& banks) {
  lhcb::RawBanks cut;
  cut.version = banks.version;
  for (std::size_t b = 0; b < banks.size(); ++b)
    cut.push_back(banks.sources[b], banks.payload(b).first(banks.bytes[b] / 4));
  return cut;
}

std::size_t total_bytes(const lhcb::RawBanks& banks) {
  std::size_t bytes = 0;
  for (const auto b : banks.bytes) bytes += b;
  return bytes;
}

}  // namespace

TEST_CASE("The MDF file and the bank files of ten events agree", "[io]") {
  const auto folder = test::data_or_skip("lhcb-raw");
  const auto events = io::read_mdf(test::data_or_skip(mdf_file));
  const auto names = io::raw_event_names(folder);
  REQUIRE(events.size() == 10);
  REQUIRE(names.size() == 10);
  for (std::size_t e = 0; e < 10; ++e) {
    const std::string number = std::to_string(6001 + e);
    CHECK(names[e] == "6718861_" + number);
    const auto event = io::read_raw_event(folder, names[e]);
    const auto& raw = events[e].raw;
    CHECK(event.vp == cut_to_words(raw.vp));
    CHECK(event.ut == cut_to_words(raw.ut));
    CHECK(event.vp.size() == 208);
    CHECK(event.ut.size() == 180);
    CHECK(raw.run == 6718861);
    CHECK(raw.number == 6001 + e);
    CHECK(event.run == raw.run);
    CHECK(event.number == raw.number);
    CHECK(raw.name.ends_with(".mdf: event " + std::to_string(e) + " (run 6718861, number " +
                             number + ")"));
    CHECK_FALSE(events[e].truth.has_value());
  }
}

TEST_CASE("The first event of the MDF file has the banks that are known", "[io]") {
  const auto bytes = trackplex::read_file(test::data_or_skip(mdf_file));
  CHECK(io::detail::mdf_checksum(std::string_view(bytes).substr(16, 72723 - 16)) == 2125260018);
  const auto event = io::MdfReader(bytes, "file").next();
  CHECK(event->other_banks == std::map<int, int>{{9, 350}, {13, 10}, {21, 28}, {22, 8}});
  CHECK(total_bytes(event->raw.vp) == 20972);
  CHECK(total_bytes(event->raw.ut) == 10231);
  CHECK(event->raw.vp.version == 2);
  CHECK(event->raw.ut.version == 3);
  CHECK(event->raw.scifi.version == 5);
  CHECK(event->raw.scifi.size() == 240);
  CHECK(*std::max_element(event->raw.ut.bytes.begin(), event->raw.ut.bytes.end()) == 350);
}

TEST_CASE("The MDF file survives being written with the truth of its events", "[io]") {
  const auto folder = test::data_or_skip("lhcb-raw");
  auto events = io::read_mdf(test::data_or_skip(mdf_file));
  for (auto& event : events) {
    const auto name = std::to_string(event.raw.run) + "_" + std::to_string(event.raw.number);
    event.truth = io::read_mc_event(folder, name);
  }
  io::MdfReader reader(io::mdf_bytes(events, {1, true}), "copy");
  for (const auto& event : events) {
    const auto copy = reader.next();
    REQUIRE(copy.has_value());
    CHECK(copy->raw.vp == event.raw.vp);
    CHECK(copy->raw.ut == event.raw.ut);
    CHECK(copy->raw.number == event.raw.number);
    CHECK(copy->truth->particles == event.truth->particles);
    CHECK(copy->truth->vertices == event.truth->vertices);
  }
  CHECK_FALSE(reader.next().has_value());
}

TEST_CASE("The truth of the first event is what is known of it", "[io]") {
  const auto folder = test::data_or_skip("lhcb-raw");
  const auto truth = io::read_mc_event(folder, "6718861_6001");
  const auto& all = truth.particles;
  CHECK(all.size() == 1940);
  CHECK(truth.vertices.size() == 9);
  const auto count = [&](bool lhcb::McParticle::*flag) {
    return std::count_if(all.begin(), all.end(), [&](const auto& q) { return q.*flag; });
  };
  CHECK(count(&lhcb::McParticle::is_long) == 121);
  CHECK(count(&lhcb::McParticle::has_velo) == 560);
  CHECK(count(&lhcb::McParticle::has_ut) == 410);
  CHECK(count(&lhcb::McParticle::has_scifi) == 321);
  const auto q = std::find_if(all.begin(), all.end(), [](const auto& p) { return p.key == 1111; });
  REQUIRE(q != all.end());
  CHECK(q->pid == -211);
  CHECK_THAT(q->p, WithinAbs(11808.03, 6e-3));
  CHECK_THAT(q->pt, WithinAbs(401.03, 6e-3));
  CHECK(q->eta == Approx(4.075).epsilon(2e-4));
  CHECK(q->phi == Approx(-1.438).epsilon(4e-4));
  CHECK(q->origin_x == Approx(0.0112).epsilon(5e-3));
  CHECK_THAT(q->origin_z, WithinAbs(-73.157, 6e-4));
  CHECK(q->is_long);
  CHECK(q->charge == -1.f);
  REQUIRE(q->velo_ids.size() == 13);
  CHECK(q->velo_ids[0] == 0x819812fb);
  CHECK(q->velo_ids[1] == 0x81b808ee);
  CHECK(q->ut_ids == std::vector<std::uint32_t>{0xb12cc467, 0xb134c4b6, 0xb14cc415, 0xb154c46c});
  CHECK(q->scifi_ids.size() == 12);
}

TEST_CASE("All truth files are of the form of 2020 and survive being written", "[io]") {
  const auto info = test::data_or_skip("lhcb-raw/MC_info");
  std::size_t least = 10000, most = 0;
  for (int number = 6001; number <= 6010; ++number) {
    const auto file = "6718861_" + std::to_string(number) + ".bin";
    const auto list = io::read_mc_particles(info / "tracks" / file);
    CHECK(list.form == io::McForm::full_2020);
    CHECK(list.without_hits == 0);
    least = std::min(least, list.particles.size());
    most = std::max(most, list.particles.size());
    CHECK((io::mc_particles_bytes(list.particles) == trackplex::read_file(info / "tracks" / file)));
    CHECK((io::mc_vertices_bytes(io::read_mc_vertices(info / "PVs" / file)) ==
           trackplex::read_file(info / "PVs" / file)));
  }
  CHECK(least == 458);
  CHECK(most == 1940);
}

TEST_CASE("The detector of the ten events is what is known of it", "[io]") {
  const auto folder = test::data_or_skip("lhcb-raw/geometry");
  const auto detector = io::read_detector(folder);
  for (int m = 0; m < lhcb::velo_modules; ++m)
    CHECK(detector.velo.module_z[m] == float(lhcb::velo_module_z[m]));
  const auto& pitch = detector.velo.column_pitch;
  const auto near = [](float value) {
    return [value](float p) { return std::abs(p - value) < 1e-5f; };
  };
  CHECK(std::count_if(pitch.begin(), pitch.end(), near(0.055f)) == 762);
  CHECK(std::count_if(pitch.begin(), pitch.end(), near(0.09625f)) == 4);
  CHECK(std::count_if(pitch.begin(), pitch.end(), near(0.1375f)) == 2);
  const auto& strips = detector.ut_boards.strips_per_hybrid;
  CHECK(std::count(strips.begin(), strips.end(), 512u) == 180);
  CHECK(std::count(strips.begin(), strips.end(), 0u) == 60);
  CHECK(std::count(detector.ut_boards.sector.begin(), detector.ut_boards.sector.end(), 0u) ==
        6 * 240 - lhcb::ut_sectors);
  CHECK(*std::max_element(detector.ut_boards.sector.begin(), detector.ut_boards.sector.end()) ==
        98);
  const auto z = std::minmax_element(detector.ut.z.begin(), detector.ut.z.end());
  CHECK_THAT(*z.first, WithinAbs(2320.28, 6e-3));
  CHECK_THAT(*z.second, WithinAbs(2649.72, 6e-3));
  CHECK(detector.magnet.deflection[0] == Approx(1.2124).epsilon(1e-4));
  CHECK(detector.magnet.deflection[3] == Approx(0.8209).epsilon(1e-4));
  const auto bdl = std::minmax_element(detector.magnet.bdl.begin(), detector.magnet.bdl.end());
  CHECK(*bdl.first == Approx(-0.0031).epsilon(2e-2));
  CHECK(*bdl.second == Approx(0.10866).epsilon(1e-4));
  CHECK(detector.beam_x == 0.f);
  CHECK(detector.beam_y == 0.f);
  CHECK(detector.polarity == -1.f);
}

TEST_CASE("The files of the detector are written byte by byte as they were", "[io]") {
  const auto folder = test::data_or_skip("lhcb-raw/geometry");
  const auto copy = std::filesystem::temp_directory_path() / "trackplex_detector_copy";
  io::write_detector(copy, io::read_detector(folder));
  for (const char* file : {"velo_geometry.bin", "ut_boards.bin", "ut_geometry.bin", "ut_tables.bin",
                           "beamline.bin", "polarity.bin"}) {
    INFO(file);
    CHECK((trackplex::read_file(copy / file) == trackplex::read_file(folder / file)));
  }
  std::filesystem::remove_all(copy);
}
