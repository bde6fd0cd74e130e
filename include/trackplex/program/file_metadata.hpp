// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/program/build_info.hpp>
#include <trackplex/program/common_options.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace trackplex::program {

/// Description of a file of results: program, version, revision, precision, and the input with its
/// parameters as JSON. Backend, threads and lanes are not in it: results do not depend on them.
inline std::vector<std::pair<std::string, std::string>> file_metadata(
    const std::string& program, const CommonOptions& options, const nlohmann::ordered_json& input) {
  using Dump = nlohmann::ordered_json::error_handler_t;
  return {{"program", program},
          {"version", TRACKPLEX_VERSION_STRING},
          {"revision", std::string(git_hash())},
          {"precision", options.precision},
          {"input", input.dump(-1, ' ', false, Dump::replace)}};
}

}  // namespace trackplex::program
