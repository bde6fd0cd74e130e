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
/// For tables of a program's own, see io/tables/table_file.hpp, for bunches
/// io/tables/bunch_table.hpp.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/sdds/sdds_file.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

/// Parses the bytes of a file; `name` is for messages. Integers become `std::int64_t`, `longdouble`
/// becomes `double`, and characters texts of one byte.
/// @throws InputError if the bytes do not follow the format, with the line of a text or the byte
/// and page of binary data
SddsFile parse_sdds(std::string_view bytes, const std::string& name);

/// Reads a file, perhaps compressed by gzip, and the headers that it includes: from its folder, or
/// else from the working folder.
/// @throws InputError if a file cannot be read or does not follow the format, see parse_sdds()
SddsFile read_sdds(const std::filesystem::path& path);

/// Returns the bytes of a file, in the oldest version of SDDS that has the types of its values.
/// Numbers as text have the fewest digits that read back as the same bits.
/// @throws UsageError if the pages do not fit the header
std::string sdds_bytes(const SddsFile& file, SddsFormat format = {});

/// Writes a file.
/// @throws UsageError if the pages do not fit the header
/// @throws Error if the file cannot be written
void write_sdds(const std::filesystem::path& path, const SddsFile& file, SddsFormat format = {});

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/sdds/detail/sdds.impl.hpp>
#endif
