// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Options of programs, in groups. Every number has a range, every output file is tested before the
/// work. Only the sources of the frame include CLI11, which takes seconds to compile.

namespace CLI {
class App;
class FormatterBase;
class Option;
}  // namespace CLI

namespace trackplex::program {

/// The limit of counts that nothing else limits.
inline constexpr std::uint64_t max_count = 1'000'000'000;

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
  std::string first_precision() const { return precision == "all" ? "float" : precision; }
};

/// Refuses options that do not go together.
void refuse_if(bool wrong, const std::string& option, const std::string& problem,
               const std::string& advice = {});

/// Files that the program writes, those that it reads, and the options that name them.
class Outputs {
 public:
  /// All files that are written where an option names one.
  using FilesOf = std::function<std::vector<std::string>(const std::string& name)>;

  void add(std::string option, std::string& name, FilesOf files) {
    outputs_.push_back({std::move(option), &name, std::move(files)});
  }

  /// Adds files and folders that the program reads, which no output may replace.
  void add_inputs(std::string option, std::function<std::vector<std::string>()> names) {
    inputs_.push_back({std::move(option), std::move(names)});
  }

  /// The file of this option continues an input, and may replace it.
  void let_replace(const std::string& option) { replacing_.insert(option); }

  /// @throws UsageError where two options would write the same file, or one replaces an input
  void check_differ() const;

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

  struct Input {
    std::string option;
    std::function<std::vector<std::string>()> names;
  };

  std::vector<Output> outputs_;
  std::vector<Input> inputs_;
  std::set<std::string> replacing_;
};

/// An option of the command line, which the program owns.
class Option {
 public:
  Option() = default;
  explicit Option(CLI::Option* option) : option_(option) {}

  std::string name() const;
  /// Neither the command line nor a configuration file has it.
  bool empty() const;
  /// Has another value than the default one, which a configuration file may have, too.
  bool is_changed() const;

  Option show_default() const;
  Option allow(const std::vector<std::string>& words) const;
  /// Words of a list may stand in one argument, with this between them.
  Option split_at(char delimiter) const;

 private:
  CLI::Option* option_ = nullptr;
};

/// The types of numbers that options have: one, or a pair, which may have no value.
template <class T, class... Types>
inline constexpr bool is_one_of = (std::same_as<T, Types> || ...);
template <class T>
concept OptionNumber =
    is_one_of<T, int, std::int64_t, std::uint64_t, double, std::optional<int>,
              std::optional<std::uint64_t>, std::optional<double>, std::pair<double, double>,
              std::optional<std::pair<double, double>>>;

/// Options that stand together in the help. Defaults are the values of the variables; an optional
/// one without a value has none.
class OptionGroup {
 public:
  OptionGroup(CLI::App& app, Outputs& outputs, std::string name)
      : app_(app), outputs_(outputs), name_(std::move(name)) {}

  /// A number from low to high, in a unit for messages; or a pair of them, whose default is not
  /// shown.
  template <OptionNumber T>
  Option number(const std::string& option, T& value, const std::string& type, double low,
                double high, const std::string& text, const std::string& unit = {});
  /// A count of which 0, the default that is not shown, means something else.
  template <std::integral T>
  Option count(const std::string& option, T& value, const std::string& text,
               std::uint64_t most = max_count);
  Option word(const std::string& option, std::string& value, const std::vector<std::string>& words,
              const std::string& text, const std::string& type = "NAME");
  /// A text, or a list of such.
  Option text(const std::string& option, std::string& value, const std::string& type,
              const std::string& what);
  Option text(const std::string& option, std::vector<std::string>& values, const std::string& type,
              const std::string& what);
  /// A file or folder that the program reads, or several: no output may replace one.
  Option input(const std::string& option, std::string& value, const std::string& type,
               const std::string& what);
  Option input(const std::string& option, std::vector<std::string>& values, const std::string& type,
               const std::string& what);
  Option flag(const std::string& option, bool& value, const std::string& text);

  /// A file that the program writes. Where it cannot be written is found out before the work, and
  /// is an Error, as it is later. `endings` are those of the file's kinds; devices, such as
  /// /dev/null, need none.
  Option output(const std::string& option, std::string& file, const std::string& text,
                std::vector<std::string> endings = {});
  /// A file that continues one that the program reads, and may replace it.
  Option continued(const std::string& option, std::string& file, const std::string& text);
  /// A file, as `output`, of tables in the forms that `io::TableFile` has and, with their own
  /// endings, others; tables `beside` the first one may have files of their own.
  Option table(const std::string& option, std::string& file, const std::string& text,
               const std::vector<std::string>& beside = {}, std::vector<std::string> others = {});
  /// What the names of several tables begin with.
  Option prefix(const std::string& option, std::string& name, const std::string& text,
                const Outputs::FilesOf& files_of);
  /// A new folder, or an empty one.
  Option output_folder(const std::string& option, std::string& folder, const std::string& text);

  CLI::App& app() { return app_; }
  const std::string& name() const { return name_; }

 private:
  CLI::Option* output(const std::string& option, std::string& file, const std::string& text,
                      std::vector<std::string> endings, Outputs::FilesOf files_of);
  CLI::Option* finish(CLI::Option* option, const std::string& type, bool has_default) const;

  CLI::App& app_;
  Outputs& outputs_;
  std::string name_;
};

/// Help of at most 100 columns.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace trackplex::program
