// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/madx/detail/madx_types.hpp>
#include <trackplex/io/madx/detail/madx_words.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Statements of MAD-X files.

namespace trackplex::io::detail {

/// Reader of the statements of one file, and of the files that it calls.
class MadxReader : private MadxWords {
 public:
  MadxReader(MadxSession& session, std::string_view text, const std::string& name)
      : MadxWords(session, text, name) {}

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
    if (current().kind == Kind::end) return end_statement();
    if (current().kind == Kind::name && next().is('(') && is_control()) return;
    while (current().kind == Kind::name && is_qualifier(current().text) &&
           next().kind == Kind::name)
      ++at_;
    const LatticeToken& name = take_name("the name of a statement");
    const std::string lower = lower_case(name.text);
    if (is_symbol(current(), "=") || is_symbol(current(), ":=")) {
      assign(lower, name);
    } else if (is_symbol(current(), "->")) {
      ++at_;
      const LatticeToken& attribute = take_name("the name of an attribute");
      if (!is_symbol(current(), "=") && !is_symbol(current(), ":="))
        expect("=", "behind " + attribute.text);
      update(lower, name, {{attribute.text, attribute_value(attribute)}});
    } else if (current().is(':')) {
      ++at_;
      definition(lower, name);
    } else if (current().is('(')) {
      definition_with_arguments(name);
    } else {
      named(lower, name);
    }
    end_statement();
  }

  static bool is_qualifier(std::string_view word) {
    return word == "real" || word == "int" || word == "const" || word == "shared";
  }

  void assign(const std::string& name, const LatticeToken& at) {
    MadxExpression expression = take_value();
    if (const auto constant = madx_constant(name)) {
      MadxValues values(model_);
      if (values(expression) != *constant)
        session_.remarks.push_back("'" + name + "' is a constant, another value is ignored");
      return;
    }
    if (session_.fixed.contains(name)) return;
    if (model_.element(name) || model_.sequence(name))
      refuse_madx(at, "'" + name + "' is an element or sequence, not a variable");
    model_.variables[name] = std::move(expression);
    values_.forget();
  }

  // Definitions

  void definition(const std::string& name, const LatticeToken& at) {
    const std::string type = take_lower("the type of the element");
    if (type == "macro") return skip_macro(at);
    if (type == "line") return line(name, at);
    if (type == "sequence") return begin_sequence(name, at);
    if (model_.sequence(type) && !session_.open_sequence.empty()) {
      const MadxAttributes given = attributes();
      return place(type, at, given);  // the label of a sequence inside of another has no use
    }
    if (!madx_type(type) && !model_.element(type)) refuse_type(tokens_[at_ - 1]);
    MadxAttributes given = attributes();
    const MadxAttributes node = given;
    given.erase("at");
    given.erase("from");
    define(name, type, std::move(given), at);
    if (!session_.open_sequence.empty()) place(name, at, node);
  }

  void define(const std::string& name, const std::string& type, MadxAttributes given,
              const LatticeToken& at) {
    if (madx_type(name) || model_.sequence(name) || model_.line(name))
      refuse_madx(at, "'" + name + "' cannot be an element",
                  madx_type(name) ? "it is a type" : "it is a sequence or line");
    if (model_.is_derived(type, name))
      refuse_madx(at, "'" + name + "' would be derived from itself");
    check_attributes(model_.type_of(type), given);
    if (model_.element(name))
      session_.remarks.push_back("'" + name + "' is defined again in line " +
                                 std::to_string(at.line) + " of " + *at.file);
    model_.elements[name] = {name, type, std::move(given), at};
    values_.forget();
  }

  static void check_attributes(const std::string& type, const MadxAttributes& given) {
    const MadxType* known = madx_type(type);
    for (const auto& [name, value] : given) {
      if (known->has(name)) continue;
      std::vector<std::string> names;
      for (const std::string_view all : {known->attributes, MadxType::common})
        for (std::size_t begin = 0; (begin = all.find_first_not_of(' ', begin)) != all.npos;) {
          const std::size_t end = all.find(' ', begin);
          names.emplace_back(all.substr(begin, end - begin));
          begin = end;
        }
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

  /// `name(arguments): MACRO = {...}`; only its use would be an error.
  void definition_with_arguments(const LatticeToken& name) {
    while (!current().is(')') && current().kind != Kind::end) ++at_;
    expect(")", "behind arguments");
    expect(":", "behind arguments");
    const std::string type = take_lower("MACRO");
    if (type != "macro") refuse_arguments(name);
    skip_macro(name);
  }
  [[noreturn]] void refuse_arguments(const LatticeToken& name) const {
    refuse_madx(name, "lines with arguments are not supported", {}, "write the line out");
  }
  void skip_macro(const LatticeToken& name) {
    expect("=", "behind MACRO");
    skip_block(name);
    ++session_.ignored["macro"];
    is_behind_block_ = true;
  }
  /// Passes over { ... }, with whatever is inside.
  void skip_block(const LatticeToken& of) {
    if (!current().is('{')) expect("{", "behind " + of.text);
    int depth = 0;
    do {
      if (at_ + 1 == tokens_.size()) refuse_madx(of, "'}' is missing", "behind " + of.text);
      depth += current().is('{') ? 1 : current().is('}') ? -1 : 0;
      ++at_;
    } while (depth > 0);
  }

  void line(const std::string& name, const LatticeToken& at) {
    if (is_symbol(current(), ":="))
      ++at_;
    else
      expect("=", "behind LINE");
    if (!current().is('(')) expect("(", "behind LINE=");
    if (model_.element(name) || model_.sequence(name) || madx_type(name))
      refuse_madx(at, "'" + name + "' cannot be a line", "it is an element, a sequence or a type");
    if (!model_.line(name)) model_.order.push_back(name);
    model_.lines.insert_or_assign(name, MadxLine{name, line_items(0), at});
  }
  std::vector<beam::LineItem> line_items(int depth) {
    if (depth > MadxExpressionParser::max_depth)
      refuse_madx(current(), "parentheses are nested too deeply");
    expect("(", "before elements");
    std::vector<beam::LineItem> items = {line_item(depth)};
    while (current().is(',')) {
      ++at_;
      items.push_back(line_item(depth));
    }
    expect(")", "behind elements");
    return items;
  }
  beam::LineItem line_item(int depth) {
    bool backwards = false;
    int n = 1;
    const auto signs = [&] {
      for (; current().is('-') || current().is('+'); ++at_)
        backwards = backwards != current().is('-');
    };
    signs();
    if (current().kind == Kind::number) {
      const LatticeToken& number = tokens_[at_++];
      if (number.value != std::floor(number.value) ||
          !(number.value <= std::numeric_limits<int>::max()))
        refuse_madx(number, "'" + number.text + "' is no number of repetitions");
      n = int(number.value);
      expect("*", "behind a number of repetitions");
      signs();
    }
    beam::LineItem item =
        current().is('(') ? beam::LineItem(line_items(depth + 1)) : beam::LineItem(named_item());
    if (n != 1) item = beam::repeated(n, std::move(item));
    return backwards ? beam::reversed(std::move(item)) : item;
  }
  std::string named_item() {
    const LatticeToken& at = current();
    const std::string name = take_lower("the name of an element or line");
    if (current().is('(')) refuse_arguments(at);
    return name;
  }

  // Sequences

  void begin_sequence(const std::string& name, const LatticeToken& at) {
    if (!session_.open_sequence.empty())
      refuse_madx(at, "the sequence '" + session_.open_sequence + "' has no end", {},
                  "add ENDSEQUENCE;");
    if (madx_type(name) || model_.element(name) || model_.line(name))
      refuse_madx(at, "'" + name + "' cannot be a sequence", "it is an element, a line or a type");
    MadxSequence sequence{.name = name, .at = at};
    for (const auto& [attribute, value] : attributes()) {
      if (attribute == "l") {
        sequence.length = value.first();
      } else if (attribute == "refer") {
        sequence.refer = refer(value);
      } else if (attribute == "refpos") {
        sequence.refpos = lower_case(value.text);
      } else if (attribute != "add_pass" && attribute != "next_sequ") {
        refuse_madx(value.at, "'" + attribute + "' is no attribute of SEQUENCE");
      }
    }
    if (!model_.sequence(name))
      model_.order.push_back(name);
    else
      session_.remarks.push_back("the sequence '" + name + "' is defined again");
    model_.sequences.insert_or_assign(name, std::move(sequence));
    session_.open_sequence = name;
    values_.forget();
  }
  static double refer(const MadxAttribute& value) {
    const std::string refer = lower_case(value.text);
    if (refer == "entry") return 0.5;
    if (refer == "exit") return -0.5;
    if (refer == "centre" || refer == "center") return 0.;
    refuse_madx(value.at, "REFER cannot be '" + value.text + "'", {},
                "it is entry, centre or exit");
  }

  void place(const std::string& name, const LatticeToken& at, const MadxAttributes& given) {
    const auto position = given.find("at");
    if (position == given.end())
      refuse_madx(at, "'" + name + "' has no place in the sequence", {}, "give it AT=");
    const auto from = given.find("from");
    model_.sequences[session_.open_sequence].nodes.push_back(
        {name, position->second.first(),
         from == given.end() ? std::string() : lower_case(from->second.text), at});
  }

  // Names without a colon behind: commands, places in a sequence, changes of elements

  void named(const std::string& name, const LatticeToken& at) {
    if (name == "endsequence") {
      if (session_.open_sequence.empty()) refuse_madx(at, "there is no sequence to end");
      session_.open_sequence.clear();
    } else if (!session_.open_sequence.empty() &&
               (model_.element(name) || model_.sequence(name) || madx_type(name))) {
      MadxAttributes given = attributes();
      if (madx_type(name) && !given.contains("at")) refuse_command(at);
      for (const auto& [attribute, value] : given)
        if (attribute != "at" && attribute != "from" &&
            !MadxType::is_in(MadxType::passive, attribute))
          refuse_madx(value.at, "'" + attribute + "' cannot be given with a place", {},
                      "give the element a name: name: " + name + ", at=...");
      place(name, at, given);
    } else if (model_.element(name)) {
      update(name, at, attributes());
    } else {
      command(name, at);
    }
  }

  /// Changes attributes of an element.
  void update(const std::string& name, const LatticeToken& at, MadxAttributes given) {
    if (name == "beam") return update_beam(std::move(given));
    const auto found = model_.elements.find(name);
    if (found == model_.elements.end()) refuse_command(at);
    check_attributes(model_.type_of(name), given);
    for (auto& [attribute, value] : given)
      found->second.attributes.insert_or_assign(attribute, std::move(value));
    values_.forget();
  }
  void update_beam(MadxAttributes given) {
    std::string sequence;
    if (const auto found = given.find("sequence"); found != given.end())
      sequence = lower_case(found->second.text);
    auto& beam = model_.beams[sequence];
    if (const auto found = given.find("particle"); found != given.end())
      found->second.text = lower_case(found->second.text);
    if (const auto found = given.find("bv"); found != given.end())
      if (values_(found->second.first()) != 1.)
        refuse_madx(found->second.at, "BEAM: BV must be 1",
                    "the direction of the beam is that of the sequence");
    for (const char* momentum : {"energy", "pc", "gamma", "beta", "brho"})
      if (given.contains(momentum)) {
        for (const char* other : {"energy", "pc", "gamma", "beta", "brho"}) beam.erase(other);
        break;
      }
    for (auto& [name, value] : given) beam.insert_or_assign(name, std::move(value));
    values_.forget();
    values_.beam(sequence);  // refuses what has no momentum
  }

  void command(const std::string& name, const LatticeToken& at);
  [[noreturn]] void refuse_command(const LatticeToken& at) const;
  bool is_control();
  void branches();
  void loop();
  void block(const LatticeToken& of);
  void skip_parentheses();
  bool condition();
  bool comparison();
  void call(const LatticeToken& at, const MadxAttributes& given);
  void use(const LatticeToken& at, const MadxAttributes& given);
  void select(const MadxAttributes& given);
  void errors(const LatticeToken& at, MadxAttributes given, bool is_alignment);
  void edit(const std::string& name, const LatticeToken& at, const MadxAttributes& given);

  bool is_returned_ = false;
  bool is_behind_block_ = false;  ///< whether the statement ended with }
  int blocks_ = 0;                ///< blocks around the statement
};

}  // namespace trackplex::io::detail
