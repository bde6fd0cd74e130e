// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/io/tables/event_file.hpp>

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io {

TRACKPLEX_INLINE EventFile::EventFile(const std::filesystem::path& path) { open_json(path); }

TRACKPLEX_INLINE EventFile::EventFile(const std::filesystem::path& path, Metadata metadata,
                                      std::vector<Table> tables) {
  if (path.extension() == ".json") {
    open_json(path);
  } else if (const auto problem = problem_of_table_name(path); !problem.empty()) {
    throw UsageError("", problem, {}, "tracks can be .json, too");
  } else {
    tables_.emplace(path, std::move(metadata), std::move(tables));
  }
}

TRACKPLEX_INLINE void EventFile::add(std::string_view object) {
  json_->write(std::exchange(separator_, ",\n"));
  json_->write(object);
}

TRACKPLEX_INLINE void EventFile::finish() {
  if (tables_) return tables_->finish();
  json_->write("\n]}\n");
  json_->close();
}

TRACKPLEX_INLINE void EventFile::open_json(const std::filesystem::path& path) {
  json_.emplace(path).write("{\"events\":[");
}

}  // namespace trackplex::io
