// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <trackplex/beam/lattice.hpp>

using namespace trackplex;
using namespace trackplex::beam;

namespace {

/// Elements a to e: drifts of 1 to 5 m; b bends.
Lattice small_lattice() {
  Lattice lattice;
  lattice.add("a", Drift{.length = 1.});
  lattice.add(
      "b", Bend{.magnet = {
                    .length = 2., .angle = 0.1, .entrance = 0.3, .exit = 0.4, .exit_edge = false}});
  lattice.add("c", Drift{.length = 3.});
  lattice.add("d", ExactDrift{.length = 4.});
  lattice.add("e", Marker{});
  return lattice;
}

std::string names(const BeamLine& line) {
  std::string text;
  for (const Element& element : line) text += element.name;
  return text;
}

template <class Error, class Function>
void check_refused(const std::string& part_of_message, const Function& function) {
  try {
    function();
    FAIL("no error");
  } catch (const Error& error) {
    CAPTURE(error.what());
    CHECK(std::string(error.what()).find(part_of_message) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("lines are expanded to their elements", "[beam]") {
  auto lattice = small_lattice();
  lattice.add_line("ab", {"a", "b"});
  lattice.add_line("nested", {"e", repeated(2, {"ab", repeated(3, "c")}), "d"});
  lattice.add_line("none", {repeated(0, "ab"), "e"});
  CHECK(names(lattice.expand("ab")) == "ab");
  CHECK(names(lattice.expand("nested")) == "eabcccabcccd");
  CHECK(names(lattice.expand("none")) == "e");
  CHECK(names(lattice.expand("c")) == "c");  // an element is a line of one
  CHECK(names(lattice.expand("NESTED")) == "eabcccabcccd");
  CHECK(lattice.lines().back().name == "none");
  CHECK(lattice.elements().size() == 5);
  CHECK(lattice.lines().size() == 3);
}

TEST_CASE("reversed lines have everything in the opposite order", "[beam]") {
  auto lattice = small_lattice();
  lattice.add_line("abc", {"a", "b", "c"});
  lattice.add_line("back", {reversed("abc"), "d"});
  lattice.add_line("deep", {"e", reversed({"d", repeated(2, "abc"), reversed("abc")})});
  lattice.add_line("twice", {reversed("back")});
  CHECK(names(lattice.expand("back")) == "cbad");
  CHECK(names(lattice.expand("deep")) == "eabccbacbad");
  CHECK(names(lattice.expand("twice")) == "dabc");
}

TEST_CASE("a reversed bend has its entrance at the end", "[beam]") {
  auto lattice = small_lattice();
  lattice.add_line("back", {"b", reversed("b"), reversed({reversed("b")})});
  const auto line = lattice.expand("back");
  REQUIRE(line.size() == 3);
  const auto magnet = [&](int i) { return line[i].kind.as<Bend>()->magnet; };
  for (const int i : {0, 2}) {
    CHECK(magnet(i).entrance == 0.3);
    CHECK(magnet(i).exit == 0.4);
    CHECK(magnet(i).entrance_edge);
    CHECK(!magnet(i).exit_edge);
  }
  CHECK(magnet(1).entrance == 0.4);
  CHECK(magnet(1).exit == 0.3);
  CHECK(!magnet(1).entrance_edge);
  CHECK(magnet(1).exit_edge);
}

TEST_CASE("names are the same in upper and lower case", "[beam]") {
  auto lattice = small_lattice();
  lattice.add_line("Line", {"A", "c"});
  CHECK(names(lattice.expand("LINE")) == "ac");
  CHECK(lattice.has_element("E"));
  CHECK(lattice.has_line("line"));
  CHECK(lattice.element("C").kind.as<Drift>()->length == 3.);
  check_refused<UsageError>("'LINE' is defined twice (it is a line)",
                            [&] { lattice.add("LINE", Marker{}); });
  check_refused<UsageError>("'A' is defined twice (it is an element)",
                            [&] { lattice.add_line("A", {"c"}); });
}

TEST_CASE("lines that cannot be expanded say why", "[beam]") {
  auto lattice = small_lattice();
  lattice.add_line("first", {"a", "second"});
  lattice.add_line("second", {repeated(2, {"b", "first"})});
  lattice.add_line("missing", {"a", {"q"}});
  lattice.add_line("negative", {repeated(-1, "a")});
  check_refused<UsageError>("line 'second': it contains itself", [&] { lattice.expand("second"); });
  check_refused<UsageError>("line 'missing': there is no element or line 'q'",
                            [&] { lattice.expand("missing"); });
  check_refused<UsageError>("line 'negative': there are no -1 repetitions",
                            [&] { lattice.expand("negative"); });
  check_refused<UsageError>("no element or line 'nothing'", [&] { lattice.expand("nothing"); });
  check_refused<UsageError>("there is no element 'first'", [&] { lattice.element("first"); });
  check_refused<UsageError>("has no name", [&] { lattice.add("", Marker{}); });
  check_refused<UsageError>("has no name", [&] { lattice.add_line("", {"a"}); });
  check_refused<UsageError>("has no name", [&] { lattice.add_line("empty", {"a", ""}); });
  check_refused<UsageError>("has no name", [&] { lattice.expand(""); });
}

TEST_CASE("lines longer than memory are refused before they are made", "[beam]") {
  auto lattice = small_lattice();
  lattice.add_line("l0", {"a", "a"});
  for (int i = 1; i < 100; ++i) {
    const std::string last = "l" + std::to_string(i - 1);
    lattice.add_line("l" + std::to_string(i), {last, last});
  }
  CHECK(lattice.expand("l9").size() == 1024);
  CHECK(lattice.expand("l9", 1024).size() == 1024);
  check_refused<CapacityError>("line 'l9': 1024 elements or more do not fit (capacity 1023)",
                               [&] { lattice.expand("l9", 1023); });
  CHECK_THROWS_AS(lattice.expand("l99"), CapacityError);
  lattice.add_line("product",
                   {repeated(2000000000, repeated(2000000000, repeated(2000000000, "a")))});
  CHECK_THROWS_AS(lattice.expand("product"), CapacityError);
  const LineItem nothing(std::vector<LineItem>{});
  lattice.add_line("nothing", {repeated(2000000000, repeated(2000000000, nothing))});
  CHECK(lattice.expand("nothing").empty());
}

TEST_CASE("lines too deep inside each other are refused", "[beam]") {
  auto lattice = small_lattice();
  lattice.add_line("l0", {"a"});
  std::vector<LineItem> all;
  for (int i = 1; i < 2000; ++i) {
    lattice.add_line("l" + std::to_string(i), {"l" + std::to_string(i - 1)});
    all.push_back("l" + std::to_string(i));
  }
  CHECK(lattice.expand("l400").size() == 1);
  check_refused<UsageError>("nested too deeply", [&] { lattice.expand("l600"); });
  // also where each line was seen before the one that it is part of
  lattice.add_line("all", all);
  check_refused<UsageError>("nested too deeply", [&] { lattice.expand("all"); });
  LineItem deep = "a";
  for (int i = 0; i < 600; ++i) deep = LineItem(std::vector<LineItem>{deep});
  lattice.add_line("groups", {deep});
  check_refused<UsageError>("nested too deeply", [&] { lattice.expand("groups"); });
}

TEST_CASE("names are told apart by their case where it matters", "[beam]") {
  Lattice lattice(true);
  lattice.add("q", Drift{1.});
  lattice.add("Q", Drift{2.});
  lattice.add("R", Drift{3.});
  lattice.add_line("l", {"q", "Q", "r"});
  CHECK(names(lattice.expand("l")) == "qQR");  // r only as R
  CHECK_FALSE(lattice.has_line("L"));
  check_refused<UsageError>("'q' is defined twice (it is an element)",
                            [&] { lattice.add("q", Marker{}); });
}
