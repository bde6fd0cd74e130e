// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/sequence_file.hpp>
#include <common/table.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace trackplex::program {

std::vector<std::string> parse_sequence(const std::string& text, const std::string& file) {
  const char* const form = R"(write {"sequence": ["...", ...]}; --list-algorithms prints one)";
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw InputError({.file = file, .offset = error.byte > 0 ? error.byte - 1 : 0},
                     "this is not JSON", "", form);
  }
  if (!json.is_object() || !json.contains("sequence"))
    throw InputError({file}, "it has no list \"sequence\"", "", form);
  for (const auto& [key, value] : json.items())
    if (key != "sequence")
      throw InputError({.file = file, .field = key}, "unknown key", "only sequence is known", form);
  const auto& list = json["sequence"];
  if (!list.is_array() || list.empty())
    throw InputError({.file = file, .field = "sequence"}, "it is not a list of names", "", form);
  std::vector<std::string> names;
  for (const auto& name : list) {
    if (!name.is_string())
      throw InputError({.file = file, .field = "sequence", .index = names.size()},
                       "it is not a name", name.dump(), form);
    names.push_back(name.get<std::string>());
  }
  return names;
}

std::vector<std::string> read_sequence_file(const std::string& path) {
  return parse_sequence(read_file(path), path);
}

std::string sequence_file_text(std::span<const std::string> names) {
  std::string text = "{\"sequence\": [";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i > 0 ? ",\n              " : "") + Json(names[i]).dump();
  return text + "]}\n";
}

std::string listing_text(const SequenceListing& listing) {
  const auto names = [&](const std::vector<int>& products) {
    std::string text;
    for (const int product : products)
      text += (text.empty() ? "" : ", ") + listing.products.at(std::size_t(product)).name;
    return text;
  };
  std::string text = "Compiled steps:\n";
  std::size_t width = 0;
  for (const auto& step : listing.steps) width = std::max(width, step.name.size());
  for (const auto& step : listing.steps) {
    const bool is_default = std::ranges::count(listing.default_steps, step.name) > 0;
    text += fmt::format("  {:<{}}  {}{}\n", step.name, width, step.on_host ? "host" : "device",
                        is_default ? "" : ", not in the default sequence");
    text += fmt::format("  {:<{}}    reads {}\n", "", width, names(step.reads));
    text += fmt::format("  {:<{}}    makes {}\n", "", width, names(step.makes));
  }
  std::string inputs;
  for (const auto& product : listing.products)
    if (product.is_input) inputs += (inputs.empty() ? "" : ", ") + product.name;
  return text + fmt::format("Inputs: {}\n\nThe default sequence, as a file:\n", inputs) +
         sequence_file_text(listing.default_steps);
}

}  // namespace trackplex::program
