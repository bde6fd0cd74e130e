// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/values.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/table_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

/// @file
/// Options of programs, in groups. Every number has a range, every output file is tested before the
/// work.

namespace trackplex::program {

/// The options that every program has.
struct CommonOptions {
  std::string backend;              ///< a backend of `built_backends()`, or "all"
  std::vector<int> threads;         ///< numbers of host threads; none: Kokkos decides
  std::string lanes = "default";    ///< a number, "default" or "all"
  std::string precision = "float";  ///< float, double or all
  int repeat = 5;                   ///< timed repetitions after the warm-up
  std::uint64_t seed = 1;           ///< of generated input
  std::string json;                 ///< file of the report; empty: none
  bool quiet = false;               ///< no progress bars, no text but warnings and errors

  /// The number type of what is written to files, that of the first run.
  const std::string& first_precision() const {
    static const std::string single = "float";
    return precision == "all" ? single : precision;
  }
};

/// Refuses options that do not go together.
inline void refuse_if(bool wrong, const std::string& option, const std::string& problem,
                      const std::string& advice = {}) {
  if (wrong) throw UsageError(option, problem, {}, advice);
}

/// Files that the program writes, and the options that name them.
class Outputs {
 public:
  /// All files that are written where an option names one.
  using FilesOf = std::function<std::vector<std::string>(const std::string& name)>;

  void add(std::string option, std::string& name, FilesOf files) {
    outputs_.push_back({std::move(option), &name, std::move(files)});
  }

  /// @throws UsageError where two options would write the same file
  void check_differ() const {
    std::map<std::filesystem::path, std::string> owners;
    for (const auto& [option, name, files_of] : outputs_) {
      if (name->empty()) continue;
      for (const auto& file : files_of(*name)) {
        std::error_code error;
        const auto path = std::filesystem::weakly_canonical(file, error);
        if (std::filesystem::is_character_file(path, error)) continue;
        const auto [owner, is_new] = owners.emplace(path, option);
        if (!is_new)
          throw UsageError(option, "the same file as for " + owner->second,
                           path.filename().string());
      }
    }
  }

  /// Nothing is to be written.
  void clear() {
    for (auto& output : outputs_) output.name->clear();
  }

 private:
  struct Output {
    std::string option;
    std::string* name;
    FilesOf files_of;
  };

  std::vector<Output> outputs_;
};

template <class T>
concept OptionNumber = std::integral<T> || std::floating_point<T>;

/// Options that stand together in the help. Defaults are the values of the variables; an optional
/// one without a value has none.
class OptionGroup {
 public:
  OptionGroup(CLI::App& app, Outputs& outputs, std::string name)
      : app_(app), outputs_(outputs), name_(std::move(name)) {}

  /// A number from low to high, in a unit for messages.
  template <OptionNumber T>
  CLI::Option* number(const std::string& option, T& value, const std::string& type, double low,
                      double high, const std::string& text, const std::string& unit = {}) {
    return finish(app_.add_option(option, value, text), type, true)
        ->transform(range<T>(low, high, unit));
  }
  template <OptionNumber T>
  CLI::Option* number(const std::string& option, std::optional<T>& value, const std::string& type,
                      double low, double high, const std::string& text,
                      const std::string& unit = {}) {
    return finish(app_.add_option(option, value, text), type, false)
        ->transform(range<T>(low, high, unit));
  }
  /// A count of which 0, the default that is not shown, means something else.
  template <std::integral T>
  CLI::Option* count(const std::string& option, T& value, const std::string& text,
                     std::uint64_t most = max_count) {
    return finish(app_.add_option(option, value, text), "N", false)
        ->transform(whole_number(1, most));
  }
  CLI::Option* word(const std::string& option, std::string& value,
                    const std::vector<std::string>& words, const std::string& text,
                    const std::string& type = "NAME") {
    return finish(app_.add_option(option, value, text), type, true)->check(one_of(words));
  }
  /// A text, or a list of such.
  template <class Text>
  CLI::Option* text(const std::string& option, Text& value, const std::string& type,
                    const std::string& what) {
    return finish(app_.add_option(option, value, what), type, false);
  }
  CLI::Option* flag(const std::string& option, bool& value, const std::string& text) {
    return app_.add_flag(option, value, text)->group(name_);
  }

  /// A file that the program writes. Where it cannot be written is found out before the work, and
  /// is an Error, as it is later. `endings` are those of the file's kinds; devices, such as
  /// /dev/null, need none.
  CLI::Option* output(const std::string& option, std::string& file, const std::string& text,
                      std::vector<std::string> endings = {}) {
    return output(option, file, text, std::move(endings), itself);
  }

  /// The same for tables, in the forms that `io::TableFile` has and, with their own endings,
  /// others; tables `beside` the first one may have files of their own.
  CLI::Option* table(const std::string& option, std::string& file, const std::string& text,
                     const std::vector<std::string>& beside = {},
                     std::vector<std::string> others = {}) {
    const auto files_of = [beside](const std::string& path) {
      std::vector<std::string> files{path};
      for (const auto& table : beside)
        if (auto of_table = io::file_of_table(path, table).string(); of_table != path)
          files.push_back(std::move(of_table));
      return files;
    };
    const auto check = [files_of, others](std::string& path) -> std::string {
      for (const auto& ending : others)
        if (path.ends_with(ending)) return {};
      return problem_of_tables(files_of(path));
    };
    others.insert(others.end(), {".csv", ".h5", ".sdds"});
    return output(option, file, text, std::move(others), files_of)
        ->check(CLI::Validator(check, ""));
  }

  /// What the names of several tables begin with.
  CLI::Option* prefix(const std::string& option, std::string& name, const std::string& text,
                      const Outputs::FilesOf& files_of) {
    const auto check = [files_of](const std::string& given) {
      return problem_of_tables(files_of(given));
    };
    outputs_.add(option, name, files_of);
    return this->text(option, name, "PREFIX", text)->check(CLI::Validator(check, ""));
  }

  /// A new folder, or an empty one.
  CLI::Option* output_folder(const std::string& option, std::string& folder,
                             const std::string& text) {
    const auto check = [](std::string& path) -> std::string {
      namespace fs = std::filesystem;
      if (path.empty()) return "the name of the folder is empty";
      std::error_code error;
      if (fs::exists(path, error) && !(fs::is_directory(path, error) && fs::is_empty(path, error)))
        return path + " is there already; name a new or empty folder";
      check_output_folder(path);
      return {};
    };
    outputs_.add(option, folder, itself);
    return finish(app_.add_option(option, folder, text), "DIR", false)
        ->check(CLI::Validator(check, ""));
  }

  CLI::App& app() { return app_; }
  const std::string& name() const { return name_; }

 private:
  template <class T>
  static CLI::Validator range(double low, double high, const std::string& unit) {
    if constexpr (std::integral<T>)
      return whole_number(std::uint64_t(low),
                          high >= 0x1p64 ? ~std::uint64_t{0} : std::uint64_t(high));
    else
      return finite_number(low, high, unit);
  }

  CLI::Option* output(const std::string& option, std::string& file, const std::string& text,
                      std::vector<std::string> endings, Outputs::FilesOf files_of) {
    outputs_.add(option, file, std::move(files_of));
    const auto check = [endings = std::move(endings)](std::string& path) {
      return problem_of(path, endings);
    };
    return finish(app_.add_option(option, file, text), "FILE", false)
        ->check(CLI::Validator(check, ""));
  }

  CLI::Option* finish(CLI::Option* option, const std::string& type, bool has_default) {
    if (has_default) option->capture_default_str();
    return option->type_name(type)->group(name_);
  }

  static std::vector<std::string> itself(const std::string& name) { return {name}; }

  static std::string problem_of_tables(const std::vector<std::string>& files) {
    for (const auto& file : files) {
      if (auto problem = io::problem_of_table_name(file); !problem.empty()) return problem;
      check_output(file);
    }
    return {};
  }

  static std::string problem_of(const std::string& path, const std::vector<std::string>& endings) {
    if (path.empty()) return "the name of the file is empty";
    if (path.starts_with('-')) return "'" + path + "' is no file; if it is, write ./" + path;
    check_output(path);
    std::error_code error;
    if (endings.empty() || std::filesystem::is_character_file(path, error)) return {};
    for (const auto& ending : endings)
      if (path.ends_with(ending) && path.size() > ending.size()) return {};
    return fmt::format("'{}' does not end in {}", path, fmt::join(endings, " or "));
  }

  CLI::App& app_;
  Outputs& outputs_;
  std::string name_;
};

/// Help of at most 100 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(26); }

  std::string make_option_desc(const CLI::Option* option) const override {
    constexpr std::size_t width = 100 - 26;
    std::string text;
    std::size_t column = 0;
    const auto description = CLI::Formatter::make_option_desc(option);
    for (std::size_t begin = 0; begin < description.size();) {
      const auto end = std::min(description.find(' ', begin), description.size());
      const auto word = description.substr(begin, end - begin);
      const bool breaks = column > 0 && column + 1 + word.size() > width;
      text += column == 0 ? word : (breaks ? "\n" : " ") + word;
      column = breaks || column == 0 ? word.size() : column + 1 + word.size();
      begin = end + 1;
    }
    return text;
  }
};

}  // namespace trackplex::program
