// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Parser of elegant's lattice files.

#include <trackplex/io/elegant/detail/elegant_alterations.hpp>
#include <trackplex/io/elegant/detail/elegant_elements.hpp>
#include <trackplex/io/elegant/detail/elegant_reading.hpp>
#include <trackplex/io/elegant/detail/elegant_types.hpp>
#include <trackplex/io/elegant/detail/lattice_words.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

class ElegantParser : private LatticeWords {
 public:
  /// Two names that differ only in case: the file is to be read again with `case_matters`.
  struct CaseMatters {};

  ElegantParser(std::string_view text, const std::string& file,
                const ElegantLatticeOptions& options, bool case_matters)
      : LatticeWords(text, file, options.infix),
        options_(options),
        case_matters_(case_matters),
        changes_(options.changes, file, case_matters) {
    result_.lattice = beam::Lattice(case_matters);
    for (const auto& [name, value] : options.numbers) constants_.set(name, value);
  }

  ElegantLattice parse() {
    while (at_ + 1 < tokens_.size() && !is_finished_) statement();
    changes_.check_matches();
    const auto& lines = result_.lattice.lines();
    if (result_.line.empty() && !lines.empty()) result_.line = lines.back().name;
    result_.skipped = listed(skipped_);
    result_.drifts = listed(drifts_);
    result_.remarks = std::move(remarks_);
    return std::move(result_);
  }

 private:
  static std::string listed(const std::map<std::string, int>& types) {
    std::string list;
    for (const auto& [keyword, n] : types)
      list.append(list.empty() ? "" : ", ").append(keyword + " (" + std::to_string(n) + ")");
    return list;
  }

  void statement() {
    if (current().kind == Kind::command) {
      constants_.command(current().text, current());
      ++at_;
    } else if (current().kind == Kind::include) {
      include(current());
      ++at_;
    } else {
      const LatticeToken name = take_own_name("the name of an element or line");
      if (current().is('=') || (current().is(':') && tokens_[at_ + 1].is('='))) {
        at_ += current().is('=') ? 1 : 2;
        constants_.set_unquoted(name.text, LatticeExpression(tokens_, at_, constants_).value());
      } else if (current().is(':')) {
        ++at_;
        definition(name);
      } else if (current().is('(')) {
        refuse_arguments(name);
      } else {
        command(name);
      }
    }
    if (current().kind != Kind::end) refuse(current(), shown(current()) + " is not expected here");
    ++at_;
  }

  void command(const LatticeToken& name) {
    const std::string upper = upper_case(name.text);
    if (upper == "RETURN") {
      is_finished_ = true;
    } else if (upper == "USE") {
      expect(',', "after USE");
      const LatticeToken line = take_own_name("the name of a line");
      result_.line = line.text;
      if (!result_.lattice.has_line(line.text)) refuse_line(line);
    } else {
      refuse(current(), "':' is missing after '" + name.text + "'", {},
             "definitions are name: TYPE, parameter=value, ...");
    }
  }

  /// A name as the lattice has it: where case matters, those without quotation marks are in upper
  /// case.
  LatticeToken own_name(LatticeToken name) const {
    if (case_matters_ && name.kind != Kind::quoted) name.text = upper_case(name.text);
    return name;
  }
  LatticeToken take_own_name(const std::string& what) { return own_name(take_name(what)); }

  /// A name must be new.
  void check_new(const LatticeToken& name) {
    const auto& key = result_.lattice.key_of(name.text);
    const auto exact = name.kind == Kind::quoted ? name.text : upper_case(name.text);
    const auto [known, is_new] = defined_.emplace(key, Definition{exact, name.line});
    if (!is_new && known->second.exact != exact) throw CaseMatters();
    if (!is_new)
      refuse(name, "'" + name.text + "' is defined twice",
             "the other is in line " + std::to_string(known->second.line));
    names_.push_back(name.text);
  }

  void definition(const LatticeToken& name) {
    const LatticeToken& keyword = take_name("the type of the element");
    if (upper_case(keyword.text) == "LINE") {
      expect('=', "after LINE");
      if (!current().is('(')) expect('(', "after LINE=");
      auto parts = items(0);
      check_new(name);
      result_.lattice.add_line(name.text, std::move(parts));
    } else {
      const auto like = find_like(keyword);
      check_new(name);
      auto words = std::make_shared<ElementWords>(ElementWords{like ? like->type : keyword, like});
      if (like && (words->depth = like->depth + 1) > max_copies)
        refuse(keyword, "copies of copies are nested too deeply");
      beam::ElementKind kind = element(name, *words);
      const bool is_same = like && words->parameters.empty();
      words_.insert_or_assign(key_of(name), is_same ? like : std::move(words));
      add_element(name, std::move(kind));
    }
  }

  std::string key_of(const LatticeToken& name) const { return result_.lattice.key_of(name.text); }

  /// An element of finite values can still have a product of them that is not finite.
  void add_element(const LatticeToken& name, beam::ElementKind kind) {
    try {
      result_.lattice.add(name.text, std::move(kind));
    } catch (const UsageError& error) {
      refuse(name, error.what());
    }
  }

  /// The element in whose likeness another is defined, or nothing where the word is a type.
  std::shared_ptr<const ElementWords> find_like(const LatticeToken& word) const {
    const std::string upper = upper_case(word.text);
    for (const ElementRule& rule : element_rules())
      if (is_named(rule, upper)) return nullptr;
    const auto found = words_.find(key_of(own_name(word)));
    return found == words_.end() ? nullptr : found->second;
  }

  const ElementRule& rule_of(const LatticeToken& type) const {
    return find_rule(type.text, [&](const std::string& problem, const std::string& why,
                                    const std::string& hint) { refuse(type, problem, why, hint); });
  }

  /// A type in full where it is known, else as it is: that is refused where the element is used.
  LatticeToken in_full(LatticeToken type) const {
    try {
      type.text = rule_of(type).keyword;
    } catch (const InputError&) {
    }
    return type;
  }
  /// Whether an element has a name that transmute_elements gives, in upper case to elegant.
  bool matches_name(const std::string& pattern, const LatticeToken& name) const {
    return matches_elegant_pattern(case_matters_ ? upper_case(pattern) : pattern, name.text,
                                   case_matters_);
  }
  /// The type that an element becomes.
  LatticeToken new_type(const LatticeToken& name, LatticeToken type) const {
    for (const ElegantNewType& other : options_.new_types)
      if (matches_name(other.name, name) && matches_elegant_pattern(other.type, type.text) &&
          !(other.except.size() && matches_name(other.except, name))) {
        type.text = other.new_type;
        type = in_full(type);
      }
    return type;
  }

  /// Reads the parameters of an element to the end of its statement; inherited ones may be given
  /// again.
  void read_parameters(ElementReading& of, bool are_inherited = false) {
    while (current().is(',')) {
      const LatticeToken comma = tokens_[at_++];
      if (current().kind == Kind::end) break;  // elegant takes a comma at the end
      const LatticeToken given = take_name("the name of a parameter");
      const LatticeToken equals = current();
      expect('=', "after " + given.text);
      const std::size_t begin = at_;
      read_parameter(of, given);
      if (are_inherited) {
        of.values.inherit();
        continue;
      }
      of.words.insert(of.words.end(), {comma, given, equals});
      of.words.insert(of.words.end(), tokens_.begin() + std::ptrdiff_t(begin),
                      tokens_.begin() + std::ptrdiff_t(at_));
    }
  }

  /// Reads the value of a parameter.
  void read_parameter(ElementReading& of, const LatticeToken& given) {
    const ParameterRule* parameter = of.values.rule_of(given.text);
    const bool is_length = upper_case(given.text) == "L";
    if (upper_case(given.text) == "GROUP") {  // a label for those who read the file
      take_name("the name of a group");
    } else if (is_length && !parameter) {
      of.length = value_of_parameter();
    } else if (!parameter || parameter->kind == ParameterKind::passive) {
      if (of.rule && !parameter && !of.rule->is_passive && of.keeps_type)
        of.attempt([&] { refuse_parameter(given, *of.rule); });
      skip_value();
    } else if (parameter->kind == ParameterKind::text) {
      of.values.set(*parameter, take_text(*parameter), given);
    } else {
      const double value = value_of_parameter();
      if (is_length) of.length = value;
      of.attempt([&] { of.values.set(*parameter, value, given); });
    }
  }

  /// Reads the parameters of an element in whose likeness another one is defined: expressions have
  /// the values of where the copy is.
  void read_inherited(ElementReading& of, const ElementWords& like) {
    if (like.like) read_inherited(of, *like.like);
    std::vector<LatticeToken> words = like.parameters;
    words.emplace_back();  // the end
    const std::size_t at = std::exchange(at_, 0);
    tokens_.swap(words);
    read_parameters(of, true);
    tokens_.swap(words);
    at_ = at;
  }

  /// Reads an element to the end of its statement, and adds its parameters to its words. One that
  /// cannot be tracked matters only on a line that is tracked: it is kept with the reason, or
  /// becomes a drift.
  beam::ElementKind element(const LatticeToken& name, ElementWords& words) {
    static const std::vector<ParameterRule> none;
    const LatticeToken& keyword = words.type;
    const ElementRule* rule = nullptr;
    const LatticeToken of_file = in_full(keyword), type = new_type(name, of_file);
    std::optional<InputError> refusal;
    try {
      rule = &rule_of(type);
    } catch (const InputError& error) {
      refusal = error;
    }
    if (rule && rule->keyword == "RECIRC")
      result_.recirculations.insert(key_of(name));
    else if (rule && rule->is_passive)
      ++skipped_[std::string(rule->keyword)];
    ElementReading of{
        rule, ElementValues(file_, type.text, keyword, rule ? rule->parameters : none, options_),
        type.text == of_file.text, 0., std::move(refusal)};
    if (words.like) read_inherited(of, *words.like);
    read_parameters(of);
    beam::ElementKind kind = beam::Marker{};
    of.attempt([&] {
      const auto* counting = changes_.apply(of.values, rule, name, keyword, of.length);
      if (counting) result_.occurrences.emplace(key_of(name), *counting);
    });
    of.attempt([&] { kind = rule->make(of.values); });
    if (!of.refusal && (has_bore(of.values) || has_wiggler_field(of.values)))
      result_.of_momentum.emplace(key_of(name), options_.p0);
    if (!of.refusal && is_inside_bends(*rule, of.length)) result_.inside_bends.insert(key_of(name));
    words.parameters = std::move(of.words);
    if (!of.refusal) return kind;
    if (options_.skip_unknown) {
      ++drifts_[upper_case(keyword.text)];
      return beam::Drift{of.length, 2};
    }
    result_.refused.emplace(key_of(name), *of.refusal);
    return beam::Marker{};
  }

  /// Whether elegant overlooks an element between two bends of one name.
  static bool is_inside_bends(const ElementRule& rule, double length) {
    return rule.keyword == "MARK" || rule.keyword == "WATCH" ||
           (rule.keyword == "LSCDRIFT" && length == 0.);
  }

  [[noreturn]] void refuse_parameter(const LatticeToken& name, const ElementRule& rule) const {
    std::vector<std::string_view> known;
    std::string all;
    for (const auto& parameter : rule.parameters) {
      known.push_back(parameter.name);
      all.append(all.empty() ? "" : ", ").append(parameter.name);
    }
    refuse(name, "'" + name.text + "' is no parameter of " + std::string(rule.keyword),
           "known: " + all, closest_name(name.text, known));
  }

  /// A line to be used that is not defined matters only where no other is.
  void refuse_line(const LatticeToken& name) {
    try {
      refuse_unknown(name);
    } catch (const InputError& error) {
      result_.refused.emplace(key_of(name), error);
    }
  }
  [[noreturn]] void refuse_unknown(const LatticeToken& name) const {
    refuse(name, "'" + name.text + "' is not defined", {},
           closest_name(name.text, names_, "definitions stand before their use"));
  }

  /// Parses a list in parentheses.
  std::vector<beam::LineItem> items(int depth) {
    if (depth > LatticeExpression::max_depth)
      refuse(current(), "parentheses are nested too deeply");
    const LatticeToken& open = tokens_[at_++];
    std::vector<beam::LineItem> list = {item(depth)};
    while (current().is(',')) {
      ++at_;
      list.push_back(item(depth));
    }
    if (!current().is(')'))
      refuse(current(), "',' or ')' is missing before " + shown(current()),
             "'(' is in line " + std::to_string(open.line) + ", column " +
                 std::to_string(open.column));
    ++at_;
    return list;
  }

  bool take_minus() {
    if (!current().is('-')) return false;
    ++at_;
    return true;
  }

  beam::LineItem item(int depth) {
    const LatticeToken& first = current();
    bool backwards = take_minus();
    int n = 1;
    if (current().kind == Kind::number) {
      n = repetitions();
      if (backwards && current().is('(')) {
        remarks_.push_back("'-' before a number of groups changes nothing, as in elegant (line " +
                           std::to_string(first.line) + " of " + *first.file + ")");
        backwards = false;
      }
      backwards = backwards != take_minus();
    }
    beam::LineItem part = current().is('(') ? beam::LineItem(items(depth + 1)) : named_item();
    if (n != 1) part = beam::repeated(n, std::move(part));
    return backwards ? beam::reversed(std::move(part)) : part;
  }

  beam::LineItem named_item() {
    const LatticeToken name = take_own_name("the name of an element or line");
    if (current().is('(')) refuse_arguments(name);
    if (!result_.lattice.has_element(name.text) && !result_.lattice.has_line(name.text))
      refuse_unknown(name);
    return name.text;
  }

  int repetitions() {
    const LatticeToken& number = tokens_[at_++];
    if (number.value != std::floor(number.value) ||
        !(number.value <= std::numeric_limits<int>::max()))
      refuse(number, "'" + number.text + "' is no number of repetitions");
    expect('*', "after a number of repetitions");
    return int(number.value);
  }

  /// A name as elegant has it, and the line of its definition.
  struct Definition {
    std::string exact;
    int line;
  };

  static constexpr int max_copies = 100;

  const ElegantLatticeOptions& options_;
  const bool case_matters_;
  ElegantAlterations changes_;
  ElegantLattice result_;
  std::map<std::string, Definition> defined_;                         ///< by keys
  std::map<std::string, std::shared_ptr<const ElementWords>> words_;  ///< of elements, by keys
  std::map<std::string, int> skipped_,  ///< definitions of each passive type
      drifts_;                          ///< and definitions that became drifts
  std::vector<std::string> names_;
  bool is_finished_ = false;
};

}  // namespace trackplex::io::detail
