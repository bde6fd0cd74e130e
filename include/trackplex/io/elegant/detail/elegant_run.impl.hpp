// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/find_beside.hpp>
#include <trackplex/io/elegant/detail/elegant_parameter_file.hpp>
#include <trackplex/io/elegant/detail/elegant_run_bunch.hpp>
#include <trackplex/io/elegant/detail/elegant_run_items.hpp>
#include <trackplex/io/elegant/elegant_run.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace trackplex::io {

namespace detail {

class ElegantRunReader {
 public:
  ElegantRunReader(std::string_view text, const std::string& file, const ElegantRunOptions& options)
      : text_(with_macros(text, file, options.macros)),
        file_(file),
        skip_unknown_(options.skip_unknown),
        numbers_(file) {}

  ElegantRun read() {
    bool is_tracked = false;
    for (const NamelistCommand& command : NamelistReader(text_, file_).commands()) {
      if (command.name == "stop") break;
      if (is_tracked) {
        leave_out(command, "after track");
        break;
      }
      check_items(command);
      follow(command);
      is_tracked = command.name == "track";
    }
    if (run_.lattice.empty())
      throw InputError({file_}, "there is no run_setup with a lattice",
                       "a run begins with &run_setup lattice=..., use_beamline=... &end");
    finish_bunch();
    sort_changes();
    run_.reading.numbers = numbers_.values();
    run_.reading.p0 = run_.p0;
    return std::move(run_);
  }

 private:
  /// The text with values in the place of macros, `<name>`, or `$name` if the macro has a value.
  static std::string with_macros(std::string_view text, const std::string& file,
                                 const std::map<std::string, std::string>& macros) {
    std::string result;
    int line = 1;
    for (std::size_t at = 0; at < text.size(); ++at) {
      line += text[at] == '\n';
      const std::string_view name = macro_at(text.substr(at), macros);
      if (name.empty()) {
        result += text[at];
        continue;
      }
      const auto macro = macros.find(std::string(name));
      if (macro == macros.end())
        throw InputError({file, "line " + std::to_string(line)},
                         "the macro '" + std::string(name) + "' has no value", {},
                         "give it one (--set)");
      result += macro->second;
      at += name.size() + (text[at] == '<' ? 1 : 0);
    }
    return result;
  }
  /// Name of the macro that a text begins with; empty if it begins with none. Behind $ it is the
  /// longest one that has a value; `a b < ? ... $` has none.
  static std::string_view macro_at(std::string_view text,
                                   const std::map<std::string, std::string>& macros) {
    if (text[0] == '<') {
      const std::size_t end = text.find_first_of("> \t\r\n");
      return end != text.npos && text[end] == '>' ? text.substr(1, end - 1) : std::string_view();
    }
    std::size_t longest = 0;
    if (text[0] == '$')
      for (const auto& [name, value] : macros)
        if (text.substr(1).starts_with(name)) longest = std::max(longest, name.size());
    return text.substr(1, longest);
  }

  void leave_out(const NamelistCommand& command, const std::string& what = {}) {
    run_.left_out.append(run_.left_out.empty() ? "" : ", ")
        .append(command.name + (what.empty() ? "" : " " + what) + " (line " +
                std::to_string(command.line) + ")");
  }
  /// Leaves out a command or item that acts on particles, if that is allowed; else it is an error.
  void leave_out_acting(const NamelistCommand& command, int line, const std::string& what = {}) {
    if (!skip_unknown_) {
      const bool matches = command.name == "optimize" || command.name == "correct_tunes" ||
                           command.name == "chromaticity";
      throw InputError({file_, "line " + std::to_string(line)},
                       "'" + command.name + (what.empty() ? "" : " " + what) +
                           "' is not followed here, and changes what happens to particles",
                       {},
                       std::string("--skip-unknown leaves it out") +
                           (matches ? ", and --vary and --target of beamline match optics" : ""));
    }
    leave_out(command, what);
  }

  void check_items(const NamelistCommand& command) {
    const RunItems* known = run_items(command.name);
    if (!known) return;
    for (const auto& item : command.items) {
      if (item.values.size() > 1 && !is_list_item(item.name))
        throw InputError(
            {file_, "line " + std::to_string(item.line)},
            "'" + item.name + "' has " + std::to_string(item.values.size()) + " values",
            "it is one", "n*value repeats a value: write \"(n value *)\"");
      if (RunItems::has(known->followed, item.name) || RunItems::has(known->harmless, item.name))
        continue;
      const auto acting = RunItems::of(known->acting, item.name);
      if (acting.empty())
        throw InputError({file_, "line " + std::to_string(item.line)},
                         "'" + item.name + "' is no item of " + command.name);
      const auto equals = acting.find('=');
      const auto standard = equals == acting.npos ? "0" : acting.substr(equals + 1);
      for (const auto& value : item.values)
        if (value != standard && !value.empty()) {
          leave_out_acting(command, item.line, item.name);
          break;
        }
    }
  }

  void follow(const NamelistCommand& command) {
    using Reader = ElegantRunReader;
    static const std::map<std::string_view, void (Reader::*)(const RunValues&)> followed = {
        {"%", &Reader::expression},
        {"rpn_expression", &Reader::expression},
        {"run_setup", &Reader::set_up},
        {"run_control", &Reader::control},
        {"vary_element", &Reader::vary},
        {"alter_elements", &Reader::alter},
        {"load_parameters", &Reader::load},
        {"bunched_beam", &Reader::bunch},
        {"transmute_elements", &Reader::transmute},
        {"sdds_beam", &Reader::bunch_file},
        {"twiss_output", &Reader::start_of_twiss}};
    const RunValues values(command, numbers_, file_);
    if (values.text("disable", "0") != "0") return;
    if (const auto found = followed.find(command.name); found != followed.end())
      (this->*found->second)(values);
    if (is_harmless_command(command.name))
      leave_out(command);
    else if (!followed.contains(command.name) && command.name != "track")
      leave_out_acting(command, command.line);
  }

  void expression(const RunValues& values) {
    LatticeToken at;
    at.line = values.command().line;
    numbers_.command(values.text("expression"), at);
  }

  void control(const RunValues& values) {
    const auto turns = values.integer("n_passes", 1);
    values.require(turns >= 1 && turns <= 1'000'000'000, "n_passes",
                   "it is 1 to a thousand million");
    run_.turns = int(turns);
    has_indices_ = values.integer("n_indices", 0) > 0;
    if (has_indices_ || values.integer("n_steps", 1) > 1)
      leave_out(values.command(), "after its first step");
  }

  void transmute(const RunValues& values) {
    if (values.flag("clear_all")) run_.reading.new_types.clear();
    run_.reading.new_types.push_back({values.text("name", "*"), values.text("type", "*"),
                                      values.text("exclude"), values.text("new_type", "DRIF")});
  }

  void bunch_file(const RunValues& values) {
    values.require(!values.text("input").empty(), "input", "it is the name of a file");
    run_.bunch_file = beside(values.text("input"));
    run_.bunch.reset();
  }

  void start_of_twiss(const RunValues& values) {
    is_matched_ = values.flag("matched", true);
    for (const bool is_x : {true, false}) set_optics(is_x ? start_.x : start_.y, values, is_x);
  }

  /// A file in the folder of the run file, or else in the working folder.
  std::filesystem::path beside(const std::string& name) {
    return find_beside(std::filesystem::path(file_).parent_path(), name, run_.remarks);
  }

  void set_up(const RunValues& values) {
    values.require(!values.text("lattice").empty(), "lattice", "it is the name of a file");
    run_.lattice = beside(values.text("lattice"));
    run_.line = values.text("use_beamline");
    const double energy = values.number("p_central_mev", 0.);
    run_.p0 = values.number("p_central", energy / constants::elegant::electron_mass);
    values.require(run_.p0 > 0., values.find("p_central_mev") ? "p_central_mev" : "p_central",
                   "it is above 0");
    values.require(!values.find("p_central") || energy == 0., "p_central_mev",
                   "p_central is given, too", "give one of them");
    const auto order = values.integer("default_order", 2);
    values.require(order >= 1 && order <= 3, "default_order", "it is 1, 2 or 3");
    run_.reading.default_order = int(order);
  }

  void alter(const RunValues& values) {
    using Kind = ElegantChange::Kind;
    const bool adds = values.flag("differential"), multiplies = values.flag("multiplicative");
    for (const char* name : {"name", "item"})
      values.require(!values.text(name).empty() || (name[0] == 'n' && values.find("type")), name,
                     "it is the name of something");
    const double value = values.number("value", 0.);
    const bool at_step = values.flag("alter_at_each_step"),
               is_early = values.flag("alter_before_load_parameters");
    add_change(!at_step   ? Phase::at_once
               : is_early ? Phase::before_files
                          : Phase::after_files,
               {.name = values.text("name", "*"),
                .parameter = values.text("item"),
                .value = multiplies && !adds ? value - 1. : value,  // both: a part of it is added
                .text = values.text("string_value"),
                .kind = multiplies ? Kind::enlarge
                        : adds     ? Kind::add
                                   : Kind::set,
                .type = values.text("type", "*"),
                .except = values.text("exclude"),
                .may_match_nothing = values.flag("allow_missing_elements"),
                .may_lack_the_parameter = values.flag("allow_missing_parameters"),
                .place = values.place()});
  }

  /// Changes a parameter to its value in the first step.
  void vary(const RunValues& values) {
    using Kind = ElegantChange::Kind;
    for (const char* name : {"name", "item"})
      values.require(!values.text(name).empty(), name, "it is the name of something");
    if (!has_indices_) return;
    const auto file = values.text("enumeration_file");
    const double first = file.empty()
                             ? values.number("initial", 0.)
                             : first_value(beside(file), values.text("enumeration_column"));
    const bool adds = values.flag("differential"), multiplies = values.flag("multiplicative");
    add_change(Phase::varied, {.name = values.text("name"),
                               .parameter = values.text("item"),
                               .value = multiplies ? first - 1. : first,
                               .kind = adds         ? Kind::add
                                       : multiplies ? Kind::enlarge
                                                    : Kind::set,
                               .place = values.place(),
                               .in_upper_case = true});
  }

  /// Files of parameters, one or a list of them.
  void load(const RunValues& values) {
    const ParameterFilePatterns patterns{
        values.text("include_name_pattern"), values.text("include_item_pattern"),
        values.text("exclude_name_pattern"), values.text("exclude_item_pattern"),
        values.flag("change_defined_values")};
    const ElegantChange like{.type = values.text("include_type_pattern", "*"),
                             .may_match_nothing = values.flag("allow_missing_elements"),
                             .may_lack_the_parameter = values.flag("allow_missing_parameters"),
                             .place = values.place()};
    std::istringstream names(values.text("filename") + " " + values.text("filename_list"));
    for (std::string name; names >> name;) {
      const auto path = beside(name);
      if (values.flag("allow_missing_files") && !std::filesystem::exists(path)) continue;
      for (ElegantChange& change : parameter_changes(path, patterns, like))
        add_change(patterns.of_definitions ? Phase::at_once : Phase::files, std::move(change));
    }
  }

  /// When changes are made: as the commands stand, or where a step begins, in this order.
  enum class Phase { at_once, varied, before_files, files, after_files };

  void add_change(Phase phase, ElegantChange change) {
    changes_.emplace_back(phase, std::move(change));
  }
  void sort_changes() {
    std::ranges::stable_sort(changes_, {}, [](const auto& change) { return change.first; });
    for (auto& [phase, change] : changes_) run_.reading.changes.push_back(std::move(change));
  }

  void bunch(const RunValues& values) {
    run_.bunch = bunch_of(values, run_.p0);
    run_.bunch_file.clear();
    has_optics_of_twiss_ = values.flag("use_twiss_command_values");
  }

  /// The bunch with the optics that twiss_output begins with.
  void finish_bunch() {
    if (!run_.bunch || !has_optics_of_twiss_) return;
    run_.is_matched = is_matched_;
    if (is_matched_) return;
    const auto copy = [](simulation::BunchPlane& to, const simulation::BunchPlane& from) {
      std::tie(to.beta, to.alpha, to.dispersion, to.dispersion_slope) =
          std::tie(from.beta, from.alpha, from.dispersion, from.dispersion_slope);
    };
    copy(run_.bunch->x, start_.x);
    copy(run_.bunch->y, start_.y);
  }

  const std::string text_;
  const std::string& file_;
  const bool skip_unknown_;
  LatticeConstants numbers_;
  bool has_indices_ = false;                              ///< whether run_control varies elements
  bool is_matched_ = true, has_optics_of_twiss_ = false;  ///< of twiss_output, and of the bunch
  struct {
    simulation::BunchPlane x, y;
  } start_;
  std::vector<std::pair<Phase, ElegantChange>> changes_;  ///< in the order of the file
  ElegantRun run_;
};

}  // namespace detail

TRACKPLEX_INLINE ElegantRun parse_elegant_run(std::string_view text, const std::string& name,
                                              const ElegantRunOptions& options) {
  return detail::ElegantRunReader(text, name, options).read();
}

TRACKPLEX_INLINE ElegantRun read_elegant_run(const std::filesystem::path& path,
                                             const ElegantRunOptions& options) {
  return parse_elegant_run(read_file(path), path.string(), options);
}

}  // namespace trackplex::io
