// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Where the particles of an openPMD file are.

#include <trackplex/core/error.hpp>
#include <trackplex/hdf5/hdf5_reader.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Group of the particles of one iteration and species.
struct OpenPmdGroup {
  hdf5::Handle group{};
  std::string place{};         ///< path in the file
  bool is_of_species = false;  ///< whether its name is that of the species
};

/// Finds the group of an iteration and a species; an empty name is that of the only one.
class OpenPmdGroupFinder {
 public:
  OpenPmdGroupFinder(const hdf5::Reader& file, const std::string& iteration,
                     const std::string& species)
      : file_(file), iteration_(iteration), species_(species) {}

  /// @throws InputError if there is none, or several have no name
  OpenPmdGroup find() {
    find_group();
    return std::move(found_);
  }

 private:
  [[noreturn]] void refuse(std::string_view problem, std::string_view why = {},
                           std::string_view suggestion = {}) const {
    throw InputError({file_.name(), found_.place}, problem, why, suggestion);
  }

  /// Names in a path, such as "/data/%T/": without empty ones and ".".
  static std::vector<std::string> names_of(const std::string& path) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at < path.size();) {
      const auto end = std::min(path.find('/', at), path.size());
      const auto name = path.substr(at, end - at);
      if (!name.empty() && name != ".") names.push_back(name);
      at = end + 1;
    }
    return names;
  }

  static std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t shown = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), shown); ++i)
      text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > shown) text += " and " + std::to_string(names.size() - shown) + " others";
    return text;
  }

  void enter(const std::string& name) {
    if (!file_.has_group(found_.group, name))
      refuse("has no group " + name, "its members: " + listed(file_.columns(found_.group)),
             "check basePath and particlesPath");
    found_.group = file_.group(found_.group, name);
    found_.place += "/" + name;
  }

  /// Enters the only one of some groups in this one; `what` names several, `option` that of
  /// programs that names one.
  void enter_only(const char* what, const std::vector<std::string>& names, const char* option) {
    if (names.empty()) refuse(std::string("has no ") + what);
    if (names.size() > 1)
      refuse(std::string("has several ") + what, listed(names),
             std::string("keep or name one (") + option + ")");
    enter(names[0]);
  }

  /// Enters the group of the iteration, whose name has its number at `%T` in the pattern.
  void enter_iteration(const std::string& pattern) {
    const auto number = pattern.find("%T");
    const std::string head = pattern.substr(0, number), tail = pattern.substr(number + 2);
    const std::string name_of_one = head + iteration_ + tail;
    if (!iteration_.empty() && file_.has_group(found_.group, name_of_one))
      return enter(name_of_one);
    std::vector<std::string> names;
    for (const auto& name : file_.columns(found_.group))
      if (name.size() > head.size() + tail.size() && name.starts_with(head) &&
          name.ends_with(tail) && file_.has_group(found_.group, name))
        names.push_back(name);
    if (!iteration_.empty())
      refuse("has no iteration " + iteration_, "its iterations: " + listed(names));
    enter_only("iterations", names, "--iteration");
  }

  void enter_species() {
    std::vector<std::string> names;
    for (const auto& name : file_.columns(found_.group))
      if (file_.has_group(found_.group, name) &&
          file_.has(file_.group(found_.group, name), "position"))
        names.push_back(name);
    if (species_.empty()) return enter_only("species", names, "--species");
    if (std::ranges::find(names, species_) == names.end())
      refuse("has no species " + species_, "its species: " + listed(names));
    enter(species_);
    found_.is_of_species = true;
  }

  void find_group() {
    found_.group = file_.group("/");
    std::vector<std::string> path;
    for (const char* const name : {"basePath", "particlesPath"}) {
      const auto text = file_.attribute(found_.group, name);
      if (!text)
        throw InputError({file_.name()}, std::string("the attribute ") + name + " is missing");
      for (auto& part : names_of(*text)) path.push_back(std::move(part));
    }
    bool has_iterations = false;
    for (const auto& name : path) {
      const bool is_iteration = name.find("%T") != name.npos;
      has_iterations |= is_iteration;
      is_iteration ? enter_iteration(name) : enter(name);
    }
    if (!iteration_.empty() && !has_iterations)
      refuse("has no iterations", "iteration " + iteration_ + " is asked for");
    if (!file_.has(found_.group, "position")) enter_species();
  }

  const hdf5::Reader& file_;
  const std::string &iteration_, &species_;
  OpenPmdGroup found_;
};

}  // namespace trackplex::io::detail
