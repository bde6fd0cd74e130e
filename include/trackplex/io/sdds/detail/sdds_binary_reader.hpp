// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Pages of SDDS files with binary data.

#include <trackplex/io/detail/byte_reader.hpp>
#include <trackplex/io/sdds/detail/sdds_header.hpp>
#include <trackplex/io/sdds/detail/sdds_numbers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::io::detail {

/// Reader of binary pages.
class SddsBinaryReader {
 public:
  /// `bytes` are those behind the header, which begin at byte `first` of the file.
  SddsBinaryReader(std::string_view bytes, std::size_t first, const std::string& file,
                   const SddsHeader& header, const SddsLayout& layout)
      : bytes_(bytes, file, {}, first), header_(header), layout_(layout), parser_(file) {
    for (const auto& field : header.columns) {
      row_bytes_ += sdds_bytes_of(field.type);
      has_strings_ |= field.type == SddsType::string;
    }
  }

  /// Whether there is another page.
  bool has_page() const { return bytes_.left() > 0; }

  /// Reads the next page; `number` is for messages.
  void read(SddsPage& page, std::size_t number) {
    page_ = "page " + std::to_string(number);
    const std::size_t at = bytes_.offset();
    const std::int64_t rows = take_row_count();
    for (const auto& field : header_.parameters) {
      page.parameters.push_back(empty_values(column_type_of(field.type)));
      if (field.fixed_value)
        parser_.append(*field.fixed_value, field, "parameter", 1, page.parameters.back());
      else
        take_values(field, 1, page.parameters.back());
    }
    for (const auto& field : header_.arrays) page.arrays.push_back(take_array(field));
    if (header_.columns.empty()) return;
    const std::size_t most = bytes_.left() / row_bytes_;
    const bool fits = rows >= 0 && std::uint64_t(rows) <= most;
    if (!fits && !(layout_.fixed_row_count && rows >= 0 && !layout_.column_major))
      throw InputError(bytes_.place(at, page_), "its number of rows is " + std::to_string(rows),
                       std::to_string(bytes_.left()) + " bytes are left",
                       "the file is damaged, or of another byte order than it says");
    take_table(std::size_t(rows), page.table);
  }

 private:
  template <class T>
  T take() {
    return sdds_number<T>(bytes_.read_bytes(sizeof(T)).data(), layout_.big_endian);
  }

  std::int64_t take_row_count() {
    const auto rows = take<std::int32_t>();
    return rows == std::numeric_limits<std::int32_t>::min() ? take<std::int64_t>() : rows;
  }

  void take_string(const SddsField& field, std::vector<std::string>& list) {
    const std::size_t at = bytes_.offset();
    const auto n = take<std::int32_t>();
    if (n < 0 || std::size_t(n) > bytes_.left())
      throw InputError(bytes_.place(at, page_ + ", " + field.name),
                       "a text has " + std::to_string(n) + " bytes",
                       std::to_string(bytes_.left()) + " bytes are left");
    list.emplace_back(bytes_.read_bytes(std::size_t(n)));
  }

  /// Takes values that follow each other.
  void take_values(const SddsField& field, std::size_t n, ColumnValues& values) {
    if (field.type == SddsType::string) {
      for (std::size_t i = 0; i < n; ++i)
        take_string(field, std::get<std::vector<std::string>>(values));
      return;
    }
    const std::size_t at = bytes_.offset(), size = sdds_bytes_of(field.type);
    decode(field, at, bytes_.read_bytes(n * size), size, n, values);
  }

  /// Appends n numbers or characters, `stride` bytes apart, of a block that begins at `at`.
  void decode(const SddsField& field, std::size_t at, std::string_view block, std::size_t stride,
              std::size_t n, ColumnValues& values) const {
    const std::size_t read =
        append_sdds_numbers(field.type, block, stride, n, layout_.big_endian, values);
    if (read < n)
      throw InputError(bytes_.place(at + read * stride, page_ + ", " + field.name),
                       "a number is 2^63 or more", "signed integers of 64 bits are read");
  }

  SddsArray take_array(const SddsField& field) {
    SddsArray array{{}, empty_values(column_type_of(field.type))};
    const std::size_t at = bytes_.offset(), size = sdds_bytes_of(field.type);
    std::size_t n = 1;
    for (int d = 0; d < field.dimensions; ++d) {
      const auto extent = take<std::int32_t>();
      const std::size_t most = bytes_.left() / size;
      const bool fits = extent == 0 || (extent > 0 && n <= most / std::size_t(extent));
      if (!fits)
        throw InputError(bytes_.place(at, page_ + ", " + field.name),
                         "a dimension of the array is " + std::to_string(extent),
                         std::to_string(bytes_.left()) + " bytes are left");
      array.extents.push_back(std::size_t(extent));
      n *= std::size_t(extent);
    }
    take_values(field, n, array.values);
    return array;
  }

  void take_table(std::size_t rows, TableOfFile& table) {
    const auto& fields = header_.columns;
    if (layout_.column_major) {
      for (std::size_t c = 0; c < fields.size(); ++c)
        take_values(fields[c], rows, table.columns[c].values);
    } else if (has_strings_) {
      for (std::size_t row = 0; row < rows; ++row) {
        if (layout_.fixed_row_count && bytes_.left() == 0) return;
        for (std::size_t c = 0; c < fields.size(); ++c)
          take_values(fields[c], 1, table.columns[c].values);
      }
    } else {
      rows = std::min(rows, bytes_.left() / row_bytes_);
      if (rows == 0) return;
      const std::size_t at = bytes_.offset();
      const auto block = bytes_.read_bytes(rows * row_bytes_);
      std::size_t first = 0;
      for (std::size_t c = 0; c < fields.size(); ++c) {
        decode(fields[c], at + first, block.substr(first), row_bytes_, rows,
               table.columns[c].values);
        first += sdds_bytes_of(fields[c].type);
      }
    }
  }

  ByteReader bytes_;
  const SddsHeader& header_;
  const SddsLayout& layout_;
  SddsValueParser parser_;
  std::string page_;
  std::size_t row_bytes_ = 0;  ///< of a row, texts without their characters
  bool has_strings_ = false;
};

}  // namespace trackplex::io::detail
