// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>
#include <string_view>
#include <trackplex/core/files.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/elegant/detail/elegant_elements.hpp>
#include <trackplex/io/elegant/detail/elegant_refused_types.hpp>
#include <trackplex/io/elegant/detail/elegant_run_items.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <vector>

#include "support/refusals.hpp"
#include "support/source_folder.hpp"

using namespace trackplex;
using namespace trackplex::io::detail;

namespace {

/// Names with commas between them; of very many the first ones.
std::string enumerated(const std::vector<std::string>& names) {
  constexpr std::size_t most = 60, shown = 20;
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names.size() > most && i == shown)
      return text + " and " + std::to_string(names.size() - shown) + " others";
    text += (i > 0 ? ", " : "") + names[i];
  }
  return text;
}

std::vector<std::string> words_of_list(std::string_view list) {
  std::vector<std::string> words(1);
  for (const char c : list) c == ' ' ? words.emplace_back() : words.back() += c;
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string row_of(const ElementRule& rule) {
  std::vector<std::string> read, fixed, ignored;
  for (const auto& parameter : rule.parameters)
    (parameter.kind == ParameterKind::passive ? ignored
     : parameter.kind == ParameterKind::fixed ? fixed
                                              : read)
        .emplace_back(parameter.name);
  std::string name(rule.keyword);
  if (!rule.long_name.empty()) name += ", " + std::string(rule.long_name);
  return "| " + name + " | " + enumerated(read) + " | " + enumerated(fixed) + " | " +
         (rule.is_passive && ignored.empty() ? "all" : enumerated(ignored)) + " |\n";
}

/// The page of the guide that lists what the readers of elegant's files know.
std::string page_of_features() {
  std::string page = R"(<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
# What is read of elegant's files

These are the tables of the readers of [lattices](beam.md#lattices-and-files) and [runs](beam.md#run-files-of-elegant) themselves
(`tests/io/elegant_features.cpp` writes them). A parameter in the third column may have its default only: another value is an error
where the line that is tracked has such an element. So is a parameter that is not listed.

## Elements that are tracked

| type | parameters that are read | only the default | ignored |
|---|---|---|---|
)";
  for (const auto& rule : element_rules())
    if (!rule.is_passive) page += row_of(rule);
  page += R"(
## Elements that are markers

| type | parameters that are read | only the default | ignored |
|---|---|---|---|
)";
  for (const auto& rule : element_rules())
    if (rule.is_passive) page += row_of(rule);
  page += R"(
## Elements that are refused

| type | what it is to elegant |
|---|---|
)";
  for (const auto& type : refused_types())
    page += "| " + std::string(type.keyword) + " | " + std::string(type.what) + " |\n";
  page += R"(
## Commands of runs

| command | items that are followed | ignored | refused unless 0, empty or the value here |
|---|---|---|---|
)";
  for (const auto& command : all_run_items())
    page += "| " + std::string(command.command) + " | " +
            enumerated(words_of_list(command.followed)) + " | " +
            enumerated(words_of_list(command.harmless)) + " | " +
            enumerated(words_of_list(command.acting)) + " |\n";
  return page +
         "\nLeft out and named in a warning: " + enumerated(words_of_list(harmless_commands)) +
         ". All others are refused.\n";
}

}  // namespace

TEST_CASE("the guide lists what is read of elegant's files", "[io]") {
  const auto file = test::source_folder() / "docs/guide/elegant_features.md";
  if (std::getenv("TRACKPLEX_WRITE_GUIDE")) write_file(file, page_of_features());
  INFO("TRACKPLEX_WRITE_GUIDE=1 build/test/bin/test_io \"the guide lists*\" writes it anew");
  CHECK(read_file(file) == page_of_features());
}

TEST_CASE("what the table of elegant calls refused is refused", "[io]") {
  const auto refused = [](const std::string& element, const std::string& message) {
    CAPTURE(element);
    const auto file = io::parse_elegant_lattice("e: " + element + "\nl: LINE=(e)\n", "x.lte");
    test::check_refused([&] { return file.expand(); }, message);
  };
  for (const auto& type : refused_types())
    refused(std::string(type.keyword), "'" + std::string(type.keyword) + "' is not tracked here");
  for (const auto& rule : element_rules())
    for (const auto& parameter : rule.parameters)
      if (parameter.kind == ParameterKind::fixed)
        refused(std::string(rule.keyword) + ", " + std::string(parameter.name) + "=" +
                    shortest(parameter.standard + 1.),
                "what elegant does then is not done here");
}
