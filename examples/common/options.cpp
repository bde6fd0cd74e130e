// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/options.hpp>
#include <common/values.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/tables/table_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <system_error>
#include <type_traits>

namespace trackplex::program {

void refuse_if(bool wrong, const std::string& option, const std::string& problem,
               const std::string& advice) {
  if (wrong) throw UsageError(option, problem, {}, advice);
}

namespace {

/// The file itself, where links lead; the name where that is not known, as for a pipe.
std::filesystem::path file_of(const std::string& name) {
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(name, error);
  return error ? std::filesystem::path(name) : path;
}

}  // namespace

void Outputs::check_differ() const {
  std::map<std::filesystem::path, std::string> owners;
  for (const auto& [option, name, files_of] : outputs_) {
    if (name->empty()) continue;
    for (const auto& file : files_of(*name)) {
      const auto path = file_of(file);
      std::error_code error;
      if (std::filesystem::is_character_file(path, error)) continue;
      const auto [owner, is_new] = owners.emplace(path, option);
      if (!is_new)
        throw UsageError(option, "the same file as for " + owner->second, path.filename().string());
    }
  }
  for (const auto& [option, names] : inputs_)
    for (const auto& name : names()) {
      if (name.empty()) continue;
      const auto path = file_of(name);
      const auto owner = owners.find(path);
      if (owner != owners.end() && !replacing_.contains(owner->second))
        throw UsageError(owner->second, "it would replace the file of " + option,
                         path.filename().string(), "name another file");
    }
}

std::string Option::name() const { return option_->get_name(); }

bool Option::empty() const { return option_->empty(); }

bool Option::is_changed() const {
  const auto& values = option_->results();
  return option_->count() > 0 && values != std::vector{option_->get_default_str()} &&
         values != std::vector<std::string>{"false"};
}

Option Option::show_default() const {
  option_->capture_default_str();
  return *this;
}

Option Option::allow(const std::vector<std::string>& words) const {
  option_->check(one_of(words));
  return *this;
}
Option Option::split_at(char delimiter) const {
  option_->delimiter(delimiter);
  return *this;
}

namespace {

template <class T>
CLI::Validator range(double low, double high, const std::string& unit) {
  if constexpr (std::integral<T> || is_one_of<T, std::optional<int>, std::optional<std::uint64_t>>)
    return whole_number(std::uint64_t(low),
                        high >= 0x1p64 ? ~std::uint64_t{0} : std::uint64_t(high));
  else
    return finite_number(low, high, unit);
}

std::vector<std::string> itself(const std::string& name) { return {name}; }

std::string problem_of_tables(const std::vector<std::string>& files) {
  for (const auto& file : files) {
    if (auto problem = io::problem_of_table_name(file); !problem.empty()) return problem;
    check_output(file);
  }
  return {};
}

std::string problem_of_file(const std::string& path, const std::vector<std::string>& endings) {
  if (path.empty()) return "the file name is empty";
  if (path.starts_with('-'))
    return "'" + path + "' looks like an option, not a file; if it is a file, write ./" + path;
  check_output(path);
  std::error_code error;
  if (endings.empty() || std::filesystem::is_character_file(path, error)) return {};
  for (const auto& ending : endings)
    if (path.ends_with(ending) && path.size() > ending.size()) return {};
  return fmt::format("'{}' does not end in {}", path, fmt::join(endings, " or "));
}

std::string problem_of_folder(const std::string& path) {
  namespace fs = std::filesystem;
  if (path.empty()) return "the folder name is empty";
  std::error_code error;
  if (fs::exists(path, error) && !(fs::is_directory(path, error) && fs::is_empty(path, error)))
    return path + " exists already; name a new or empty folder";
  check_output_folder(path);
  return {};
}

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

}  // namespace

template <OptionNumber T>
Option OptionGroup::number(const std::string& option, T& value, const std::string& type, double low,
                           double high, const std::string& text, const std::string& unit) {
  return Option(finish(app_.add_option(option, value, text), type, std::is_arithmetic_v<T>)
                    ->transform(range<T>(low, high, unit)));
}

template <std::integral T>
Option OptionGroup::count(const std::string& option, T& value, const std::string& text,
                          std::uint64_t most) {
  return Option(
      finish(app_.add_option(option, value, text), "N", false)->transform(whole_number(1, most)));
}

using Text = const std::string&;
using Pair = std::pair<double, double>;
template Option OptionGroup::number(Text, int&, Text, double, double, Text, Text);
template Option OptionGroup::number(Text, std::int64_t&, Text, double, double, Text, Text);
template Option OptionGroup::number(Text, std::uint64_t&, Text, double, double, Text, Text);
template Option OptionGroup::number(Text, double&, Text, double, double, Text, Text);
template Option OptionGroup::number(Text, std::optional<int>&, Text, double, double, Text, Text);
template Option OptionGroup::number(Text, std::optional<std::uint64_t>&, Text, double, double, Text,
                                    Text);
template Option OptionGroup::number(Text, std::optional<double>&, Text, double, double, Text, Text);
template Option OptionGroup::number(Text, Pair&, Text, double, double, Text, Text);
template Option OptionGroup::number(Text, std::optional<Pair>&, Text, double, double, Text, Text);
template Option OptionGroup::count(Text, int&, Text, std::uint64_t);
template Option OptionGroup::count(Text, std::uint64_t&, Text, std::uint64_t);

Option OptionGroup::word(const std::string& option, std::string& value,
                         const std::vector<std::string>& words, const std::string& text,
                         const std::string& type) {
  return Option(finish(app_.add_option(option, value, text), type, true)->check(one_of(words)));
}

Option OptionGroup::text(const std::string& option, std::string& value, const std::string& type,
                         const std::string& what) {
  return Option(finish(app_.add_option(option, value, what), type, false));
}

Option OptionGroup::text(const std::string& option, std::vector<std::string>& values,
                         const std::string& type, const std::string& what) {
  return Option(finish(app_.add_option(option, values, what), type, false));
}

Option OptionGroup::input(const std::string& option, std::string& value, const std::string& type,
                          const std::string& what) {
  const auto added = text(option, value, type, what);
  outputs_.add_inputs(added.name(), [&value] { return std::vector{value}; });
  return added;
}

Option OptionGroup::input(const std::string& option, std::vector<std::string>& values,
                          const std::string& type, const std::string& what) {
  const auto added = text(option, values, type, what);
  outputs_.add_inputs(added.name(), [&values] { return values; });
  return added;
}

Option OptionGroup::flag(const std::string& option, bool& value, const std::string& text) {
  return Option(app_.add_flag(option, value, text)->group(name_));
}

Option OptionGroup::output(const std::string& option, std::string& file, const std::string& text,
                           std::vector<std::string> endings) {
  return Option(output(option, file, text, std::move(endings), itself));
}

Option OptionGroup::continued(const std::string& option, std::string& file,
                              const std::string& text) {
  outputs_.let_replace(option);
  return output(option, file, text);
}

Option OptionGroup::table(const std::string& option, std::string& file, const std::string& text,
                          const std::vector<std::string>& beside, std::vector<std::string> others) {
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
  return Option(
      output(option, file, text, std::move(others), files_of)->check(CLI::Validator(check, "")));
}

Option OptionGroup::prefix(const std::string& option, std::string& name, const std::string& text,
                           const Outputs::FilesOf& files_of) {
  const auto check = [files_of](const std::string& given) {
    return problem_of_tables(files_of(given));
  };
  outputs_.add(option, name, files_of);
  return Option(finish(app_.add_option(option, name, text), "PREFIX", false)
                    ->check(CLI::Validator(check, "")));
}

Option OptionGroup::output_folder(const std::string& option, std::string& folder,
                                  const std::string& text) {
  outputs_.add(option, folder, itself);
  return Option(finish(app_.add_option(option, folder, text), "DIR", false)
                    ->check(CLI::Validator(problem_of_folder, "")));
}

CLI::Option* OptionGroup::output(const std::string& option, std::string& file,
                                 const std::string& text, std::vector<std::string> endings,
                                 Outputs::FilesOf files_of) {
  outputs_.add(option, file, std::move(files_of));
  const auto check = [endings = std::move(endings)](std::string& path) {
    return problem_of_file(path, endings);
  };
  return finish(app_.add_option(option, file, text), "FILE", false)
      ->check(CLI::Validator(check, ""));
}

CLI::Option* OptionGroup::finish(CLI::Option* option, const std::string& type,
                                 bool has_default) const {
  if (has_default) option->capture_default_str();
  return option->type_name(type)->group(name_);
}

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace trackplex::program
