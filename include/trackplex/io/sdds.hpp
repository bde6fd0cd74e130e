// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// SDDS files (Self-Describing Data Sets) of elegant and its tools, versions 1 to 5, with data as
/// text or binary, in both byte orders, by rows or by columns:
/// @code
/// const auto file = io::read_sdds("run.w1");
/// const double* momentum = file.parameter<double>("pCentral");
/// const auto& x = file.pages[0].table.values<double>("x");
/// @endcode
/// For tables of a program's own, see io/table_file.hpp, for bunches io/bunch_table.hpp.

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/sdds_reader.hpp>
#include <trackplex/io/detail/sdds_writer.hpp>
#include <trackplex/io/sdds_file.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace trackplex::io {

/// Parses the bytes of a file; `name` is for messages. Integers become `std::int64_t`, `longdouble`
/// becomes `double`, and characters texts of one byte.
/// @throws InputError if the bytes do not follow the format, with the line of a text or the byte
/// and page of binary data
inline SddsFile parse_sdds(std::string_view bytes, const std::string& name) {
  detail::SddsReader reader(bytes, name);
  return reader.read_all();
}

/// Reads a file, and the headers that it includes, whose paths are relative to its folder.
/// @throws InputError if a file cannot be read or does not follow the format, see parse_sdds()
inline SddsFile read_sdds(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  const auto folder = path.parent_path();
  detail::SddsReader reader(bytes, path.string(), &folder);
  return reader.read_all();
}

/// Returns the bytes of a file, in the oldest version of SDDS that has the types of its values.
/// Numbers as text have the fewest digits that read back as the same bits.
/// @throws UsageError if the pages do not fit the header
inline std::string sdds_bytes(const SddsFile& file, SddsFormat format = {}) {
  const detail::SddsWriter writer(file.header, format);
  std::string bytes;
  writer.append_header(bytes);
  for (const auto& page : file.pages) {
    writer.append_page_head(bytes, page, std::int64_t(page.table.rows()));
    writer.append_rows(bytes, page.table);
  }
  return bytes;
}

/// Writes a file.
/// @throws UsageError if the pages do not fit the header
/// @throws Error if the file cannot be written
inline void write_sdds(const std::filesystem::path& path, const SddsFile& file,
                       SddsFormat format = {}) {
  write_file(path, sdds_bytes(file, format));
}

}  // namespace trackplex::io
