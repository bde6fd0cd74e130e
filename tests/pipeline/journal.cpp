// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <unistd.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/pipeline/journal.hpp>
#include <vector>

using namespace trackplex;
using Catch::Matchers::ContainsSubstring;
using pipeline::Journal;

namespace {

const std::string description = "program\nversion 1\n--seed 3\n";

std::vector<std::byte> outcome_of(std::size_t event) {
  return std::vector(event * 5 % 12, std::byte(event + 1));
}

struct JournalFile {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("trackplex_journal_" + std::to_string(::getpid()));
  JournalFile() { std::filesystem::remove(path); }
  ~JournalFile() { std::filesystem::remove(path); }

  /// Continues up to so many events; returns how many were there.
  std::size_t work_until(std::size_t n) const {
    Journal journal(path, description);
    const auto found = journal.size();
    std::size_t event = 0;
    journal.replay([&](std::span<const std::byte> bytes) {
      CHECK(std::vector(bytes.begin(), bytes.end()) == outcome_of(event++));
    });
    CHECK(event == found);
    while (journal.size() < n) journal.add(outcome_of(journal.size()));
    return found;
  }
};

}  // namespace

TEST_CASE("A journal gives back what was written", "[journal]") {
  const JournalFile file;
  CHECK(file.work_until(0) == 0);
  CHECK(file.work_until(3) == 0);
  CHECK(file.work_until(7) == 3);
  CHECK(file.work_until(7) == 7);
}

TEST_CASE("A journal that is cut off anywhere is resumed to the same bytes", "[journal]") {
  const JournalFile file;
  std::vector<std::size_t> ends;  // of the file, with so many events
  for (std::size_t n = 0; n <= 4; ++n) {
    file.work_until(n);
    ends.push_back(read_file(file.path).size());
  }
  const auto whole = read_file(file.path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_file(file.path, whole.substr(0, size));
    CAPTURE(size);
    std::size_t complete = 0;
    while (complete < 4 && ends[complete + 1] <= size) ++complete;
    {
      const Journal journal(file.path, description);
      CHECK(journal.size() == complete);
      CHECK(journal.dropped_bytes() == (size < ends[0] ? 0 : size - ends[complete]));
    }
    CHECK(file.work_until(4) == complete);
    CHECK(read_file(file.path) == whole);
  }
}

TEST_CASE("Each damaged byte of a journal is found", "[journal]") {
  const JournalFile file;
  file.work_until(4);
  const auto whole = read_file(file.path);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    auto damaged = whole;
    damaged[at] = char(damaged[at] ^ 0x10);
    write_file(file.path, damaged);
    CAPTURE(at);
    CHECK_THROWS_AS(Journal(file.path, description), InputError);
    CHECK(read_file(file.path) == damaged);  // it is left as it is
  }
  for (const std::size_t at : {std::size_t(0), whole.size() / 2}) {
    write_file(file.path, whole.substr(0, at) + "x" + whole.substr(at));
    CHECK_THROWS_AS(Journal(file.path, description), InputError);
  }
}

TEST_CASE("What the system has lost of a journal is done again", "[journal]") {
  const JournalFile file;
  file.work_until(2);
  std::size_t on_disk;
  std::string crashed;
  {
    Journal journal(file.path, description);
    on_disk = read_file(file.path).size();
    while (journal.size() < 6) journal.add(outcome_of(journal.size()));
    crashed = read_file(file.path);  // only two records are said to be on disk
  }
  const auto whole = read_file(file.path);
  for (std::size_t at = on_disk; at < crashed.size(); ++at) {
    CAPTURE(at);
    for (const std::size_t n : {std::size_t(1), crashed.size() - at}) {
      auto damaged = crashed;
      damaged.replace(at, n, n, char(damaged[at] ^ 0x10));
      write_file(file.path, damaged);
      const auto found = file.work_until(6);
      CHECK(found >= 2);
      CHECK(found < 6);
      CHECK(read_file(file.path) == whole);
    }
  }
  crashed[on_disk - 1] = char(crashed[on_disk - 1] ^ 0x10);
  write_file(file.path, crashed);
  CHECK_THROWS_AS(Journal(file.path, description), InputError);
}

TEST_CASE("Journals that do not belong to the run are refused", "[journal]") {
  const JournalFile file;
  file.work_until(2);
  const auto refused = [&](const std::string& words, const std::string& of = description) {
    CHECK_THROWS_WITH(Journal(file.path, of),
                      ContainsSubstring(file.path.string()) && ContainsSubstring(words));
  };
  refused("the journal is of another run ('--seed 3' instead of '--seed 4')",
          "program\nversion 1\n--seed 4\n");
  refused("the journal is of another run ('program' instead of nothing)", "");
  refused("the journal is of another run (nothing instead of '--more')", description + "--more\n");
  const auto whole = read_file(file.path);
  auto newer = whole;
  newer[18] = 3;
  write_file(file.path, newer);
  refused("another version of the format (3 instead of 2)");
  write_file(file.path, "event,track\n1,2\n");
  refused("byte 0: this is no journal");
  write_file(file.path, whole);
  const Journal open(file.path, description);
  refused("another process uses this journal");
}

TEST_CASE("A journal that cannot be written is an error", "[journal]") {
  CHECK_THROWS_AS(Journal("/there/is/no/such/folder", ""), Error);
  CHECK_THROWS_AS(Journal("/dev/null", ""), Error);
}
