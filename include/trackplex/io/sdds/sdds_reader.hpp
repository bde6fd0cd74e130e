// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/sdds/detail/sdds_ascii_reader.hpp>
#include <trackplex/io/sdds/detail/sdds_binary_reader.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace trackplex::io {

/// Reader of an SDDS file, page by page.
class SddsReader {
 public:
  /// Reads the header. The bytes must live as long as the reader. `folder` is that of included
  /// files; null: they are refused.
  SddsReader(std::string_view bytes, const std::string& file,
             const std::filesystem::path* folder = nullptr)
      : file_(file) {
    detail::SddsText text(bytes, file);
    detail::SddsHeaderReader(text, folder).read(header_, layout_);
    if (layout_.is_ascii)
      ascii_.emplace(text, header_, layout_);
    else
      binary_.emplace(bytes.substr(text.position()), text.position(), file, header_, layout_);
  }
  SddsReader(const SddsReader&) = delete;

  /// Returns the header of the file.
  const SddsHeader& header() const { return header_; }
  /// Returns the name of the file.
  const std::string& file() const { return file_; }

  /// Reads the next page; none at the end of the file.
  std::optional<SddsPage> next() {
    if (!(ascii_ ? ascii_->has_page() : binary_->has_page())) return std::nullopt;
    SddsPage page;
    page.table.name = "page " + std::to_string(++pages_);
    page.table.file = file_;
    for (const auto& field : header_.columns)
      page.table.columns.emplace_back(field.name, field.units, column_type_of(field.type));
    if (ascii_)
      ascii_->read(page);
    else
      binary_->read(page, pages_);
    return page;
  }

  /// Reads all pages that are left.
  SddsFile read_all() {
    SddsFile file{file_, header_, {}};
    while (auto page = next()) file.pages.push_back(std::move(*page));
    return file;
  }

 private:
  std::string file_;
  SddsHeader header_;
  detail::SddsLayout layout_;
  std::optional<detail::SddsAsciiReader> ascii_;
  std::optional<detail::SddsBinaryReader> binary_;
  std::size_t pages_ = 0;
};

}  // namespace trackplex::io
