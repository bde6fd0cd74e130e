// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/json_view.hpp>
#include <trackplex/io/lhcb/detail/natural_order.hpp>
#include <trackplex/io/lhcb/detail/velo_json_reader.hpp>
#include <trackplex/io/lhcb/detail/velo_json_writer.hpp>
#include <trackplex/io/lhcb/velo_binary.hpp>
#include <trackplex/io/lhcb/velo_json.hpp>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace trackplex::io {

TRACKPLEX_INLINE lhcb::VeloEvent parse_velo_event(std::string_view text, std::string name) {
  detail::JsonDocument document;
  if (const auto root = document.parse(text))
    return detail::VeloJsonReader(*root, std::move(name)).read();
  // Slower, it says where the text is wrong, and takes what is valid, however unusual.
  const auto root = detail::parse_json(text, name);
  return detail::VeloJsonReader(root, std::move(name)).read();
}

TRACKPLEX_INLINE lhcb::VeloEvent read_velo_event(const std::filesystem::path& file) {
  if (file.extension() == ".velo") return read_velo_binary(file);
  return parse_velo_event(read_file(file), file.string());
}

TRACKPLEX_INLINE void write_velo_event(std::ostream& output, const lhcb::VeloEvent& event) {
  const std::string text = detail::velo_event_text(event);
  output.write(text.data(), static_cast<std::streamsize>(text.size()));
}

TRACKPLEX_INLINE std::vector<std::filesystem::path> velo_event_files(
    const std::filesystem::path& path) {
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

TRACKPLEX_INLINE std::vector<std::filesystem::path> velo_event_files(
    const std::vector<std::filesystem::path>& paths) {
  std::vector<std::filesystem::path> files;
  for (const auto& path : paths) {
    const auto more = velo_event_files(path);
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

}  // namespace trackplex::io
