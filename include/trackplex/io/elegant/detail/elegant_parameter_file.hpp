// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/lattice_tokens.hpp>
#include <trackplex/io/elegant/detail/elegant_patterns.hpp>
#include <trackplex/io/elegant/elegant_options.hpp>
#include <trackplex/io/sdds/sdds.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Which rows of a file count: patterns that they must have, and must not have; empty ones do not
/// matter.
struct ParameterFilePatterns {
  std::string name, parameter, not_name, not_parameter;
  bool of_definitions = false;  ///< whether numbers of single elements on the line do not count

  bool includes(std::string_view of_name, std::string_view of_parameter) const {
    const auto& has = matches_elegant_patterns;
    return (name.empty() || has(name, of_name)) &&
           (parameter.empty() || has(parameter, of_parameter)) &&
           (not_name.empty() || !has(not_name, of_name)) &&
           (not_parameter.empty() || !has(not_parameter, of_parameter));
  }
};

/// Whether a row is that of the next element of a name, and changes it as those before.
inline bool is_next(std::int64_t occurrence, ElegantChange& before, const ElegantChange& change,
                    bool is_new) {
  if (is_elegant_pattern(change.name)) return false;
  if (is_new) return occurrence == 1;
  return occurrence == ++before.occurrences && before.kind == change.kind &&
         before.value == change.value && before.text == change.text;
}

/// The changes of a file of parameters, as elegant's run_setup and optimizer write them (SDDS):
/// columns ElementName, ElementParameter and ParameterValue, perhaps ParameterMode and
/// ParameterValueString; its first page. `like` has what is the same in all of them.
/// @throws InputError if a column is missing or of another type, or a mode is not known
inline std::vector<ElegantChange> parameter_changes(const std::filesystem::path& path,
                                                    const ParameterFilePatterns& patterns,
                                                    const ElegantChange& like) {
  const auto file = read_sdds(path);
  std::vector<ElegantChange> changes;
  if (file.pages.empty()) return changes;
  const Table& table = file.pages[0].table;
  const auto column = [&]<class Value>(const char* name, Value) -> const std::vector<Value>* {
    return table.has(name) ? &table.values<Value>(name) : nullptr;
  };
  const auto *names = column("ElementName", std::string()),
             *parameters = column("ElementParameter", std::string()),
             *modes = column("ParameterMode", std::string()),
             *texts = column("ParameterValueString", std::string());
  const auto* values = column("ParameterValue", 0.);
  if (!names || !parameters || !(values || texts))
    throw InputError({path.string()}, "it has no parameters of elements", {},
                     "they are texts ElementName and ElementParameter and numbers ParameterValue");
  const auto* occurrences =
      patterns.of_definitions ? nullptr : column("ElementOccurence", std::int64_t());
  std::map<std::pair<std::string, std::string>, std::size_t> first;  // of elements of a name
  for (std::size_t i = 0; i < names->size(); ++i) {
    const auto mode = modes ? lower_case((*modes)[i]) : "absolute";
    if (mode == "ignore" || !patterns.includes((*names)[i], (*parameters)[i])) continue;
    using Kind = ElegantChange::Kind;
    ElegantChange change = like;
    change.name = (*names)[i];
    change.parameter = (*parameters)[i];
    change.value = values ? (*values)[i] : 0.;
    change.text = texts ? (*texts)[i] : "";
    change.kind = mode == "differential" ? Kind::add
                  : mode == "fractional" ? Kind::enlarge
                                         : Kind::set;
    if (change.kind == Kind::set && mode != "absolute")
      throw InputError({path.string(), "ParameterMode", i}, "'" + mode + "' is no mode");
    if (!occurrences) {
      changes.push_back(std::move(change));
      continue;
    }
    change.occurrences = 1;
    const auto [at, is_new] =
        first.emplace(std::pair(change.name, upper_case(change.parameter)), changes.size());
    if (is_new) changes.push_back(change);
    if (!is_next((*occurrences)[i], changes[at->second], change, is_new))
      throw InputError({path.string(), "ElementOccurence", i},
                       "single ones of the elements of a name cannot be changed", {},
                       "give all the same value, or change their definitions "
                       "(change_defined_values=1)");
  }
  return changes;
}

/// The first value of a column of an SDDS file.
/// @throws InputError if there is none
inline double first_value(const std::filesystem::path& path, const std::string& column) {
  const auto file = read_sdds(path);
  if (file.pages.empty() || !file.pages[0].table.has(column) || file.pages[0].table.rows() == 0)
    throw InputError({path.string(), column}, "it has no values");
  return file.pages[0].table.values<double>(column)[0];
}

}  // namespace trackplex::io::detail
