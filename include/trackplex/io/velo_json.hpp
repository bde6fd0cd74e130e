// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// LHCb VELO events in the JSON format of velopix_tracking: an object with `module_prefix_sum`
/// (53 integers; the hits of module m are [ps[m], ps[m + 1])), `x`, `y`, `z` (mm), optional `t`,
/// and optional `montecarlo`: {`description`: names, `particles`: rows of values in that order}.
/// Particles have all fields of lhcb::VeloParticle (Upgrade 1) or only `hits` (Upgrade 2).

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/json_view.hpp>
#include <trackplex/io/detail/natural_order.hpp>
#include <trackplex/io/detail/velo_json_reader.hpp>
#include <trackplex/io/detail/velo_json_writer.hpp>
#include <trackplex/io/velo_binary.hpp>
#include <trackplex/lhcb/velo_event.hpp>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace trackplex::io {

/// Parses the JSON text of an event; `name` becomes the name of the event, and is for messages.
/// @throws InputError if the text is damaged, with field and index, or byte
/// @throws CapacityError if the event has more than 65535 hits, the limit of 16-bit indices
inline lhcb::VeloEvent parse_velo_event(std::string_view text, std::string name) {
  detail::JsonDocument document;
  if (const auto root = document.parse(text))
    return detail::VeloJsonReader(*root, std::move(name)).read();
  // Slower, it says where the text is wrong, and takes what is valid, however unusual.
  const auto root = detail::parse_json(text, name);
  return detail::VeloJsonReader(root, std::move(name)).read();
}

/// Reads an event from a file, a binary one if its extension is .velo, else JSON; its name is the
/// path.
/// @throws InputError, CapacityError as parse_velo_event() and parse_velo_binary()
inline lhcb::VeloEvent read_velo_event(const std::filesystem::path& file) {
  if (file.extension() == ".velo") return read_velo_binary(file);
  return parse_velo_event(read_file(file), file.string());
}

/// Writes an event as JSON. The text reads back as an equal event, apart from its name, which the
/// format does not contain.
inline void write_velo_event(std::ostream& output, const lhcb::VeloEvent& event) {
  const std::string text = detail::velo_event_text(event);
  output.write(text.data(), static_cast<std::streamsize>(text.size()));
}

/// Lists the event files at a path: the file itself, or the `*.json` or `*.velo` files of a folder
/// in natural order (event_2 before event_10).
/// @throws InputError if there is none, or the folder has both kinds
inline std::vector<std::filesystem::path> velo_event_files(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (!fs::exists(path, error)) throw InputError({path.string()}, "no such file or folder");
    return {path};
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path)) {
    const auto kind = entry.path().extension();
    if ((kind != ".json" && kind != ".velo") || entry.is_directory(error)) continue;
    files.push_back(entry.path());
    if (files.front().extension() != kind)
      throw InputError({path.string()}, "it has *.json and *.velo files",
                       "the same events, perhaps", "name the files");
  }
  if (files.empty())
    throw InputError({path.string()}, "no event in this folder", "no *.json or *.velo file");
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return detail::natural_less(a.filename().string(), b.filename().string());
  });
  return files;
}

/// Lists the event files at several paths, in the order of the paths.
/// @throws InputError if a path has none, or a folder has both kinds
inline std::vector<std::filesystem::path> velo_event_files(
    const std::vector<std::filesystem::path>& paths) {
  std::vector<std::filesystem::path> files;
  for (const auto& path : paths) {
    const auto more = velo_event_files(path);
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

}  // namespace trackplex::io
