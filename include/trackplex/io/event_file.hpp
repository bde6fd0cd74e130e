// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/table_file.hpp>

#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io {

/// File of events that is written event by event, in the form that its name ends with: as objects
/// of JSON, {"events":[object, ...]}, or as tables in .csv or .h5 (see TableFile for the files of
/// several tables).
class EventFile {
 public:
  /// JSON, whatever the name.
  /// @throws Error if the file cannot be opened
  explicit EventFile(const std::filesystem::path& path) { open_json(path); }

  /// Tables, or JSON, which has no metadata.
  /// @throws UsageError for another extension, Error if the file cannot be opened
  EventFile(const std::filesystem::path& path, Metadata metadata, std::vector<Table> tables) {
    if (path.extension() == ".json") {
      open_json(path);
    } else if (const auto problem = problem_of_table_name(path); !problem.empty()) {
      throw UsageError("", problem, {}, "tracks can be .json, too");
    } else {
      tables_.emplace(path, std::move(metadata), std::move(tables));
    }
  }

  /// The tables, for the rows of an event and then flush(); null: it is added as an object of JSON.
  TableFile* tables() { return tables_ ? &*tables_ : nullptr; }

  void add(std::string_view object) {
    json_->write(std::exchange(separator_, ",\n"));
    json_->write(object);
  }

  /// Ends the file: without it, JSON and HDF5 are not complete.
  /// @throws Error if it could not be written completely
  void finish() {
    if (tables_) return tables_->finish();
    json_->write("\n]}\n");
    json_->close();
  }

 private:
  void open_json(const std::filesystem::path& path) { json_.emplace(path).write("{\"events\":["); }

  std::optional<OutputFile> json_;
  std::optional<TableFile> tables_;
  std::string_view separator_ = "\n";
};

}  // namespace trackplex::io
