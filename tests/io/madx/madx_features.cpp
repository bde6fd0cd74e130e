// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>
#include <string_view>
#include <trackplex/core/files.hpp>
#include <trackplex/io/madx/detail/madx_commands.hpp>
#include <trackplex/io/madx/detail/madx_makethin.hpp>
#include <trackplex/io/madx/detail/madx_types.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>

#include "support/refusals.hpp"
#include "support/source_folder.hpp"

using namespace trackplex;
using namespace trackplex::io;
using namespace trackplex::io::detail;

namespace {

std::string upper(std::string_view words) {
  std::string text;
  for (const std::string& word : MadxType::words(words))
    text += (text.empty() ? "" : ", ") + upper_case(word);
  return text;
}

/// Rows of the types of a role: their names and attributes.
std::string rows(MadxRole role) {
  std::string text;
  for (const MadxType& type : madx_types()) {
    if (type.role != role) continue;
    const bool is_matrix = type.name == "matrix";
    text += "| " + upper_case(type.name) + " | " + upper(type.read) +
            (is_matrix ? ", RM11 to RM66" : "") + " | " + upper(type.zero) + " | " +
            upper(type.idle) + (is_matrix ? "TM111 to TM666" : "") + " | " + upper(type.silent) +
            " |\n";
  }
  return text;
}

constexpr const char* head = R"(
| type | attributes that are read | only 0 | ignored with a remark, as in MAD-X | ignored |
|---|---|---|---|---|
)";

/// The page of the guide that lists what the reader of MAD-X' files knows.
std::string page_of_madx_features() {
  std::string page = R"(<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
# What is read of MAD-X' files

These are the tables of the reader of [sequences](beam.md#sequences-of-mad-x) itself (`tests/io/madx/madx_features.cpp` writes
them). An attribute in the third column may be 0 only: another value is an error where the line that is expanded has such an
element. An attribute that is not listed is an error where it is given.

## Elements that are tracked
)";
  page += head + rows(MadxRole::tracked);
  page += "\n## Elements that are drifts or markers\n" + (head + rows(MadxRole::drift));
  page += "\n## Elements that are drifts as long as they are switched off\n" +
          (head + rows(MadxRole::switched_off));
  page += "\n## Elements that are refused\n\nWhere the line that is expanded has one. " +
          std::string("`skip_unknown` makes them drifts.\n") + (head + rows(MadxRole::refused));
  page +=
      "\n## Attributes of all types\n\n| | |\n|---|---|\n| read | " + upper(MadxType::common) +
      " |\n| permanent displacements (DTHETA and DPHI must be 0) | " + upper(MadxType::alignment) +
      " |\n| ignored, unless the table of a type has them; MAKETHIN follows SLICE and THICK | " +
      upper(MadxType::passive) + " |\n";
  page += "\n## Commands\n\n| | |\n|---|---|\n| carried out | " + upper(madx_read_commands) +
          " |\n| passed over: they compute or print | " + upper(madx_passive_commands) +
          " |\n| refused: they change the machine by what they compute | " +
          upper(madx_refused_commands) + " |\n| styles of MAKETHIN | " + upper(madx_thin_styles) +
          " |\n";
  return page;
}

void refuses(const std::string& text, const std::string& message) {
  CAPTURE(text);
  test::check_refused([&] { parse_madx(text, "x.madx").expand(); }, message);
}

/// Attributes that an element of a type needs to have an effect.
std::string base_of(const MadxType& type) {
  return type.name == "rfcavity" ? "volt=1, freq=1, " : type.name.ends_with("bend") ? "l=1, " : "";
}

std::string sequence_of(std::string_view type, const std::string& attribute) {
  return "beam, pc=1; e: " + std::string(type) + ", " + attribute +
         "; s: sequence, l=4; e, at=2; endsequence;";
}

}  // namespace

TEST_CASE("the guide lists what is read of MAD-X' files", "[io]") {
  const auto file = test::source_folder() / "docs/guide/madx_features.md";
  if (std::getenv("TRACKPLEX_WRITE_GUIDE")) write_file(file, page_of_madx_features());
  INFO("TRACKPLEX_WRITE_GUIDE=1 build/test/bin/test_io \"the guide lists*\" writes it anew");
  CHECK(read_file(file) == page_of_madx_features());
}

TEST_CASE("what the table of MAD-X calls refused is refused", "[io]") {
  for (const MadxType& type : madx_types()) {
    if (type.role == MadxRole::refused)
      refuses(sequence_of(type.name, "l=1"), "there is no element that does what it does");
    for (const std::string& attribute : MadxType::words(type.zero))
      refuses(sequence_of(type.name, base_of(type) + attribute + "=1"),
              attribute + " cannot be 1 (it is not implemented for " + std::string(type.name));
  }
  for (const std::string& command : MadxType::words(madx_refused_commands))
    refuses(command + ";", "'" + command + "' is not supported");
}

TEST_CASE("what the table of MAD-X calls ignored has no effect", "[io]") {
  for (const MadxType& type : madx_types()) {
    if (type.role == MadxRole::refused) continue;
    for (const std::string& attribute : MadxType::words(type.idle))
      CHECK(parse_madx(sequence_of(type.name, "l=1, " + attribute + "=1"), "x.madx")
                .expansion("s")
                .remarks.size() == 1);
  }
  for (const std::string& command : MadxType::words(madx_passive_commands))
    CHECK(parse_madx(command + ", what=ever;", "x.madx").ignored() == command + " (1)");
}
