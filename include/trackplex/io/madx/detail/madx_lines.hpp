// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/madx/detail/madx_reader.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Definitions of MAD-X that have arguments: lines and macros.

namespace trackplex::io::detail {

/// `name(arguments): MACRO = {...}`, or LINE.
inline void MadxReader::definition_with_arguments(const std::string& name, const LatticeToken& at) {
  std::vector<std::string> arguments;
  do {
    ++at_;
    if (current().is(')')) break;
    arguments.push_back(take_lower("the name of an argument"));
  } while (current().is(','));
  expect(")", "after arguments");
  expect(":", "after arguments");
  const LatticeToken& type = current();
  const std::string word = take_lower("MACRO or LINE");
  if (word == "line") return line(name, std::move(arguments), at);
  if (word != "macro")
    refuse_madx(type, "'" + word + "' has no arguments", {}, "MACRO and LINE have");
  macro(name, std::move(arguments));
}

/// Keeps the text between { and }.
inline void MadxReader::macro(const std::string& name, std::vector<std::string> arguments) {
  expect("=", "after MACRO");
  const LatticeToken& open = current();
  const std::size_t begin = begins_[at_] + 1;
  skip_block(open);
  const std::size_t end = begins_[at_ - 1];
  model_.macros.insert_or_assign(
      name, MadxMacro{std::move(arguments), std::string(text_.substr(begin, end - begin))});
  is_behind_block_ = true;
}

/// Passes over { ... }, with whatever is inside.
inline void MadxReader::skip_block(const LatticeToken& of) {
  if (!current().is('{')) expect("{", "after " + of.text);
  int depth = 0;
  do {
    if (at_ + 1 == tokens_.size()) refuse_madx(of, "'}' is missing", "after " + of.text);
    depth += current().is('{') ? 1 : current().is('}') ? -1 : 0;
    ++at_;
  } while (depth > 0);
}

inline void MadxReader::line(const std::string& name, std::vector<std::string> arguments,
                             const LatticeToken& at) {
  if (is_symbol(current(), ":="))
    ++at_;
  else
    expect("=", "after LINE");
  if (!current().is('(')) expect("(", "after LINE=");
  if (model_.element(name) || model_.sequence(name) || madx_type(name))
    refuse_madx(at, "'" + name + "' cannot be a line", "it is an element, a sequence or a type");
  if (!model_.line(name)) model_.order.push_back(name);
  model_.lines.insert_or_assign(name, MadxLine{name, std::move(arguments), line_items(0), at});
}

inline std::vector<MadxLineItem> MadxReader::line_items(int depth) {
  if (depth > MadxExpressionParser::max_depth)
    refuse_madx(current(), "parentheses are nested too deeply");
  expect("(", "before elements");
  std::vector<MadxLineItem> items = {line_item(depth)};
  while (!current().is(')')) {  // MAD-X needs no commas
    if (current().kind == Kind::end) expect(")", "after elements");
    if (current().is(','))
      ++at_;
    else
      items.push_back(line_item(depth));
  }
  ++at_;
  return items;
}

inline MadxLineItem MadxReader::line_item(int depth) {
  bool backwards = false;
  int n = 1;
  for (; current().is('-') || current().is('+'); ++at_) backwards = backwards != current().is('-');
  if (current().kind == Kind::number) {
    const LatticeToken& number = tokens_[at_++];
    if (number.value != std::floor(number.value) ||
        !(number.value <= std::numeric_limits<int>::max()))
      refuse_madx(number, "'" + number.text + "' is no number of repetitions");
    n = int(number.value);
    expect("*", "after a number of repetitions");
    if (current().is('-') || current().is('+'))
      refuse_madx(current(), "a sign is not expected after '*'",
                  "MAD-X takes such an item once, and not reversed", "write -2*a");
  }
  MadxLineItem item;
  if (current().is('('))
    item.group = line_items(depth + 1);
  else
    named_item(item);
  item.repetitions = n;
  item.is_reversed = backwards;
  return item;
}

inline void MadxReader::named_item(MadxLineItem& item) {
  item.name = take_lower("the name of an element or line");
  if (!current().is('(')) return;
  do {
    ++at_;
    item.arguments.push_back(take_lower("the name of an element or line"));
  } while (current().is(','));
  expect(")", "after the arguments, which are names of elements or lines,");
}

}  // namespace trackplex::io::detail
