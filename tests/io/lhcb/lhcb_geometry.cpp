// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <trackplex/core/files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <vector>

#include "lhcb/scifi_reference.hpp"
#include "support/refusals.hpp"
#include "support/small_raw_event.hpp"

using namespace trackplex;
using namespace trackplex::io;
using test::check_refused;
using test::with_number;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

void check_all_of_it_counts(const std::string& good, const auto& parse) {
  test::check_cut_off_anywhere(good, parse);
  check_refused([&] { parse(good + "x"); }, "1 bytes follow ");
  test::check_changed_anywhere(good, parse, 2000);
}

}  // namespace

TEST_CASE("A detector survives a folder", "[io]") {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_detector";
  std::filesystem::remove_all(folder);
  const auto detector = test::small_detector();
  write_detector(folder, detector);
  CHECK((read_detector(folder) == detector));
  std::filesystem::remove(folder / "ut_tables.bin");
  check_refused([&] { read_detector(folder); }, "ut_tables.bin: cannot be opened");
  std::filesystem::remove_all(folder);
  auto bad = detector;
  bad.polarity = 0.f;
  check_refused([&] { write_detector(folder, bad); }, "detector: polarity: 0 is neither");
  CHECK_FALSE(std::filesystem::exists(folder));
}

TEST_CASE("A detector with a SciFi survives folders that complete each other", "[io]") {
  const auto root = std::filesystem::temp_directory_path() / "trackplex_detector_folders";
  std::filesystem::remove_all(root);
  const std::vector<std::filesystem::path> folders = {root / "first", root / "second"};
  auto detector = test::small_detector();
  CHECK_FALSE(detector.scifi.has_value());
  write_detector(folders[0], detector);
  detector.scifi = test::small_scifi();
  detector.polarity = -detector.polarity;
  write_detector(folders[1], detector);
  CHECK((read_detector(folders[1]) == detector));
  for (const char* file : {"velo_geometry.bin", "ut_geometry.bin", "beamline.bin"})
    std::filesystem::remove(folders[1] / file);
  CHECK((read_detector(folders) == detector));
  std::filesystem::remove(folders[0] / "beamline.bin");
  check_refused([&] { read_detector(folders); }, "first/beamline.bin: cannot be opened");
  detector.scifi->length.pop_back();
  check_refused([&] { write_detector(root / "third", detector); }, "detector: length");
  std::filesystem::remove_all(root);
}

TEST_CASE("velo_geometry.bin is read to the last byte", "[io]") {
  const auto good = velo_geometry_bytes(test::small_detector().velo);
  const auto parse = [](const std::string& bytes) { return parse_velo_geometry(bytes, "velo"); };
  CHECK(good.size() == 16376);
  CHECK((parse(good) == test::small_detector().velo));
  check_all_of_it_counts(good, parse);
  const std::size_t pitches = 8 + 4 * 52 + 8 + 4 * 768;
  const std::size_t sensors = pitches + 8 + 4 * 768;
  check_refused([&] { parse(with_number(good, 0, std::uint64_t(53))); },
                "velo: number of modules, byte 0: 53 instead of 52");
  check_refused([&] { parse(with_number(good, 216, ~std::uint64_t(0))); },
                "velo: number of columns, byte 216: 18446744073709551615 instead of 768");
  check_refused(
      [&] { parse(with_number(good, sensors + 8, std::uint64_t(16))); },
      "velo: numbers per sensor, byte " + std::to_string(sensors + 8) + ": 16 instead of 12");
  check_refused([&] { parse(with_number(good, 12, not_a_number)); },
                "velo: module_z[1]: is not finite");
  check_refused([&] { parse(with_number(good, pitches + 8, 0.f)); },
                "velo: column_pitch[0]: 0 is not positive");
  check_refused([&] { parse(with_number(good, sensors + 16 + 48, 1.001f)); },
                "velo: transforms[1]: its matrix is not orthonormal");
}

TEST_CASE("ut_boards.bin is read to the last byte", "[io]") {
  const auto good = ut_boards_bytes(test::small_detector().ut_boards);
  const auto parse = [](const std::string& bytes) { return parse_ut_boards(bytes, "boards"); };
  CHECK(good.size() == 29764);
  CHECK((parse(good) == test::small_detector().ut_boards));
  check_all_of_it_counts(good, parse);
  check_refused([&] { parse(with_number(good, 0, 241)); },
                "boards: number of boards, byte 0: 241 instead of 240");
  check_refused([&] { parse(with_number(good, 4, 256)); },
                "boards: strips_per_hybrid[0]: 256 is neither 0 nor 512");
}

TEST_CASE("ut_boards.bin of 2023 is refused by name", "[io]") {
  std::string bytes(47048, '\0');
  bytes = with_number(with_number(bytes, 0, 240), 4, 3);
  check_refused([&] { parse_ut_boards(bytes, "boards"); },
                "boards: is of version 3 (the form of 2023 is not supported); use a file of 2019 "
                "or 2020");
  check_refused([&] { parse_ut_boards(bytes.substr(4), "boards"); }, "number of boards");
}

TEST_CASE("ut_geometry.bin is read to the last byte", "[io]") {
  const auto good = ut_geometry_bytes(test::small_detector().ut);
  const auto parse = [](const std::string& bytes) { return parse_ut_geometry(bytes, "ut"); };
  CHECK(good.size() == 41924);
  CHECK((parse(good) == test::small_detector().ut));
  check_all_of_it_counts(good, parse);
  check_refused([&] { parse(with_number(good, 0, 1047)); },
                "ut: number of sectors, byte 0: 1047 instead of 1048");
  check_refused([&] { parse(with_number(good, 4 + 4 * 1048, -0.1f)); },
                "ut: pitch[0]: -0.1 is not positive");
}

TEST_CASE("ut_tables.bin is read to the last byte", "[io]") {
  const auto good = ut_tables_bytes(test::small_detector().magnet);
  const auto parse = [](const std::string& bytes) { return parse_ut_tables(bytes, "tables"); };
  CHECK(good.size() == 15544);
  CHECK((parse(good) == test::small_detector().magnet));
  check_all_of_it_counts(good, parse);
  check_refused([&] { parse(with_number(good, 0, 3)); },
                "tables: deflection: number of variables, byte 0: 3 instead of 2");
  check_refused([&] { parse(with_number(good, 8, 31)); }, "deflection: bins, byte 8: 31 instead");
  check_refused([&] { parse(with_number(good, 12, ~std::uint64_t(0))); },
                "deflection: number of values, byte 12: 18446744073709551615 instead of 124");
  check_refused([&] { parse(with_number(good, good.size() - 4, not_a_number)); },
                "tables: bdl[3750]: is not finite");
}

TEST_CASE("beamline.bin and polarity.bin are read to the last byte", "[io]") {
  const std::string beam = with_number(std::string(8, '\0'), 4, 0.5f);
  CHECK((parse_beamline(beam, "beam") == std::array{0.f, 0.5f}));
  check_all_of_it_counts(with_number(beam, 0, 1e38f),
                         [](const std::string& bytes) { return parse_beamline(bytes, "beam"); });
  check_refused([&] { parse_beamline(with_number(beam, 0, not_a_number), "beam"); },
                "beam: beam[0]: is not finite");
  const std::string down = with_number(std::string(4, '\0'), 0, -1.f);
  CHECK(parse_polarity(down, "polarity.bin") == -1.f);
  check_all_of_it_counts(down, [](const std::string& bytes) { return parse_polarity(bytes, "f"); });
}

TEST_CASE("scifi_geometry.bin is read in all its forms", "[io]") {
  const auto parse = [](const std::string& bytes) { return parse_scifi_geometry(bytes, "scifi"); };
  const auto geometry = test::small_scifi(), links = test::small_scifi(true);
  const auto first = scifi_geometry_bytes(geometry), later = scifi_geometry_bytes(links);
  CHECK(first.size() == 81060);
  CHECK((parse(first) == geometry));
  CHECK((parse(later) == links));
  const std::size_t at_version = 4 * (5 + 48 + 3);
  auto version_0 = first;
  version_0.insert(at_version, 4, '\0');
  CHECK((parse(version_0) == geometry));
  for (const auto& good : {first, version_0, later}) {
    for (std::size_t size = 0; size < good.size(); size += 1 + size / 16)
      check_refused([&] { parse(good.substr(0, size)); }, "scifi");
    check_refused([&] { parse(good + "x"); }, "scifi");
    test::check_changed_anywhere(good, parse, 500);
  }
  check_refused([&] { parse(with_number(later, at_version, 3)); },
                "scifi: version, byte 224: is 3 (versions 0 and 1 are known)");
  check_refused([&] { parse(with_number(first, 0, 4)); }, "byte 0: 4 instead of 3");
  check_refused([&] { parse(with_number(first, 20, 6)); },
                "scifi: number of mats, byte 216: 1024 instead of 1028");

  const auto folder = std::filesystem::temp_directory_path() / "trackplex_scifi_geometry";
  std::filesystem::create_directories(folder);
  check_refused([&] { read_scifi_geometry(folder); }, "scifi_geometry.bin: cannot be opened");
  write_file(folder / "scifi_geometry.bin", later);
  CHECK((read_scifi_geometry(folder) == links));
  std::filesystem::remove_all(folder);
}
