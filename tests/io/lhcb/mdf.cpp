// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <trackplex/core/error.hpp>
#include <trackplex/io/detail/byte_reader.hpp>
#include <trackplex/io/lhcb/detail/bank_bytes.hpp>
#include <trackplex/io/lhcb/detail/mdf_event.hpp>
#include <trackplex/io/lhcb/detail/mdf_frame.hpp>
#include <trackplex/io/lhcb/detail/root_records.hpp>
#include <trackplex/io/lhcb/mdf.hpp>

#include "support/refusals.hpp"
#include "support/small_raw_event.hpp"

using namespace trackplex;
using namespace trackplex::io;
using test::check_refused;
using test::with_number;

namespace {

MdfEvent small_event(bool truth = false) {
  MdfEvent event{test::small_raw_event(), {}, {}};
  if (truth) event.truth = test::small_mc_event();
  return event;
}

std::vector<MdfEvent> parse(const std::string& bytes) {
  std::vector<MdfEvent> events;
  MdfReader reader(bytes, "small.mdf");
  while (auto event = reader.next()) events.push_back(std::move(*event));
  return events;
}

std::string bytes_of(const std::vector<MdfEvent>& events, const MdfOptions& options = {}) {
  return mdf_bytes(events, options);
}

/// The only event of a file with these banks.
std::string file_of(const io::detail::ByteWriter& banks) {
  return io::detail::mdf_frame(io::detail::MdfHeader{}, banks.bytes(), true);
}

/// A file with a body of these compressed records.
std::string file_of_records(const std::string& records) {
  io::detail::MdfHeader header;
  header.compression = 1;
  return io::detail::mdf_frame(header, records, true);
}

/// What MdfReader makes of a file: "ok" or the message of each event.
std::vector<std::string> story_of(const std::string& bytes) {
  std::vector<std::string> story;
  for (MdfReader reader(bytes, "f");;) {
    try {
      if (!reader.next()) break;
      story.emplace_back("ok");
    } catch (const InputError& error) {
      story.emplace_back(error.what());
    }
  }
  return story;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// First byte of bank b of the body of the small event, from the begin of the file.
std::size_t bank_begin(const std::string& bytes, int bank) {
  std::size_t at = 48;
  for (int b = 0; b < bank; ++b) {
    const std::size_t length = std::uint8_t(bytes[at + 2]) | std::uint8_t(bytes[at + 3]) << 8;
    at += (length + 3) / 4 * 4;
  }
  return at;
}

}  // namespace

TEST_CASE("Events survive an MDF file", "[io]") {
  std::vector<MdfEvent> events = {small_event(true), small_event(), MdfEvent{}};
  // A payload that is not of whole words.
  io::detail::append_bank(events[1].raw.ut, 12, std::string_view("\1\0\0\0\x04\x05\x06", 7));
  events[1].raw.run = 17;
  for (const int compression : {0, 1, 9}) {
    for (const bool checksum : {false, true}) {
      const auto again = parse(bytes_of(events, {compression, checksum}));
      REQUIRE(again.size() == 3);
      for (std::size_t e = 0; e < 3; ++e) {
        CHECK(again[e].raw.vp == events[e].raw.vp);
        CHECK(again[e].raw.ut == events[e].raw.ut);
        CHECK(again[e].raw.run == events[e].raw.run);
        CHECK(again[e].raw.number == events[e].raw.number);
        CHECK(again[e].truth.has_value() == (e == 0));
        CHECK(again[e].other_banks.empty());
      }
      CHECK(again[0].truth->particles == events[0].truth->particles);
      CHECK(again[0].truth->vertices == events[0].truth->vertices);
      CHECK(again[1].raw.name == "small.mdf: event 1 (run 17, number 12884907889)");
      CHECK(again[1].raw.ut.bytes[2] == 7);
    }
  }
  CHECK(parse("").empty());
}

TEST_CASE("an empty MDF file is refused", "[io]") {
  const auto path = std::filesystem::temp_directory_path() / "trackplex_empty.mdf";
  std::ofstream(path).close();
  check_refused([&] { open_mdf(path); },
                "trackplex_empty.mdf: it has no events (the file is empty)");
  check_refused([&] { read_mdf(path); }, "the file is empty");
  std::filesystem::remove(path);
}

TEST_CASE("Events survive an MDF file on disk", "[io]") {
  const auto path = std::filesystem::temp_directory_path() / "trackplex_small.mdf";
  const std::vector<MdfEvent> events = {small_event(), small_event(true)};
  write_mdf(path, events, {6, true});
  const auto again = read_mdf(path);
  std::filesystem::remove(path);
  REQUIRE(again.size() == 2);
  CHECK(again[1].raw.vp == events[1].raw.vp);
  check_refused([&] { read_mdf(path); }, "trackplex_small.mdf: cannot be opened");
}

TEST_CASE("A large truth goes into an MDF file in parts", "[io]") {
  auto event = small_event(true);
  event.truth->particles.resize(3000, event.truth->particles[0]);
  const auto bytes = bytes_of({event});
  CHECK(bytes.size() > 3 * 64512);
  const auto again = parse(bytes);
  CHECK(again.at(0).truth->particles == event.truth->particles);
}

TEST_CASE("The header of a compressed event has the level and a rate of compression", "[io]") {
  auto event = small_event();
  const auto compression_of = [](const std::string& bytes) { return int(std::uint8_t(bytes[16])); };
  CHECK(compression_of(bytes_of({event}, {0, true})) == 0);
  // Of bodies that shrink by more the rate is 15, the most that four bits hold
  io::detail::append_bank(event.raw.ut, 13, std::string(60000, '\0'));
  CHECK(bytes_of({event}, {0, true}).size() > 20 * bytes_of({event}, {9, true}).size());
  for (const int level : {1, 9}) {
    const auto bytes = bytes_of({event}, {level, true});
    CHECK(compression_of(bytes) == (level | 15 << 4));
    CHECK(parse(bytes).at(0).raw.ut == event.raw.ut);
  }
}

TEST_CASE("Bodies are compressed in as many records as they need", "[io]") {
  std::string raw(2 * io::detail::root_record_bytes + 100, 'a');
  std::mt19937 random(3);
  for (std::size_t i = 0; i < io::detail::root_record_bytes + 5; ++i) raw[i] = char(random());
  const auto records = io::detail::deflate_records(raw, 1);
  io::detail::ByteReader in(records, "records");
  CHECK((io::detail::inflate_records(in, raw.size()) == raw));
  const auto inflate_fewer = [&] {
    io::detail::ByteReader again(records, "records");
    io::detail::inflate_records(again, raw.size() - 1);
  };
  check_refused(inflate_fewer, "compressed record[2]");
}

TEST_CASE("An MDF file cut off anywhere is an error", "[io]") {
  test::check_cut_off_anywhere(bytes_of({small_event(true)}), [](const auto& bytes) {
    if (parse(bytes).empty()) throw InputError({"empty"}, "no event");
  });
  const std::string two = bytes_of({small_event(), small_event()}, {1, true});
  for (std::size_t size = two.size() / 2 + 1; size < two.size(); ++size) {
    const auto story = story_of(two.substr(0, size));
    REQUIRE(story.size() == 2);
    CHECK(story[0] == "ok");
    CHECK(contains(story[1], "bytes of the file are lost"));
  }
}

TEST_CASE("An MDF file with bytes changed is read, or an InputError", "[io]") {
  for (const int compression : {0, 1})
    test::check_changed_anywhere(bytes_of({small_event(true)}, {compression, false}), parse, 20000);
}

TEST_CASE("The events after a damaged one are read", "[io]") {
  const std::string one = bytes_of({small_event()});
  for (const std::size_t at : {12u, 16u, 17u, 40u, 60u}) {
    std::string bytes = one + one + one;
    bytes[one.size() + at] = char(bytes[one.size() + at] ^ 0x40);
    const auto story = story_of(bytes);
    REQUIRE(story.size() == 3);
    CHECK(story[0] == "ok");
    CHECK(contains(story[1], "f: event 1: header, byte " + std::to_string(one.size() + 16) +
                                 ": the checksum is "));
    CHECK(story[2] == "ok");
  }
  for (const std::size_t at : {0u, 5u, 11u}) {
    std::string bytes = one + one + one;
    bytes[one.size() + at] = char(bytes[one.size() + at] ^ 1);
    const auto story = story_of(bytes);
    REQUIRE(story.size() == 2);
    CHECK(story[0] == "ok");
    CHECK(story[1] == "f: event 1, byte " + std::to_string(one.size()) +
                          ": its three sizes are not equal; the last " +
                          std::to_string(2 * one.size()) + " bytes of the file are lost");
  }
}

TEST_CASE("Events of an MDF file are skipped unread", "[io]") {
  const std::string one = bytes_of({small_event()});
  std::string bytes = one + one + one;
  bytes[one.size() + 40] = char(bytes[one.size() + 40] ^ 0x40);  // reading it would throw
  io::MdfReader reader(bytes, "f");
  REQUIRE(reader.next().has_value());
  CHECK(reader.skip());
  CHECK(reader.next()->raw.name.starts_with("f: event 2"));
  CHECK_FALSE(reader.skip());
  CHECK_FALSE(reader.next());
  bytes[one.size() + 5] = char(bytes[one.size() + 5] ^ 1);
  io::MdfReader lost(bytes, "f");
  CHECK(lost.skip());
  CHECK_THROWS_AS(lost.skip(), InputError);
  CHECK_FALSE(lost.skip());
}

TEST_CASE("Sizes of events that cannot be end an MDF file", "[io]") {
  const std::string one = bytes_of({small_event()});
  for (const std::uint32_t size : {0u, 47u, std::uint32_t(one.size() + 1), 0xffffffffu}) {
    auto bytes = one;
    for (const std::size_t at : {0u, 4u, 8u}) bytes = with_number(bytes, at, size);
    const auto story = story_of(bytes);
    REQUIRE(story.size() == 1);
    CHECK(contains(story[0], "f: event 0, byte 0: it has " + std::to_string(size) + " bytes"));
  }
  CHECK(contains(story_of(one + "abc").at(1), "the file ends in its header"));
}

TEST_CASE("Damaged headers of events are refused", "[io]") {
  const std::string good = bytes_of({small_event()}, {0, false});
  CHECK(parse(good).size() == 1);
  check_refused([&] { parse(with_number(good, 12, 1u)); },
                "small.mdf: event 0: header, byte 16: the checksum is");
  for (const auto& [at, value] : {std::pair(17u, 0x27), {17u, 0x36}, {18u, 2}, {16u, 0x0a}})
    check_refused(
        [&, at = at, value = value] { parse(with_number(good, at, std::uint8_t(value))); },
        "event 0: header, byte 16: another kind of header");
}

TEST_CASE("Damaged banks are refused with their place", "[io]") {
  const std::string good = bytes_of({small_event()}, {0, false});
  const std::size_t bank = bank_begin(good, 2);
  const std::string where = "small.mdf: event 0: bank[2], byte " + std::to_string(bank);
  check_refused([&] { parse(with_number(good, bank, std::uint16_t(0xcbca))); },
                where + ": it begins with 52170 instead of 52171");
  for (const int length : {0, 7, 0xffff})
    check_refused([&] { parse(with_number(good, bank + 2, std::uint16_t(length))); },
                  where + ": its length is " + std::to_string(length));
  check_refused([&] { parse(with_number(good, bank + 5, std::uint8_t(3))); },
                where + ": it is of version 3 (banks of the same type before it are of version 2)");
  check_refused(
      [&] { parse(with_number(good, bank + 6, std::uint16_t(0))); },
      "small.mdf: event 0 (run 6718861, number 12884907889): VP bank 1 (source 0): a bank "
      "before it has the same source");
}

TEST_CASE("A damaged compressed body is refused with its place", "[io]") {
  const std::string raw = io::detail::mdf_body(small_event());
  const std::string good = io::detail::deflate_records(raw, 6);
  CHECK(parse(file_of_records(good)).size() == 1);
  const std::string where = "small.mdf: event 0: compressed record[0], byte 48: ";
  check_refused([&] { parse(file_of_records(with_number(good, 0, 'X'))); },
                where + "it does not begin with ZL");
  check_refused([&] { parse(file_of_records(with_number(good, 15, char(~good[15])))); },
                where + "it cannot be decompressed");
  check_refused([&] { parse(file_of_records(with_number(good, 6, char(good[6] + 1)))); },
                where + "it cannot be decompressed");
  check_refused([&] { parse(file_of_records(with_number(good, 6, char(good[6] - 1)))); },
                where + "it cannot be decompressed");
  check_refused([&] { parse(file_of_records(with_number(good, 8, '\xff'))); },
                where + "it would have 167");
  check_refused([&] { parse(file_of_records(with_number(good, 4, '\xff'))); },
                "event 0, byte 57: the file ends too early");
  check_refused([&] { parse(file_of_records(with_number(good + "x", 3, char(good[3] + 1)))); },
                "its sizes are not those that it states");
  check_refused([&] { parse(file_of_records(good + "ZL")); }, "ends too early");
  const std::string cut = io::detail::deflate_records(raw.substr(0, raw.size() - 9), 6);
  check_refused([&] { parse(file_of_records(cut)); }, "small.mdf: event 0 (decompressed): bank[");
}

TEST_CASE("Banks that are not read are counted", "[io]") {
  io::detail::ByteWriter banks;
  io::detail::append_mdf_bank(banks, 73, 3, 1, "abcd");
  io::detail::append_mdf_bank(banks, 9, 3, 1, "");
  io::detail::append_mdf_bank(banks, 73, 3, 2, "abcde");
  const auto event = parse(file_of(banks)).at(0);
  CHECK(event.other_banks == std::map<int, int>{{9, 1}, {73, 2}});
  CHECK(event.raw.vp.size() == 0);
}

TEST_CASE("Run and number come from the ODIN bank", "[io]") {
  const auto file_with = [](int version, const test::Words& words, std::uint32_t run) {
    io::detail::ByteWriter payload, banks;
    payload.append_all(words);
    io::detail::append_mdf_bank(banks, 16, version, 0, payload.bytes());
    io::detail::MdfHeader header;
    header.run = run;
    return io::detail::mdf_frame(header, banks.bytes(), true);
  };
  CHECK(parse(file_with(6, {5, 0, 0, 0, 77}, 0)).at(0).raw.run == 5);
  CHECK(parse(file_with(6, {5, 0, 0, 1, 77}, 4)).at(0).raw.run == 4);
  CHECK(parse(file_with(6, {5, 0, 0, 1, 77}, 4)).at(0).raw.number == (1ull << 32) + 77);
  CHECK(parse(file_with(7, {5, 0, 0, 1, 77}, 4)).at(0).raw.number == 0);
  check_refused(
      [&] {
        parse(file_with(6, {5, 0, 0, 1}, 4));
      },
      "bank[0], byte 48: an ODIN bank has 16 bytes");
}

TEST_CASE("Parts of the truth that are missing, twice, or damaged are refused", "[io]") {
  const std::string tracks = mc_particles_bytes(test::small_mc_event().particles, McForm::mdf_v1);
  const auto file_with = [&](std::initializer_list<std::uint16_t> sources) {
    io::detail::ByteWriter banks;
    for (const auto source : sources)
      io::detail::append_mdf_bank(banks, 32, 1, source,
                                  source == 0 ? tracks.substr(0, 21) : tracks.substr(21));
    return file_of(banks);
  };
  auto expected = test::small_mc_event().particles;
  for (auto& particle : expected) particle.from_signal = false;
  CHECK(parse(file_with({0, 1})).at(0).truth->particles == expected);
  CHECK(parse(file_with({1, 0})).at(0).truth->particles == expected);
  // The form is told from the bytes, too.
  io::detail::ByteWriter other_version;
  io::detail::append_mdf_bank(other_version, 32, 2, 0, tracks);
  CHECK(parse(file_of(other_version)).at(0).truth->particles == expected);
  check_refused([&] { parse(file_with({0, 2})); }, "bank[1], byte 80: part 2 of the truth follows");
  check_refused([&] { parse(file_with({0, 0})); }, "part 0 of the truth is there twice");
  check_refused([&] { parse(file_with({0})); }, "event 0 (run 0, number 0): MC tracks: form ");
}

TEST_CASE("Truth with identifiers of 2023 is translated, refused, or ignored", "[io]") {
  auto event = small_event(true);
  const auto expected = event.truth->particles;
  for (auto& particle : event.truth->particles)
    for (auto& id : particle.velo_ids) id = 2u << 28 | 3u << 26 | (id & 0x03ffffff);
  CHECK(parse(bytes_of({event})).at(0).truth->particles == expected);
  event.truth->particles[1].ut_ids[0] = 0x312cc467;
  const auto bytes = bytes_of({event});
  check_refused([&] { parse(bytes); },
                "MC tracks: particles[1]: a UT hit of it has an identifier of 2023 (tag 3)");
  MdfReader without_truth(bytes, "small.mdf", MdfTruth::ignore);
  const auto read = without_truth.next();
  CHECK_FALSE(read->truth);
  CHECK(read->raw.vp == event.raw.vp);
  CHECK(read->other_banks.empty());
}

TEST_CASE("What an MDF file cannot hold is not written", "[io]") {
  auto event = small_event();
  event.raw.vp.push_back(3, test::Words(20000));
  check_refused<CapacityError>([&] { bytes_of({event}); }, "MDF bank: 80000 bytes do not fit");
  event = small_event();
  event.raw.vp.version = 3;
  check_refused([&] { bytes_of({event}); }, "small: VP banks: are of version 3 (known: 2)");
  event = small_event();
  event.raw.ut.bytes.pop_back();
  check_refused<UsageError>([&] { bytes_of({event}); }, "the arrays of its UT banks do not agree");
  check_refused<UsageError>(
      [&] {
        bytes_of({}, {10, true});
      },
      "MDF file: compression 10 does not exist (0 to 9");
}
