// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/madx/detail/madx_types.hpp>
#include <trackplex/io/madx/detail/madx_values.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Words, expressions and attributes of MAD-X files, one after the other.

namespace trackplex::io::detail {

/// The words of a file, with the place of the next one.
class MadxWords {
 protected:
  MadxWords(MadxSession& session, std::string_view text, const std::string& name)
      : session_(session), model_(session.model), values_(session.model) {
    model_.files->push_back(name);
    file_ = &model_.files->back();
    MadxLexer lexer(text, *file_);
    tokens_ = lexer.tokens();
    begins_ = lexer.begins();
    text_ = text;
  }

  using Kind = LatticeToken::Kind;

  const LatticeToken& current() const { return tokens_[at_]; }
  const LatticeToken& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  static std::string shown(const LatticeToken& token) {
    return token.kind == Kind::end ? "the end of the statement" : "'" + token.text + "'";
  }
  void expect(std::string_view symbol, const std::string& where) {
    if (!is_symbol(current(), symbol))
      refuse_madx(current(), "'" + std::string(symbol) + "' is missing " + where + ", before " +
                                 shown(current()));
    ++at_;
  }
  /// A name, which quotation marks may enclose.
  const LatticeToken& take_name(const std::string& what) {
    if (!current().is_name() || current().text.empty())
      refuse_madx(current(), what + " is missing, before " + shown(current()));
    return tokens_[at_++];
  }
  std::string take_lower(const std::string& what) { return lower_case(take_name(what).text); }

  /// The expression behind = or :=, of which the first is replaced by its value.
  MadxExpression take_value() {
    const bool is_deferred = is_symbol(current(), ":=");
    ++at_;
    return take_expression(is_deferred);
  }
  MadxExpression take_expression(bool is_deferred) {
    MadxExpression expression = parse_expression();
    if (is_deferred && expression.has_table()) model_.has_deferred_tables = true;
    return is_deferred ? expression : MadxExpression::constant(values_(expression));
  }
  MadxExpression parse_expression() {
    return MadxExpressionParser(tokens_, at_,
                                [this](const std::string& name) {
                                  return model_.variables.contains(name) || madx_constant(name);
                                })
        .parse();
  }

  /// The value of an attribute, from = or := on; without it, `bare`. MAD-X knows the words true and
  /// false as values of flags only; elsewhere they are variables without a definition.
  MadxAttribute attribute_value(const LatticeToken& name, bool is_text, double bare = 1.) {
    MadxAttribute attribute{.at = name};
    if (!is_symbol(current(), "=") && !is_symbol(current(), ":=")) {
      attribute.values.push_back(MadxExpression::constant(bare));
      return attribute;
    }
    const bool is_deferred = is_symbol(current(), ":=");
    ++at_;
    if (!is_text && current().kind == Kind::name && is_end_of_value(next()) &&
        (current().text == "true" || current().text == "false")) {
      const bool is_on = tokens_[at_++].text == "true" && bare == 1.;
      attribute.values.push_back(MadxExpression::constant(is_on ? 1. : 0.));
      return attribute;
    }
    if (is_text || current().kind == Kind::quoted) {
      attribute.text = take_text(name);
    } else if (current().is('{')) {
      ++at_;
      while (!current().is('}')) {
        attribute.values.push_back(take_expression(is_deferred));
        if (current().is(','))
          ++at_;
        else if (!current().is('}'))
          expect("}", "after a value");
      }
      ++at_;
    } else {
      attribute.values.push_back(take_expression(is_deferred));
    }
    return attribute;
  }

  static bool is_end_of_value(const LatticeToken& token) {
    return token.kind == Kind::end || token.is(',') || token.is('}');
  }

  /// Takes the text between quotation marks, else all up to the next comma.
  std::string take_text(const LatticeToken& name) {
    if (current().kind == Kind::quoted) return tokens_[at_++].text;
    std::string text;
    while (current().kind != Kind::end && !current().is(',') && !current().is('}'))
      text += tokens_[at_++].text;
    if (text.empty())
      refuse_madx(current(),
                  "the text of " + name.text + " is missing, before " + shown(current()));
    return text;
  }

  /// Attributes of an element.
  MadxAttributes element_attributes() { return attributes("", madx_bare_value); }

  /// Attributes up to the end of the statement: `name = value`, `name`, or `-name` for 0. Those
  /// of `numbers` are no texts.
  MadxAttributes attributes(std::string_view numbers = "",
                            double (*bare)(std::string_view) = nullptr) {
    MadxAttributes all;
    while (current().is(',') || (current().is_name() && all.empty())) {
      if (current().is(',')) ++at_;
      if (current().kind == Kind::end || current().is(',')) continue;
      const bool is_off = current().is('-');
      if (is_off) ++at_;
      const LatticeToken& name = take_name("the name of an attribute");
      MadxAttribute value =
          attribute_value(name, is_madx_text(name.text) && !MadxType::is_in(numbers, name.text),
                          bare ? bare(lower_case(name.text)) : 1.);
      if (is_off) value.values = {MadxExpression::constant(0.)};
      all.insert_or_assign(lower_case(name.text), std::move(value));
    }
    return all;
  }

  MadxSession& session_;
  MadxModel& model_;
  MadxValues values_;
  const std::string* file_ = nullptr;
  std::string_view text_;
  std::vector<LatticeToken> tokens_;
  std::vector<std::size_t> begins_;  ///< of the words in the text
  std::size_t at_ = 0;
};

}  // namespace trackplex::io::detail
