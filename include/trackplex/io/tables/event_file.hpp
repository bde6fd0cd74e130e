// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Files that are written event by event, as JSON or as tables.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/tables/table_file.hpp>

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// File that is written event by event, in the format of its extension: .json for JSON objects,
/// {"events":[object, ...]}, and .csv, .h5 or .sdds for tables (see TableFile for the files of
/// several tables).
class EventFile {
 public:
  /// Opens a JSON file, whatever its extension.
  /// @throws Error if the file cannot be opened
  explicit EventFile(const std::filesystem::path& path);

  /// Opens a file of `tables`, which have columns but no rows, or a JSON file, which stores neither
  /// `tables` nor `metadata`.
  /// @throws UsageError for another extension, Error if the file cannot be opened
  EventFile(const std::filesystem::path& path, Metadata metadata, std::vector<Table> tables);

  /// Returns the tables, to which the rows of an event are added before TableFile::flush(); null
  /// for JSON, where add() writes the event.
  TableFile* tables() { return tables_ ? &*tables_ : nullptr; }

  /// Appends an event, as the text of a JSON object; for JSON files only.
  void add(std::string_view object);

  /// Ends the file; without it, JSON, HDF5 and SDDS are incomplete.
  /// @throws Error if it could not be written completely
  void finish();

 private:
  void open_json(const std::filesystem::path& path);

  std::optional<OutputFile> json_;
  std::optional<TableFile> tables_;
  std::string_view separator_ = "\n";
};

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/tables/detail/event_file.impl.hpp>
#endif
