// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/options.hpp>
#include <trackplex/core/files.hpp>

#include <CLI/CLI.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "support/refusals.hpp"

using namespace trackplex::program;

namespace {

struct Values {
  int size = 3;
  std::uint64_t large = 0;
  std::size_t events = 0;
  double length = 1.5;
  std::optional<int> maybe;
  std::string word = "two", text, file, folder, input, checkpoint;
  std::vector<std::string> list, inputs;
  bool flag = false;
};

struct Parsed {
  CLI::App app{"A test", "test"};
  Outputs outputs;
  Values values;

  Parsed() {
    app.formatter(help_formatter());
    OptionGroup group(app, outputs, "Things");
    group.number("--size", values.size, "N", 1, 1e6, "Its size");
    group.number("--large", values.large, "N", 0, 0x1p64, "A large number");
    group.number("--length", values.length, "L", 0., 10., "Its length", "mm");
    group.number("--maybe", values.maybe, "N", 0, 9, "Or nothing");
    group.count("--events", values.events, "How many (default: all)");
    group.word("--word", values.word, {"one", "two"}, "A word");
    group.text("--text", values.text, "TEXT", "A text");
    group.text("--list", values.list, "TEXT", "Several texts");
    group.flag("--flag", values.flag,
               "A flag with so much to say that its help does not fit into one line of a hundred "
               "columns but needs another one");
    group.output("--file", values.file, "A file", {".svg", ".json"});
    group.table("--table", values.text, "A table", {"hits"}, {".json"});
    group.output_folder("--folder", values.folder, "A folder");
    group.input("--input", values.input, "FILE", "A file to read");
    group.input("--inputs", values.inputs, "FILE", "Files to read");
    group.continued("--checkpoint", values.checkpoint, "A file that may be read, too");
  }
  Parsed(std::vector<std::string> arguments) : Parsed() {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  }
};

std::string refusal_of(std::vector<std::string> arguments) {
  try {
    Parsed parsed(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("Each kind of option is taken in", "[options]") {
  const auto v =
      Parsed({"--size", "1e3", "--large", "18446744073709551615", "--length", "2.5", "--maybe", "7",
              "--events", "12", "--word", "one", "--text", "a", "--list", "x", "y", "--flag"})
          .values;
  CHECK(v.size == 1000);
  CHECK(v.large == std::numeric_limits<std::uint64_t>::max());
  CHECK(v.length == 2.5);
  CHECK(v.maybe == 7);
  CHECK(v.events == 12);
  CHECK(v.word == "one");
  CHECK(v.text == "a");
  CHECK(v.list == std::vector<std::string>{"x", "y"});
  CHECK(v.flag);
}

TEST_CASE("Without arguments the variables keep their values", "[options]") {
  const auto v = Parsed(std::vector<std::string>{}).values;
  CHECK(v.size == 3);
  CHECK(v.word == "two");
  CHECK_FALSE(v.maybe.has_value());
}

TEST_CASE("What is out of range or no such word is refused", "[options]") {
  CHECK(refusal_of({"--size", "0"}) == "--size: 0 is out of range (1 to 1000000)");
  CHECK(refusal_of({"--large", "18446744073709551616"}).find("out of range") != std::string::npos);
  CHECK(refusal_of({"--length", "11"}) == "--length: 11 is out of range (0 to 10 mm)");
  CHECK(refusal_of({"--maybe", "10"}) == "--maybe: 10 is out of range (0 to 9)");
  CHECK(refusal_of({"--events", "0"}) == "--events: 0 is out of range (1 to 1000000000)");
  CHECK(refusal_of({"--word", "three"}) == "--word: 'three' is not one of one, two");
}

TEST_CASE("The help has groups, defaults and at most 100 columns", "[options]") {
  const auto help = Parsed().app.help();
  for (const char* words : {"Things:", "--size N=3", "--length L=1.5", "--maybe N ", "--events N ",
                            "--word NAME=two", "--folder DIR"}) {
    CAPTURE(words);
    CHECK(help.find(words) != std::string::npos);
  }
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(line.size() <= 100);
  }
}

TEST_CASE("Two outputs are not the same file", "[options]") {
  const auto folder = std::filesystem::temp_directory_path();
  const auto check_refused = [](const Parsed& parsed) {
    CHECK_THROWS_AS(parsed.outputs.check_differ(), trackplex::UsageError);
  };
  check_refused(Parsed({"--file", folder / "a.json", "--table", folder / "a.json"}));
  check_refused(Parsed({"--file", folder / "a.json", "--table", folder / "." / "a.json"}));
  CHECK_NOTHROW(
      Parsed({"--file", folder / "a.json", "--table", folder / "b.json"}).outputs.check_differ());
  CHECK_NOTHROW(
      Parsed({"--file", "/dev/null", "--table", folder / "b.json"}).outputs.check_differ());
}

TEST_CASE("No output replaces an input", "[options]") {
  const auto folder = std::filesystem::temp_directory_path().string();
  const auto a = folder + "/a.json", again = folder + "/./a.json", b = folder + "/b.json",
             hits = folder + "/b_hits.csv";
  const auto check = [](std::vector<std::string> arguments) {
    const Parsed parsed(std::move(arguments));
    parsed.outputs.check_differ();
  };
  const auto refuse = [&](std::vector<std::string> arguments, const std::string& problem) {
    trackplex::test::check_refused<trackplex::UsageError>([&] { check(arguments); }, problem);
  };
  refuse({"--input", a, "--file", again}, "--file: it would replace the file of --input (a.json)");
  refuse({"--inputs", b, a, "--table", a}, "--table: it would replace the file of --inputs");
  refuse({"--inputs", b, hits, "--table", folder + "/b.csv"}, "(b_hits.csv); name another file");
  CHECK_NOTHROW(check({"--input", a, "--inputs", a, b, "--file", folder + "/c.json"}));
  CHECK_NOTHROW(check({"--input", a, "--checkpoint", a}));
  refuse({"--input", a, "--checkpoint", b, "--file", a}, "--file: it would replace");
}

TEST_CASE("Outputs that are cleared are not written", "[options]") {
  Parsed parsed({"--file", "a.json"});
  parsed.outputs.clear();
  CHECK(parsed.values.file.empty());
}

TEST_CASE("Files that cannot be written are refused with the command line", "[options]") {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_options";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const auto file = (folder / "a.svg").string();
  CHECK(Parsed({"--file", file}).values.file == file);
  CHECK_FALSE(std::filesystem::exists(file));
  CHECK(Parsed({"--file", "/dev/null"}).values.file == "/dev/null");
  CHECK(refusal_of({"--file", folder / "a.png"}).ends_with("a.png' does not end in .svg or .json"));
  CHECK(refusal_of({"--file", ""}) == "--file: the file name is empty");
  CHECK(refusal_of({"--file", "--folder"}).starts_with("--file: '--folder' looks like an option"));
  CHECK(refusal_of({"--folder", folder}) == "accepted");
  trackplex::write_file(file, "");
  CHECK(refusal_of({"--folder", folder}).ends_with("exists already; name a new or empty folder"));
  // The status of these is that of files that turn out later not to be written.
  using trackplex::test::check_refused;
  check_refused<trackplex::Error>(
      [&] {
        Parsed({"--file", folder / "no" / "a.svg"});
      },
      "cannot be written");
  check_refused<trackplex::Error>([&] { Parsed({"--file", folder}); }, "it is a folder");
  check_refused<trackplex::Error>(
      [&] {
        Parsed({"--folder", folder / "a.svg" / "b"});
      },
      "cannot be made");
  CHECK(refusal_of({"--table", folder / "t.csv"}) == "accepted");
  CHECK(refusal_of({"--table", folder / "t.json"}) == "accepted");
  CHECK(refusal_of({"--table", folder / "t.svg"})
            .ends_with("does not end in .json or .csv or .h5 or .sdds"));
  std::filesystem::create_directory(folder / "t_hits.csv");
  check_refused<trackplex::Error>([&] { Parsed({"--table", folder / "t.csv"}); }, "t_hits.csv");
  CHECK(refusal_of({"--table", folder / "t.json"}) == "accepted");
  std::filesystem::remove_all(folder);
}
