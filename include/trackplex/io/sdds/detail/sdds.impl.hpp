// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/sdds/sdds.hpp>
#include <trackplex/io/sdds/sdds_file_reader.hpp>
#include <trackplex/io/sdds/sdds_writer.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

TRACKPLEX_INLINE SddsFile parse_sdds(std::string_view bytes, const std::string& name) {
  SddsReader reader(bytes, name);
  return reader.read_all();
}

TRACKPLEX_INLINE SddsFile read_sdds(const std::filesystem::path& path) {
  SddsFileReader reader(path);
  return reader->read_all();
}

TRACKPLEX_INLINE std::string sdds_bytes(const SddsFile& file, SddsFormat format) {
  const SddsWriter writer(file.header, format);
  std::string bytes;
  writer.append_header(bytes);
  for (const auto& page : file.pages) {
    writer.append_page_head(bytes, page, std::int64_t(page.table.rows()));
    writer.append_rows(bytes, page.table);
  }
  return bytes;
}

TRACKPLEX_INLINE void write_sdds(const std::filesystem::path& path, const SddsFile& file,
                                 SddsFormat format) {
  write_file(path, sdds_bytes(file, format));
}

}  // namespace trackplex::io
