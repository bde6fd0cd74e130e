// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/madx/detail/madx_flat.hpp>
#include <trackplex/io/madx/detail/madx_patterns.hpp>
#include <trackplex/io/madx/detail/madx_thin.hpp>
#include <trackplex/io/madx/detail/madx_types.hpp>
#include <trackplex/io/madx/detail/madx_words.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Statements of MAD-X files.

namespace trackplex::io::detail {

struct MadxTwiss;

/// Reader of the statements of one file, and of the files that it calls.
class MadxReader : private MadxWords {
 public:
  /// `folder` is where CALL looks for files.
  MadxReader(MadxSession& session, std::string_view text, const std::string& name,
             std::filesystem::path folder)
      : MadxWords(session, text, name), folder_(std::move(folder)) {}

  void read() {
    while (at_ + 1 < tokens_.size() && !is_returned_ && !session_.is_finished) statement();
    for (const auto& [name, at] : values_.undefined()) session_.undefined.emplace(name, at);
    if (session_.depth == 0 && !session_.open_sequence.empty() && !session_.is_finished)
      refuse_madx(model_.sequences[session_.open_sequence].at,
                  "the sequence '" + session_.open_sequence + "' has no end", {},
                  "add ENDSEQUENCE;");
  }

 private:
  void end_statement() {
    if (std::exchange(is_behind_block_, false) || (blocks_ > 0 && current().is('}'))) return;
    if (current().kind != Kind::end)
      refuse_madx(current(), shown(current()) + " is not expected here", {},
                  "statements end with ;");
    if (at_ + 1 == tokens_.size())
      refuse_madx(current(), "the last statement has no end", {}, "add ;");
    ++at_;
  }

  // Statements

  void statement() {
    if (++session_.statements > max_statements)
      refuse_madx(current(),
                  "there are more than " + std::to_string(max_statements) + " statements",
                  "loops and macros count");
    if (current().kind == Kind::end) return end_statement();
    if (current().kind == Kind::name && next().is('(') && is_control()) return;
    Qualifiers qualifiers;
    while (current().kind == Kind::name && next().kind == Kind::name &&
           qualifiers.take(current().text))
      ++at_;
    const LatticeToken& name = take_name("the name of a statement");
    const std::string lower = lower_case(name.text);
    if (is_symbol(current(), "=") || is_symbol(current(), ":=")) {
      assign(lower, name, qualifiers);
    } else if (is_symbol(current(), "->")) {
      ++at_;
      assign_attribute(lower, name);
    } else if (current().is(':')) {
      ++at_;
      definition(lower, name);
    } else if (current().is('(')) {
      definition_with_arguments(lower, name);
    } else {
      named(lower, name);
    }
    end_statement();
  }

  /// Words before a statement.
  struct Qualifiers {
    bool is_constant = false, is_integer = false;

    bool take(std::string_view word) {
      is_constant = is_constant || word == "const";
      is_integer = is_integer || word == "int";
      return word == "real" || word == "int" || word == "const" || word == "shared";
    }
  };

  void remark(const std::string& text, const MadxPlace& at) {
    const std::string remark =
        text + " (line " + std::to_string(at.line) + " of " + (at.file ? *at.file : *file_) + ")";
    if (session_.known_remarks.insert(remark).second) session_.remarks.push_back(remark);
  }

  void assign(const std::string& name, const LatticeToken& at, const Qualifiers& qualifiers) {
    MadxExpression expression = take_value();
    const auto constant = madx_constant(name);
    if (constant || session_.constants.contains(name)) {
      if (values_(expression) != values_.variable(name))
        remark("'" + name + "' is a constant, another value is ignored", at);
      return;
    }
    if (qualifiers.is_constant) expression = MadxExpression::constant(values_(expression));
    if (qualifiers.is_integer) expression = truncated(expression);
    if (qualifiers.is_constant) session_.constants.insert(name);
    if (session_.fixed.contains(name)) return;
    model_.variables[name] = std::move(expression);
    values_.forget();
  }

  /// `name->attribute = value`, which is computed at once.
  void assign_attribute(const std::string& name, const LatticeToken& at) {
    const LatticeToken& attribute = take_name("the name of an attribute");
    if (!is_symbol(current(), "=") && !is_symbol(current(), ":="))
      expect("=", "after " + attribute.text);
    ++at_;
    if (current().is('{') || current().kind == Kind::quoted)
      refuse_madx(current(), "'->' sets numbers only", {},
                  "write " + name + ", " + attribute.text + "=...;");
    MadxAttribute value{.values = {MadxExpression::constant(values_(parse_expression()))},
                        .at = attribute};
    if (name.starts_with("beam") && (name.size() == 4 || name[4] == '%'))
      return assign_beam(name, attribute, value.values[0].number);
    MadxAttributes given;
    given.emplace(attribute.text, std::move(value));
    if (const auto command = model_.commands.find(name); command != model_.commands.end()) {
      merge(command->second, given);
    } else if (model_.sequence(name)) {
      return remark(
          "'" + name + "->" + attribute.text + "' of a sequence changes nothing, as in MAD-X",
          attribute);
    } else if (model_.element(name) || madx_type(name)) {
      leave_out_unknown_of_slice(name, given);
      check_attributes(model_.type_of(name), given);
      const auto element = model_.elements.find(name);
      merge(element == model_.elements.end() ? model_.defaults[name] : element->second.attributes,
            given);
    } else {
      refuse_command(at);
    }
    values_.forget();
  }
  /// The last values of a list that is longer than the one given stay.
  static void merge(MadxAttributes& into, const MadxAttributes& given) {
    for (const auto& [name, value] : given) {
      MadxAttribute merged = value;
      if (const auto known = into.find(name); known != into.end())
        for (std::size_t i = value.values.size(); i < known->second.values.size(); ++i)
          merged.values.push_back(known->second.values[i]);
      into.insert_or_assign(name, std::move(merged));
    }
  }
  void assign_beam(const std::string& name, const LatticeToken& attribute, double value) {
    const std::string sequence = name.size() > 4 ? name.substr(5) : "";
    MadxBeamState& beam = model_.beams[model_.beams.contains(sequence) ? sequence : ""];
    if (!beam.value(attribute.text))
      refuse_madx(attribute, "the beam has no '" + attribute.text + "'");
    if (MadxBeamState::is_momentum(attribute.text) || attribute.text == "mass" ||
        attribute.text == "charge")
      refuse_madx(attribute, "'->' would change '" + attribute.text + "' without the other values",
                  {}, "write beam, " + attribute.text + "=...;");
    beam.set(attribute.text, value);
    values_.forget();
  }

  // Definitions

  void definition(const std::string& name, const LatticeToken& at) {
    const LatticeToken& word = current();
    const std::string type = take_lower("the type of the element");
    if (type == "macro") return macro(name, {});
    if (type == "line") return line(name, {}, at);
    if (type == "sequence") return begin_sequence(name, at);
    if (model_.sequence(type) && !session_.open_sequence.empty())
      return place(type, at,
                   element_attributes());  // the label of a sequence inside of another has no use
    if (name == type && (model_.element(name) || madx_type(name))) return again(name, at);
    if (type == "beta0") {
      model_.commands.insert_or_assign(name, attributes());
      return values_.forget();
    }
    if (is_command(type) && !model_.element(type)) return command(type, word);
    if (!madx_type(type) && !model_.element(type)) refuse_type(word);
    define(name, type, at);
  }

  /// `name: name` is the element itself: at a place of a sequence, else without effect.
  void again(const std::string& name, const LatticeToken& at) {
    const MadxAttributes given = element_attributes();
    check_attributes(model_.type_of(name), given);
    if (!session_.open_sequence.empty()) return place(name, at, given);
    if (!given.empty()) remark("'" + name + ": " + name + "' changes nothing, as in MAD-X", at);
  }

  void define(const std::string& name, const std::string& parent, const LatticeToken& at) {
    MadxAttributes given = element_attributes();
    if (madx_type(name) || model_.sequence(name))
      refuse_madx(at, "'" + name + "' cannot be an element",
                  madx_type(name) ? "it is a type" : "it is a sequence");
    if (model_.is_derived(parent, name))
      refuse_madx(at, "'" + name + "' would be derived from itself");
    const std::string type = model_.type_of(parent);
    check_attributes(type, given);
    const bool is_in_sequence = !session_.open_sequence.empty();
    if (is_in_sequence && model_.element(name)) {
      refuse_second_definition(name, at);
      remark("'" + name + "' is defined already, its definition in the sequence '" +
                 session_.open_sequence + "' is ignored as in MAD-X",
             at);
      return place(name, at, given, true);
    }
    if (model_.element(name)) remark("'" + name + "' is defined again", at);
    MadxElement element{name, parent, type, {}, at};
    if (const MadxAttributes* inherited = model_.attributes(parent))
      element.attributes = *inherited;
    merge(element.attributes, given);
    element.attributes.erase("from");
    model_.elements.insert_or_assign(name, std::move(element));
    values_.forget();
    if (is_in_sequence) place(name, at, given, true);
  }
  void refuse_second_definition(const std::string& name, const LatticeToken& at) const {
    for (const MadxNode& node : model_.sequence(session_.open_sequence)->nodes)
      if (node.name == name)
        refuse_madx(at, "'" + name + "' is in the sequence already, and defined again", {},
                    "write " + name + ", at=...; for another place");
  }

  /// Removes the attributes that an element has lost since MAKETHIN has made it a marker.
  void leave_out_unknown_of_slice(const std::string& name, MadxAttributes& given) {
    const MadxElement* element = model_.element(name);
    if (!element || element->classes.empty()) return;
    std::erase_if(given, [&](const auto& attribute) {
      if (madx_type(element->type)->has(attribute.first)) return false;
      remark("'" + attribute.first + "' of '" + name +
                 "' changes nothing: MAKETHIN has made it a " + element->type,
             attribute.second.at);
      return true;
    });
  }

  static void check_attributes(const std::string& type, const MadxAttributes& given) {
    const MadxType* known = madx_type(type);
    for (const auto& [name, value] : given) {
      if (known->has(name)) continue;
      std::vector<std::string> names;
      for (const std::string_view all :
           {known->read, known->zero, known->idle, known->silent, MadxType::common})
        for (std::string& word : MadxType::words(all))
          if (known->has(word)) names.push_back(std::move(word));
      refuse_madx(value.at, "'" + name + "' is no attribute of " + type, {},
                  closest_name(name, names));
    }
  }

  [[noreturn]] void refuse_type(const LatticeToken& at) const {
    std::vector<std::string_view> names = {"sequence", "line"};
    for (const MadxType& type : madx_types()) names.push_back(type.name);
    for (const auto& [name, element] : model_.elements) names.push_back(name);
    refuse_madx(at, "'" + at.text + "' is no type of element and no element", {},
                closest_name(at.text, names));
  }

  void definition_with_arguments(const std::string& name, const LatticeToken& at);
  void macro(const std::string& name, std::vector<std::string> arguments);
  void skip_block(const LatticeToken& of);
  void line(const std::string& name, std::vector<std::string> arguments, const LatticeToken& at);
  std::vector<MadxLineItem> line_items(int depth);
  MadxLineItem line_item(int depth);
  void named_item(MadxLineItem& item);

  // Sequences

  void begin_sequence(const std::string& name, const LatticeToken& at);
  static double refer(const MadxAttribute& value);
  void place(const std::string& name, const LatticeToken& at, const MadxAttributes& given,
             bool is_new = false);
  void set_alignment(MadxNode& node, const MadxAttributes& from) const;

  // Names without a colon behind: commands, places in a sequence, changes of elements

  void named(const std::string& name, const LatticeToken& at) {
    if (name == "endsequence") {
      if (session_.open_sequence.empty()) refuse_madx(at, "there is no sequence to end");
      session_.open_sequence.clear();
    } else if (!session_.open_sequence.empty() &&
               (model_.element(name) || model_.sequence(name) || madx_type(name))) {
      const MadxAttributes given = element_attributes();
      if (madx_type(name) && !given.contains("at")) refuse_command(at);
      if (!model_.sequence(name)) check_attributes(model_.type_of(name), given);
      place(name, at, given);
    } else if (model_.element(name)) {
      update(name, element_attributes());
    } else {
      command(name, at);
    }
  }

  /// Changes attributes of an element; those of its children only as the option says.
  void update(const std::string& name, MadxAttributes given) {
    leave_out_unknown_of_slice(name, given);
    check_attributes(model_.type_of(name), given);
    merge(model_.elements.find(name)->second.attributes, given);
    if (session_.updates_children)
      for (auto& [child, element] : model_.elements)
        if (element.parent == name) merge(element.attributes, given);
    values_.forget();
  }

  static bool is_command(std::string_view name);
  void command(const std::string& name, const LatticeToken& at);
  void exec(const LatticeToken& at);
  std::vector<std::string> exec_arguments();
  static void replace_all(std::string& in, const std::string& what, const std::string& by);
  void run(const LatticeToken& at, std::string_view text, const std::string& name,
           const std::filesystem::path& folder);
  void option(const MadxAttributes& given);
  void beam(const MadxAttributes& given, const LatticeToken& at);
  [[noreturn]] void refuse_command(const LatticeToken& at) const;
  bool is_control();
  void branches();
  void loop();
  void block(const LatticeToken& of);
  void skip_parentheses();
  bool condition();
  bool comparison();
  void call(const LatticeToken& at, const MadxAttributes& given);
  std::filesystem::path called_file(const std::string& name, const LatticeToken& at);
  void chdir(const LatticeToken& at, const MadxAttributes& given);
  void use(const LatticeToken& at, const MadxAttributes& given);
  void keep_places_of_use();
  void twiss(const LatticeToken& at);
  MadxAttributes twiss_attributes(MadxTwiss& twiss);
  void choose_for_twiss(MadxTwiss& twiss, const MadxAttributes& given, MadxModel& model);
  void start_twiss(MadxTwiss& twiss, const MadxAttributes& given);
  void savebeta(const LatticeToken& at, const MadxAttributes& given);
  void save_betas(const std::string& sequence, const std::shared_ptr<const MadxTables>& tables);
  void skip_value();
  void select(const LatticeToken& at, const MadxAttributes& given);
  void eoption(const MadxAttributes& given);
  MadxErrors& errors_in_use(const LatticeToken& at);
  std::vector<std::size_t> selected(const std::string& flag,
                                    const std::vector<MadxPlaced>& elements);
  void ealign(const LatticeToken& at, const MadxAttributes& given);
  void efcomp(const LatticeToken& at, const MadxAttributes& given);
  void edit(const std::string& name, const LatticeToken& at, const MadxAttributes& given);
  void install(const LatticeToken& at, const MadxAttributes& given, MadxSequence& in);
  void insert(MadxNode node, MadxSequence& in, bool is_last);
  double centre_of(const std::string& from, const MadxSequence& in, const LatticeToken& at);
  void find_centres(MadxSequence& in);
  static void set_place(MadxNode& node, double place);
  void remark_refer(const MadxSequence& in, const LatticeToken& at);
  void cycle(const LatticeToken& at, const MadxAttributes& given, MadxSequence& in);
  void move(const LatticeToken& at, const MadxAttributes& given, MadxSequence& in);
  std::vector<std::size_t> edited_nodes(const LatticeToken& at, const MadxAttributes& given,
                                        const MadxSequence& in);
  void keep_places(MadxSequence& in, const std::vector<std::size_t>& gone);
  void flatten(MadxSequence& in);
  void reflect(const LatticeToken& at, MadxSequence& in);
  void extract(const LatticeToken& at, const MadxAttributes& given);
  static std::vector<MadxNode> nodes_of(const std::vector<MadxPlaced>& placed);
  void makethin(const LatticeToken& at, const MadxAttributes& given);
  MadxThinOptions thin_options(const MadxAttributes& given);
  void refuse_nested(const MadxSequence& sequence, const LatticeToken& at);
  MadxSequence as_sequence(const std::string& name);
  int number_of_slices(const MadxAttribute& value);
  void select_slices(const LatticeToken& at);
  std::vector<std::string> elements_of(const MadxSelection& selection);
  MadxSlicing slicing_of(const MadxElement& element);
  void keep_thick(MadxSequence thick, const MadxThinSequence::Elements& made);
  MadxFlattener flattener() { return {model_, values_, default_options, max_elements}; }

  static constexpr long max_statements = 5'000'000;
  static constexpr std::size_t max_macro = 10'000'000;  ///< characters
  static constexpr std::int64_t max_elements = 2'000'000;
  static inline const MadxOptions default_options{};
  static std::string text_of(const MadxAttributes& given, std::string_view name) {
    const auto found = given.find(name);
    return found == given.end() ? std::string() : lower_case(found->second.text);
  }
  bool is_on(const MadxAttributes& given, std::string_view name) {
    const auto found = given.find(name);
    return found != given.end() && values_(found->second.first()) != 0.;
  }

  std::filesystem::path folder_;
  bool is_returned_ = false;
  bool is_behind_block_ = false;  ///< whether the statement ended with }
  int blocks_ = 0;                ///< blocks around the statement
};

}  // namespace trackplex::io::detail
