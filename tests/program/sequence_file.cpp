// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/sequence_file.hpp>
#include <trackplex/core/files.hpp>

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <string>
#include <vector>

using namespace trackplex;
using namespace trackplex::program;

namespace {

using Names = std::vector<std::string>;

void check_refused(const std::string& text, const std::string& words) {
  CAPTURE(text);
  try {
    parse_sequence(text, "s.json");
    FAIL("no exception");
  } catch (const InputError& error) {
    const std::string message = error.what();
    CAPTURE(message);
    CHECK(message.starts_with("s.json"));
    CHECK(message.find(words) != std::string::npos);
    CHECK(message.find("--list-algorithms") != std::string::npos);
  }
}

/// Knows two steps.
struct Sequence {
  Names selected;

  void select(const Names& names) {
    for (const auto& name : names)
      if (name != "sort" && name != "search")
        throw UsageError("sequence", "there is no algorithm " + name);
    selected = names;
  }
};

void check_steps_refused(const Names& names, const std::string& words) {
  Sequence sequence;
  try {
    program::detail::select_steps(sequence, {names, "s.json"}, "sort");
    FAIL("no exception");
  } catch (const InputError& error) {
    const std::string message = error.what();
    CAPTURE(message);
    CHECK(message.starts_with("s.json: "));
    CHECK(message.find(words) != std::string::npos);
  }
}

const SequenceListing listing{
    .steps = {{.name = "stage_hits", .reads = {0}, .makes = {1}, .on_host = true},
              {.name = "sort", .reads = {1}, .makes = {2}},
              {.name = "sort_merged", .reads = {0, 1}, .makes = {2}}},
    .products = {{.name = "events", .is_input = true}, {.name = "hits"}, {.name = "sorted"}},
    .default_steps = {"stage_hits", "sort"}};

}  // namespace

TEST_CASE("A sequence file is a list of names", "[sequence_file]") {
  CHECK(parse_sequence(R"({"sequence": ["a", "b"]})", "s.json") == Names{"a", "b"});
}

TEST_CASE("What is written reads back", "[sequence_file]") {
  const Names names{"stage_events", "sort \"by\" phi", "search"};
  CHECK(parse_sequence(sequence_file_text(names), "s.json") == names);
  const auto path = std::filesystem::temp_directory_path() / "trackplex-test-sequence.json";
  write_file(path.string(), sequence_file_text(names));
  CHECK(read_sequence_file(path.string()) == names);
  std::filesystem::remove(path);
}

TEST_CASE("What is no sequence file is refused, with the place", "[sequence_file]") {
  check_refused("{\"sequence\": [\"a\",", "not JSON");
  check_refused("{\"sequence\": [\"a\",", "byte ");
  check_refused("", "not JSON");
  check_refused("[\"a\"]", "no list \"sequence\"");
  check_refused("{\"steps\": [\"a\"]}", "no list \"sequence\"");
  check_refused("{\"sequence\": [\"a\"], \"slots\": 2}", "s.json: slots: unknown key");
  check_refused("{\"sequence\": \"a\"}", "not a list of names");
  check_refused("{\"sequence\": []}", "not a list of names");
  check_refused("{\"sequence\": [\"a\", 3]}", "sequence[1]: it is not a name (3)");
}

TEST_CASE("A sequence file that cannot be read is an input error", "[sequence_file]") {
  CHECK_THROWS_AS(read_sequence_file("/nonexistent/s.json"), InputError);
  CHECK_THROWS_AS(read_sequence_file("/"), InputError);  // a folder
}

TEST_CASE("Steps are selected; none are the default ones", "[sequence_file]") {
  Sequence sequence;
  program::detail::select_steps(sequence, {{"sort"}, "s.json"}, "sort");
  CHECK(sequence.selected == Names{"sort"});
  program::detail::select_steps(sequence, {}, "sort");
  CHECK(sequence.selected == Names{"sort"});
}

TEST_CASE("Steps that make no results are errors that name the file", "[sequence_file]") {
  check_steps_refused({"sort", "fit"}, "there is no algorithm fit");
  check_steps_refused({"fit", "sort"}, "--list-algorithms");
  check_steps_refused({"sort", "search"}, "the last step must be sort");
}

TEST_CASE("The listing names steps, what they read and make, and the default", "[sequence_file]") {
  const auto text = listing_text(listing);
  CAPTURE(text);
  for (const char* words :
       {"  stage_hits   host\n", "  sort         device\n", "reads events, hits\n",
        "makes sorted\n", "  sort_merged  device, not in the default sequence\n",
        "Inputs: events\n"})
    CHECK(text.find(words) != std::string::npos);
  const auto file = text.substr(text.find('{'));
  CHECK(parse_sequence(file, "listing") == listing.default_steps);
}
