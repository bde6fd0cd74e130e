// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <trackplex/io/pals/detail/yaml_reader.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using io::detail::YamlNode;

namespace {

YamlNode read(const std::string& text) { return io::detail::YamlReader::read(text, "file.yaml"); }

/// A tree in one line: {key: value} and [item], texts as they are, those in quotation marks in ''.
std::string shown(const YamlNode& node) {
  if (node.is_scalar()) return node.is_quoted ? "'" + node.text + "'" : node.text;
  std::string text;
  for (const YamlNode& child : node.children) {
    if (!text.empty()) text += ", ";
    if (node.is_mapping()) text += child.key + ": ";
    text += shown(child);
  }
  return node.is_list() ? "[" + text + "]" : "{" + text + "}";
}

void check_refused(const std::string& text, const std::string& part_of_message) {
  CAPTURE(text);
  test::check_refused([&] { return read(text); }, part_of_message);
}

}  // namespace

TEST_CASE("Blocks of YAML", "[io]") {
  CHECK(shown(read("")) == "");
  CHECK(shown(read("# nothing\n---\n...\n")) == "");
  CHECK(shown(read("%YAML 1.2\n---\na: 1\nb:\n  c: 2\n  d:\n\ne: x y # z\n")) ==
        "{a: 1, b: {c: 2, d: }, e: x y}");
  CHECK(shown(read("a:\n- 1\n- b: 2\n  c: 3\n-\n  - x\n- - y\n  - z\nd: e\n")) ==
        "{a: [1, {b: 2, c: 3}, [x], [y, z]], d: e}");
  CHECK(shown(read("- a:\n    k: v\n- b\n-\n- c")) == "[{a: {k: v}}, b, , c]");
  CHECK(shown(read("a: b\r\nc: d\r\n")) == "{a: b, c: d}");
  CHECK(shown(read("\xEF\xBB\xBF"
                   "a: b")) == "{a: b}");
  CHECK(shown(read("a-b>c.d: 1\nf(x, y): [2]\nq>>r: -1\n")) ==
        "{a-b>c.d: 1, f(x, y): [2], q>>r: -1}");
}

TEST_CASE("Scalars of YAML stay texts", "[io]") {
  CHECK(shown(read("[1.0e9, 1e3, 010, no, on, null, ~, #c\n .5e3, 1_000, 0x1F, 1:30]")) ==
        "[1.0e9, 1e3, 010, no, on, null, ~, .5e3, 1_000, 0x1F, 1:30]");
  CHECK(read("no: 1").find("no"));
  CHECK(read("a: null").find("a")->is_null());
  CHECK(!read("a: 'null'").find("a")->is_null());
  CHECK(shown(read("a: 'it''s'\nb: \"x\\ty\\u00e9\\\"\"\n'c d': \"#\"")) ==
        "{a: 'it's', b: 'x\ty\xC3\xA9\"', c d: '#'}");
  CHECK(shown(read("\"\\ud83d\\ude00\"")) == "'\xF0\x9F\x98\x80'");
  CHECK(shown(read("a: one\n  two\n\n  three # end\nb: \"one\n  two\\\n  three\"")) ==
        "{a: one two\nthree, b: 'one twothree'}");
  CHECK(shown(read("a: x#y\nb: a:b\nc: -1\nd: '- e'\n")) == "{a: x#y, b: a:b, c: -1, d: '- e'}");
}

TEST_CASE("Texts of several lines in YAML", "[io]") {
  CHECK(shown(read("a: |\n  one\n   two\n\n  three\nb: 1")) == "{a: 'one\n two\n\nthree\n', b: 1}");
  CHECK(shown(read("a: >-\n  one\n  two\n\n  three\nb: 1")) == "{a: 'one two\nthree', b: 1}");
  CHECK(shown(read("- |+\n  one\n\n- >\n  x\n   y\n  z\n")) == "['one\n\n', 'x\n y\nz\n']");
  CHECK(shown(read("a: |2-\n   one\n  two")) == "{a: ' one\ntwo'}");
  CHECK(shown(read("a: |\nb: 1")) == "{a: '', b: 1}");
}

TEST_CASE("Brackets of YAML, and JSON", "[io]") {
  CHECK(shown(read("{a: 1, b: [x, 'y', {c: d}], e: , \"f\":2}")) ==
        "{a: 1, b: [x, 'y', {c: d}], e: , f: 2}");
  CHECK(shown(read("a: [1,\n  2, # two\n  three\n  four,\n]\nb: {}")) ==
        "{a: [1, 2, three four], b: {}}");
  CHECK(shown(read("[a: 1, b]")) == "[{a: 1}, b]");
  CHECK(shown(read("{\n\t\"PALS\": {\n\t\t\"facility\": [{\"d\": {\"kind\": \"Drift\"}}]}}\n")) ==
        "{PALS: {facility: [{d: {kind: 'Drift'}}]}}");
}

TEST_CASE("YAML that is not read says where and why", "[io]") {
  check_refused("a: 1\nb: 2\na: 3", "file.yaml: line 3, column 1: there are two fields \"a\"");
  check_refused("{a: 1, a: 2}", "two fields \"a\"");
  check_refused("a: 1\n  b: 2", "line 2");
  check_refused("a:\n    b: 1\n  c: 2", "belongs to nothing");
  check_refused("a:\n\tb: 1", "tab");
  check_refused("a: b: c", "quotation marks");
  check_refused("a: &x 1\nb: 2", "anchors and aliases");
  check_refused("a: *x", "anchors and aliases");
  check_refused("a: !!float 1", "tags");
  check_refused("a:\n  <<: b", "merges");
  check_refused("? a\n: b", "keys of several parts");
  check_refused("a: [1, 2", "line 1, column 4: the bracket is not closed");
  check_refused("a: [1 2]]", "follows a value");
  check_refused("a: {b}", "':' is missing");
  check_refused("a: 'b", "line 1, column 4: quotation marks are not closed");
  check_refused("a: \"\\q\"", "means nothing");
  check_refused("a: \"\\ud800\"", "no character");
  check_refused("a: \"\\u12\"", "hexadecimal");
  check_refused("a: @b", "'@' cannot be here");
  check_refused("a: - b", "next line");
  check_refused("a: 1\nb", "': ' is missing");
  check_refused("- a\nb: 1", "belongs to nothing");
  check_refused("a: 1\n---\nb: 2", "another document");
  check_refused("a: |x\n  b", "follow | and >");
  check_refused(std::string(5000, '['), "nested too deeply");
  std::string brackets;
  for (int i = 0; i < 3000; ++i) brackets += "{a: ";
  check_refused(brackets, "nested too deeply");
  std::string steps;
  for (int i = 0; i < 300; ++i) steps += std::string(std::size_t(i), ' ') + "a:\n";
  check_refused(steps, "nested too deeply");
  std::string items;
  for (int i = 0; i < 300; ++i) items += "- ";
  check_refused(items + "a", "nested too deeply");
}

TEST_CASE("Changed bytes of YAML are read or refused", "[io]") {
  const std::string whole =
      "PALS:\n  facility:\n    - q: {kind: Quadrupole, length: 1.0e-1}\n    - n: \"a\\tb\"\n"
      "    - t: |\n        one\n        two\n    - u: >-\n        x\n\n        y\n"
      "    - 'it''s': [1, [2, 3], {a: b}]\n";
  test::check_changed_anywhere(
      whole, [](const std::string& text) { return read(text); }, 20000);
}
