// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/elegant/detail/elegant_elements.hpp>
#include <trackplex/io/elegant/detail/elegant_refused_types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io::detail {

/// Tells whether a word in upper case is the name of a type.
inline bool is_named(const ElementRule& rule, std::string_view upper) {
  return upper == rule.keyword || (!rule.long_name.empty() && upper == rule.long_name);
}

/// The rule of a type, also by the first letters of its name, at least three, where no other type
/// has them. `refuse(problem, why, hint)` throws.
template <class Refuse>
const ElementRule& find_rule(const std::string& type, const Refuse& refuse) {
  const std::string upper = upper_case(type);
  const auto begins = [&](std::string_view word) {
    return upper.size() >= 3 && word.starts_with(upper);
  };
  std::vector<std::string_view> known = {"LINE"};
  std::vector<const ElementRule*> close;
  for (const ElementRule& rule : element_rules()) {
    if (is_named(rule, upper)) return rule;
    if (begins(rule.keyword) || begins(rule.long_name)) close.push_back(&rule);
    known.push_back(rule.keyword);
    if (!rule.long_name.empty()) known.push_back(rule.long_name);
  }
  if (const RefusedType* other = refused_type(upper))
    refuse("'" + type + "' is not tracked here",
           "elegant's " + std::string(other->keyword) + " is " + std::string(other->what),
           "--skip-unknown makes it a drift of its length");
  if (close.size() != 1)
    refuse("'" + type + "' is no type of element that is known here",
           close.empty() ? ""
                         : "it may be " + std::string(close[0]->keyword) + " or " +
                               std::string(close[1]->keyword),
           closest_name(upper, known));
  return *close[0];
}

}  // namespace trackplex::io::detail
