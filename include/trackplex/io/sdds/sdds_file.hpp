// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Contents of SDDS files (Self-Describing Data Sets), the files of elegant and its tools: a header
/// that defines parameters, arrays and columns, and pages with their values.

#include <trackplex/io/table.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trackplex::io {

/// Type of values in an SDDS file.
enum class SddsType : std::size_t {
  int16,       ///< `short`
  uint16,      ///< `ushort`
  int32,       ///< `long`
  uint32,      ///< `ulong`
  int64,       ///< `long64`
  uint64,      ///< `ulong64`, of which the numbers below 2^63 are read and written
  float32,     ///< `float`
  float64,     ///< `double`
  longdouble,  ///< `longdouble`, of which the precision of `double` is kept
  string,      ///< `string`
  character    ///< `character`, a text of one byte
};

/// Names of the types in files, in the order of SddsType.
inline constexpr std::array<std::string_view, 11> sdds_type_names{
    "short", "ushort", "long",       "ulong",  "long64",   "ulong64",
    "float", "double", "longdouble", "string", "character"};

/// Returns the name of a type in files.
inline std::string_view name_of(SddsType type) { return sdds_type_names[std::size_t(type)]; }

/// Returns the type in memory of values of a type in files.
inline ColumnType column_type_of(SddsType type) {
  if (type <= SddsType::uint64) return ColumnType::int64;
  if (type == SddsType::float32) return ColumnType::float32;
  return type <= SddsType::longdouble ? ColumnType::float64 : ColumnType::string;
}

/// Returns the type in files that keeps all values of a type in memory.
inline SddsType sdds_type_of(ColumnType type) {
  constexpr SddsType types[] = {SddsType::int64, SddsType::float32, SddsType::float64,
                                SddsType::string};
  return types[std::size_t(type)];
}

/// Definition of a parameter, an array or a column.
struct SddsField {
  std::string name;                          ///< name, unique among those of its kind
  SddsType type = SddsType::float64;         ///< type of its values
  std::string units{};                       ///< units of its values; empty if they have none
  std::string symbol{};                      ///< symbol for plots
  std::string description{};                 ///< meaning, a text
  std::optional<std::string> fixed_value{};  ///< of a parameter: value as text, same in all pages
  int dimensions = 1;                        ///< of an array: number of its indices
  int field_length = 0;                      ///< of a column as text: width; 0: words
};

/// Header of a file.
struct SddsHeader {
  std::string text{};                   ///< text of the description
  std::string contents{};               ///< kind of the contents, such as "watch-point phase space"
  std::vector<SddsField> parameters{};  ///< values that a page has once
  std::vector<SddsField> arrays{};      ///< arrays of any number of dimensions
  std::vector<SddsField> columns{};     ///< columns of the table
  std::vector<std::string> remarks{};   ///< of reading: which of two included files is meant
};

/// Values of an array in a page; the last index is the fastest.
struct SddsArray {
  std::vector<std::size_t> extents;  ///< length of each dimension
  ColumnValues values;               ///< values
};

/// Page of a file.
struct SddsPage {
  std::vector<ColumnValues> parameters{};  ///< one value each, in the order of the header
  std::vector<SddsArray> arrays{};         ///< in the order of the header
  TableOfFile table{};                     ///< columns, in the order of the header
};

/// Contents of a file.
struct SddsFile {
  std::string name{};             ///< path of the file
  SddsHeader header{};            ///< definitions
  std::vector<SddsPage> pages{};  ///< pages

  /// Returns a parameter of a page; null if there is none of this name and type in memory, which is
  /// `std::int64_t`, `float`, `double` or `std::string`.
  template <class Value>
  const Value* parameter(std::string_view parameter, std::size_t page = 0) const {
    for (std::size_t i = 0; i < header.parameters.size(); ++i)
      if (header.parameters[i].name == parameter)
        if (const auto* list = std::get_if<std::vector<Value>>(&pages.at(page).parameters[i]))
          return &list->front();
    return nullptr;
  }
};

/// Form of the data of an SDDS file that is written.
struct SddsFormat {
  bool ascii = false;         ///< text instead of binary data
  bool big_endian = false;    ///< byte order of binary data
  bool column_major = false;  ///< columns one after another in binary data, instead of rows
};

}  // namespace trackplex::io
