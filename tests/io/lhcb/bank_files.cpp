// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/detail/bank_bytes.hpp>

#include "support/refusals.hpp"
#include "support/small_raw_event.hpp"

using namespace trackplex;
using namespace trackplex::io;
using test::check_refused;
using test::with_number;

namespace {

lhcb::RawBanks parse(const std::string& bytes) { return parse_bank_file(bytes, "VP.bin", 2); }

std::string good_file() { return bank_file_bytes(test::small_raw_event().vp); }

/// The form of September 2018: without the last entry of the table.
std::string without_end(const std::string& bytes, std::size_t n_banks) {
  return std::string(bytes).erase(4 + 4 * n_banks, 4);
}

}  // namespace

TEST_CASE("Banks survive a bank file", "[io]") {
  const auto event = test::small_raw_event();
  CHECK(parse_bank_file(bank_file_bytes(event.vp), "VP.bin", 2) == event.vp);
  CHECK(parse_bank_file(bank_file_bytes(event.ut), "UT.bin", 3) == event.ut);
  CHECK(good_file().size() == 4 + 4 * 4 + 4 * (3 + 6));
  CHECK(parse(bank_file_bytes({})).size() == 0);
  CHECK(parse(std::string(4, '\0')).size() == 0);
}

TEST_CASE("Bank files without the last offset are read", "[io]") {
  CHECK(parse(without_end(good_file(), 3)) == test::small_raw_event().vp);
  // The smallest bank: its source might be an end, and its end a source
  for (const std::uint16_t source : {0, 1, 3}) {
    CAPTURE(source);
    lhcb::RawBanks banks;
    banks.version = 2;
    io::detail::append_bank(banks, source, "");
    CHECK(parse(bank_file_bytes(banks)) == banks);
    CHECK(parse(without_end(bank_file_bytes(banks), 1)) == banks);
    io::detail::append_bank(banks, source, "");
    CHECK(parse(bank_file_bytes(banks)) == banks);
    CHECK(parse(without_end(bank_file_bytes(banks), 2)) == banks);
  }
}

TEST_CASE("A payload is filled up to whole words in a bank file", "[io]") {
  lhcb::RawBanks banks;
  io::detail::append_bank(banks, 5, "abcde");
  CHECK(banks.bytes[0] == 5);
  const auto again = parse_bank_file(bank_file_bytes(banks), "f", 0);
  CHECK(again.bytes[0] == 8);
  CHECK(again.words == banks.words);
  CHECK(again.words[1] == 'e');
}

TEST_CASE("Damaged bank files are refused with their place", "[io]") {
  const auto good = good_file();
  test::check_changed_anywhere(good, parse, 20000);
  check_refused([&] { parse(with_number(good, 0, -1)); }, "VP.bin: banks, byte 0: their number is");
  check_refused([&] { parse(with_number(good, 0, 1 << 30)); }, "banks, byte 0: their number is");
  check_refused([&] { parse(with_number(good, 4, 4)); },
                "VP.bin: offsets[0], byte 4: is 4 instead of 0");
  check_refused([&] { parse(with_number(good, 8, 3)); },
                "VP.bin: bank[0], byte 20: its end, 3, cannot be");
  check_refused([&] { parse(with_number(good, 8, 15)); }, "bank[0], byte 20: its end, 15");
  check_refused([&] { parse(with_number(good, 8, 400)); }, "bank[0], byte 20: its end, 400");
  check_refused([&] { parse(with_number(good, 12, 12)); }, "bank[1], byte 36: its end, 12");
  check_refused([&] { parse(with_number(good, 20, 65536)); },
                "bank[0], byte 20: its source is 65536 (a source has 16 bits)");
  check_refused([&] { parse(std::string(5, '\0')); }, "1 bytes follow the table of no banks");
}

TEST_CASE("Bank files cut off anywhere are errors", "[io]") {
  test::check_cut_off_anywhere(good_file(), parse);
  check_refused([&] { parse(good_file() + "abcd"); },
                "VP.bin, byte 16: the banks end after 36 bytes (40 are left)");
}

TEST_CASE("A bank file without the last offset cannot be cut inside a word", "[io]") {
  const auto good = without_end(good_file(), 3);
  for (std::size_t size = 0; size < good.size(); ++size) {
    CAPTURE(size);
    if (size >= good.size() - 8 && size % 4 == 0)
      CHECK(parse(good.substr(0, size)).words.size() == (size == good.size() - 8 ? 4 : 5));
    else
      CHECK_THROWS_AS(parse(good.substr(0, size)), InputError);
  }
}

TEST_CASE("An event survives the bank files of a folder", "[io]") {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_bank_files";
  std::filesystem::remove_all(folder);
  check_refused([&] { raw_event_names(folder); }, "no event in this folder");
  auto event = test::small_raw_event();
  for (const char* name : {"7_10", "7_9", "other", "7_10x", "7x_10"})
    write_raw_event(folder, name, event);
  CHECK(raw_event_names(folder) ==
        std::vector<std::string>{"7_9", "7_10", "7_10x", "7x_10", "other"});

  event.name = (folder / "7_10").string();
  event.run = 7;
  event.number = 10;
  CHECK(read_raw_event(folder, "7_10") == event);
  event.run = 0;
  event.number = 0;
  for (const char* name : {"other", "7_10x", "7x_10"}) {
    event.name = (folder / name).string();
    CHECK(read_raw_event(folder, name) == event);
  }

  event.scifi.version = 5;  // SciFi banks are optional, for all events of a folder
  event.scifi.push_back(3, test::Words{0, 0x013f006a});
  write_raw_event(folder, "other", event);
  CHECK(read_raw_event(folder, "other").scifi == event.scifi);
  CHECK(read_raw_event(folder, "other", {2, 3, 6}).scifi.version == 6);
  check_refused([&] { read_raw_event(folder, "7_10"); }, "FTCluster/7_10.bin: cannot be opened");

  check_refused(
      [&] {
        read_raw_event(folder, "other", {4, 3});
      },
      "other: VP banks: are of version 4 (known: 2)");
  std::filesystem::remove(folder / "banks" / "UT" / "7_9.bin");
  CHECK(raw_event_names(folder).size() == 5);
  check_refused([&] { read_raw_event(folder, "7_9"); }, "7_9.bin: cannot be opened");
  std::filesystem::remove_all(folder);
}

TEST_CASE("Folders of bank files complete each other", "[io]") {
  const auto root = std::filesystem::temp_directory_path() / "trackplex_bank_folders";
  std::filesystem::remove_all(root);
  const std::vector<std::filesystem::path> folders = {root / "first", root / "second"};
  auto event = test::small_raw_event();
  write_raw_event(folders[0], "7_10", event);
  check_refused([&] { read_raw_event(folders, "7_11"); }, "first/banks/VP/7_11.bin: cannot be");
  event.scifi.version = 5;
  event.scifi.push_back(3, test::Words{0, 0x013f006a});
  write_raw_event(folders[1], "7_10", event);
  std::filesystem::remove_all(folders[1] / "banks" / "VP");
  auto found = read_raw_event(folders, "7_10");
  CHECK(found.name == (folders[0] / "7_10").string());
  CHECK(found.vp == event.vp);
  CHECK(found.scifi == event.scifi);
  CHECK(raw_event_names(folders) == std::vector<std::string>{"7_10"});
  // the last folder with banks of a kind prevails
  event.ut = {};
  write_raw_event(folders[1], "7_10", event);
  found = read_raw_event(folders, "7_10");
  CHECK(found.ut.size() == 0);
  std::filesystem::remove_all(root);
}
