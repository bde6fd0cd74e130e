// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/lattice_tokens.hpp>
#include <trackplex/io/detail/lower_case.hpp>
#include <trackplex/io/pals/detail/yaml_reader.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

/// @file
/// Documents of PALS: the files that one file loads and includes, put together.

namespace trackplex::io::detail {

/// Keys that belong to extensions of PALS.
class PalsExtensions {
 public:
  void add(const YamlNode& labels) {
    for (const YamlNode& list : labels.children) {
      std::vector<std::string>* const to = list.key == "names"      ? &names_
                                           : list.key == "prefixes" ? &prefixes_
                                           : list.key == "suffixes" ? &suffixes_
                                                                    : nullptr;
      if (!to) continue;
      for (const YamlNode& label : list.as_mapping("extension_labels." + list.key).children)
        to->push_back(label.key);
    }
  }
  bool has(std::string_view key) const {
    return std::ranges::find(names_, key) != names_.end() ||
           std::ranges::any_of(prefixes_, [&](const auto& p) { return key.starts_with(p); }) ||
           std::ranges::any_of(suffixes_, [&](const auto& s) { return key.ends_with(s); });
  }
  /// Tells whether a value belongs to an extension by its key, or by what it says itself.
  bool owns(const YamlNode& value) const { return has(value.key) || value.find("extension"); }

 private:
  std::vector<std::string> names_, prefixes_, suffixes_;
};

/// Contents of all files together.
struct PalsDocument {
  std::string version{};      ///< Empty: none.
  std::string coordinates{};  ///< `phase_space_coordinates`; empty: the default.
  std::vector<std::string> notes{}, reminders{};
  YamlNode labels{.kind = YamlNode::Kind::mapping};  ///< `extension_labels`.
  PalsExtensions extensions{};
  std::vector<YamlNode> facility{};  ///< Items in order; those without a key are commands.
};

/// Loads a file with all that it loads and includes.
class PalsLoader {
 public:
  static constexpr int max_files = 10'000;  ///< Also those that are read again.
  static constexpr std::size_t max_open = 50;
  static constexpr std::size_t max_bytes = std::size_t(1) << 30;

  static PalsDocument parse(std::string_view text, const std::string& name) {
    PalsLoader loader;
    loader.load(text, name, canonical(name));
    return std::move(loader.document_);
  }

 private:
  using Path = std::filesystem::path;

  static Path canonical(const Path& path) {
    std::error_code error;
    const Path found = std::filesystem::weakly_canonical(path, error);
    return error ? path : found;
  }

  /// A file that another one names at this place.
  std::string read(const Path& path, const YamlPlace& at) {
    const std::string ending = lower_case(path.extension().string());
    if (ending != ".yaml" && ending != ".yml" && ending != ".json")
      refuse_yaml(at, "'" + path.string() + "' is not read", "its name does not end as YAML's",
                  "name it .pals.yaml or .subpals.yaml");
    if (++files_ > max_files)
      refuse_yaml(at, "too many files are included", "more than " + std::to_string(max_files));
    std::error_code error;
    if (!std::filesystem::exists(path, error))
      refuse_yaml(at, "there is no file '" + path.string() + "'", {},
                  "names are relative to the file that has them");
    std::string text = read_file(path);
    bytes_ += text.size();
    if (bytes_ > max_bytes) refuse_yaml(at, "included files are too long together");
    return text;
  }
  /// Keeps files that are being read, to find cycles.
  void enter(const Path& path, const YamlPlace& at) {
    if (std::ranges::find(open_, path) != open_.end())
      refuse_yaml(at, "'" + path.string() + "' loads or includes itself",
                  std::to_string(open_.size()) + " files deep");
    if (open_.size() >= max_open) refuse_yaml(at, "files load or include others too deeply");
    open_.push_back(path);
  }

  void load(std::string_view text, const std::string& name, const Path& path) {
    enter(path, {});
    YamlNode file = YamlReader::read(text, name);
    YamlNode* const root = file.find("PALS");
    if (!root)
      refuse_yaml(file.at, "there is no mapping PALS", {}, "is this another kind of file?");
    root->as_mapping("PALS");
    include(*root, path.parent_path());
    const YamlNode* const loads = root->find("load");
    bool has_self = false;
    if (loads)
      for (const YamlNode& item : loads->as_list("load").children) {
        const std::string& other = item.as_text("an item of load");
        if (other == "SELF")
          has_self ? refuse_yaml(item.at, "SELF is there twice") : add(*root);
        else
          load_other(path.parent_path() / other, item.at);
        has_self |= other == "SELF";
      }
    if (!has_self) add(*root);
    open_.pop_back();
    loaded_.insert(path);
  }
  void load_other(const Path& path, const YamlPlace& at) {
    const Path found = canonical(path);
    if (loaded_.contains(found)) return;
    if (std::ranges::find(open_, found) != open_.end()) enter(found, at);
    load(read(path, at), path.string(), found);
  }

  // Includes

  YamlNode included(const YamlNode& command, const Path& folder) {
    const Path path = folder / command.as_text("include");
    const Path found = canonical(path);
    const std::string text = read(path, command.at);
    enter(found, command.at);
    YamlNode part = YamlReader::read(text, path.string());
    include(part, found.parent_path());
    open_.pop_back();
    return part;
  }
  /// Puts the contents of files where they are included.
  void include(YamlNode& node, const Path& folder) {
    if (node.is_list()) include_items(node, folder);
    if (!node.is_mapping()) return;
    for (YamlNode& field : node.children)
      if (field.key != "include") include(field, folder);
    if (const YamlNode* const command = node.find("include")) {
      const YamlNode part = included(*command, folder);
      std::erase_if(node.children, [](const YamlNode& field) { return field.key == "include"; });
      for (const YamlNode& field : part.as_mapping("an included file").children)
        if (!node.find(field.key)) node.children.push_back(field);
    }
  }
  void include_items(YamlNode& list, const Path& folder) {
    std::vector<YamlNode> items;
    for (YamlNode& item : list.children) {
      const YamlNode* const command = item.children.size() == 1 ? item.find("include") : nullptr;
      if (!command) {
        include(item, folder);
        items.push_back(std::move(item));
        continue;
      }
      YamlNode part = included(*command, folder);
      if (part.is_list())
        std::ranges::move(part.children, std::back_inserter(items));
      else if (part.is_mapping())
        for (YamlNode& field : part.children) {
          YamlNode one{.kind = YamlNode::Kind::mapping};
          one.at = field.key_at;
          one.children.push_back(std::move(field));
          items.push_back(std::move(one));
        }
    }
    list.children = std::move(items);
  }

  // Keys of PALS

  void add(const YamlNode& root) {
    if (const YamlNode* const labels = root.find("extension_labels")) {
      add_labels(document_.labels, labels->as_mapping("extension_labels"));
      document_.extensions.add(*labels);
    }
    for (const YamlNode& field : root.children) add_field(field);
  }
  void add_field(const YamlNode& field) {
    static constexpr std::string_view known[] = {
        "version",  "authors", "notes",     "reminders", "phase_space_coordinates",
        "facility", "load",    "constants", "variables", "extension_labels"};
    if (field.key == "version") return check_version(field);
    if (field.key == "phase_space_coordinates") return set_coordinates(field);
    if (field.key == "notes") return add_texts(document_.notes, field);
    if (field.key == "reminders") return add_texts(document_.reminders, field);
    if (field.key == "authors") return check_authors(field);
    if (field.key == "constants" || field.key == "variables") return add_item(field);
    if (field.key == "facility") {
      for (const YamlNode& item : field.as_list("facility").children) add_facility(item);
      return;
    }
    if (std::ranges::find(known, field.key) == std::end(known) && !document_.extensions.owns(field))
      refuse_yaml(field.key_at, "PALS has no \"" + field.key + "\"", {},
                  closest_name(field.key, known, "labels of extensions stand in extension_labels"));
  }
  void add_item(const YamlNode& field) { document_.facility.push_back(field); }
  /// A command, or a mapping of one field.
  void add_facility(const YamlNode& item) {
    if (item.is_mapping() && item.children.size() == 1) return add_item(item.children.front());
    if (item.is_mapping() && item.children.size() > 1)
      refuse_yaml(item.children[1].key_at, "an item of facility has two keys", {},
                  "indent what belongs to \"" + item.children[0].key + "\" more than its name");
    if (!item.is_scalar() || item.text != "expand_lattice")
      refuse_yaml(item.at, "an item of facility has no name", {}, "name: {kind: ...}");
    YamlNode command;
    command.key = item.text;
    command.at = command.key_at = item.at;
    add_item(command);
  }
  void check_version(const YamlNode& field) {
    if (field.is_null()) return;
    const std::string& version = field.as_text("version");
    if (!document_.version.empty() && document_.version != version)
      refuse_yaml(field.at, "the version is " + version,
                  "that of another file is " + document_.version, "load files of one version");
    document_.version = version;
  }
  void set_coordinates(const YamlNode& field) {
    static constexpr std::string_view known[] = {"KINETIC_AND_MOMENTUM", "KINETIC_AND_ENERGY",
                                                 "ANGLE_AND_MOMENTUM", "ANGLE_AND_ENERGY",
                                                 "standard"};  // that is in the corpus
    if (field.is_null()) return;
    const std::string& coordinates = field.as_text("phase_space_coordinates");
    if (std::ranges::find(known, coordinates) == std::end(known))
      refuse_yaml(field.at, "phase_space_coordinates are not known", "\"" + coordinates + "\"",
                  closest_name(coordinates, known));
    document_.coordinates = coordinates;
  }
  static void check_authors(const YamlNode& field) {
    for (const YamlNode& author : field.as_list("authors").children)
      if (!author.find("name")) refuse_yaml(author.at, "an author has no name");
  }
  static void add_texts(std::vector<std::string>& to, const YamlNode& field) {
    if (field.is_scalar() && !field.is_null()) return to.push_back(field.text);
    for (const YamlNode& item : field.as_list(field.key).children)
      to.push_back(item.as_text("an item of " + field.key));
  }
  /// Labels of several files: each may say the same again.
  static void add_labels(YamlNode& to, const YamlNode& labels) {
    for (const YamlNode& label : labels.children) {
      YamlNode* const known = to.find(label.key);
      if (!known)
        to.children.push_back(label);
      else if (known->is_mapping() && label.is_mapping())
        add_labels(*known, label);
      else if (known->kind != label.kind || known->text != label.text)
        refuse_yaml(label.at, "\"" + label.key + "\" has another value than in another file");
    }
  }

  PalsDocument document_;
  std::vector<Path> open_;
  std::set<Path> loaded_;
  int files_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace trackplex::io::detail
