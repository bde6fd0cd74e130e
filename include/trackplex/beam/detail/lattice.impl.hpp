// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/lattice.hpp>
#include <trackplex/core/error.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE LineItem repeated(int n, LineItem item) {
  if (item.repetitions == 1) {
    item.repetitions = n;
    return item;
  }
  LineItem several(std::vector<LineItem>{std::move(item)});
  several.repetitions = n;
  return several;
}

TRACKPLEX_INLINE LineItem reversed(LineItem item) {
  item.is_reversed = !item.is_reversed;
  return item;
}

TRACKPLEX_INLINE void Lattice::add(Element element) {
  check_new(element.name);
  check_element(element);
  index_.emplace(key_of(element.name), Index{false, elements_.size()});
  elements_.push_back(std::move(element));
}

TRACKPLEX_INLINE void Lattice::add_line(std::string name, std::vector<LineItem> items) {
  check_new(name);
  index_.emplace(key_of(name), Index{true, lines_.size()});
  lines_.push_back({std::move(name), std::move(items)});
}

TRACKPLEX_INLINE const Element& Lattice::element(std::string_view name) const {
  if (const Element* found = find_element(name)) return *found;
  throw UsageError("Lattice", "there is no element '" + std::string(name) + "'");
}

TRACKPLEX_INLINE BeamLine Lattice::expand(std::string_view name, std::int64_t limit) const {
  const LineItem whole = std::string(name);
  const std::int64_t n = Counter{*this, limit, {}}.count(whole, whole.name, 0).elements;
  if (n > limit)
    throw CapacityError("line '" + whole.name + "'", "elements or more", std::size_t(n),
                        std::size_t(limit), "look at its repetitions");
  BeamLine line;
  line.reserve(std::size_t(n));
  append(whole, false, line);
  return line;
}

TRACKPLEX_INLINE Lattice::Size Lattice::Counter::count(const LineItem& item,
                                                       const std::string& line, int outside) {
  if (item.repetitions < 0)
    throw UsageError("line '" + line + "'",
                     "there are no " + std::to_string(item.repetitions) + " repetitions", {},
                     "use reversed() to pass something backwards");
  Size size{1, 0};
  if (item.name.empty()) {
    size = count(item.group, line, outside);
  } else if (!lattice.has_element(item.name)) {
    size = count_line(item.name, line, outside);
  }
  if (outside + size.depth > max_depth) throw_too_deep(line);
  const bool is_more = size.elements > 0 && item.repetitions > limit / size.elements;
  size.elements = is_more ? limit + 1 : size.elements * item.repetitions;
  return size;
}

TRACKPLEX_INLINE Lattice::Size Lattice::Counter::count(const std::vector<LineItem>& items,
                                                       const std::string& line, int outside) {
  if (outside > max_depth) throw_too_deep(line);
  Size sum;
  for (const LineItem& item : items) {
    const Size size = count(item, line, outside + 1);
    sum.elements = std::min(limit + 1, sum.elements + size.elements);
    sum.depth = std::max(sum.depth, size.depth);
  }
  return {sum.elements, sum.depth + 1};
}

TRACKPLEX_INLINE Lattice::Size Lattice::Counter::count_line(const std::string& name,
                                                            const std::string& user, int outside) {
  const Line* found = lattice.find_line(name);
  if (!found) throw UsageError("line '" + user + "'", "there is no element or line '" + name + "'");
  const auto [size, is_new] = known.emplace(found->name, Size{0, -1});
  if (!is_new && size->second.depth < 0)
    throw UsageError("line '" + found->name + "'", "it contains itself");
  if (is_new) size->second = count(found->items, found->name, outside);
  return size->second;
}

TRACKPLEX_INLINE void Lattice::Counter::throw_too_deep(const std::string& line) {
  throw UsageError("line '" + line + "'", "it is nested too deeply",
                   "at most " + std::to_string(max_depth) + " lines and groups");
}

TRACKPLEX_INLINE std::string Lattice::key_of(std::string_view name) const {
  std::string key(name);
  if (case_matters_) return key;
  for (char& c : key)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return key;
}

TRACKPLEX_INLINE const Lattice::Index* Lattice::find(std::string_view name) const {
  std::string key = key_of(name);
  auto found = index_.find(key);
  if (found == index_.end() && case_matters_) {
    for (char& c : key)
      if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
    found = index_.find(key);
  }
  return found == index_.end() ? nullptr : &found->second;
}

TRACKPLEX_INLINE const Element* Lattice::find_element(std::string_view name) const {
  const Index* found = find(name);
  return !found || found->is_line ? nullptr : &elements_[found->at];
}

TRACKPLEX_INLINE const Lattice::Line* Lattice::find_line(std::string_view name) const {
  const Index* found = find(name);
  return !found || !found->is_line ? nullptr : &lines_[found->at];
}

TRACKPLEX_INLINE void Lattice::check_new(const std::string& name) const {
  if (name.empty()) throw UsageError("Lattice", "an element or line has no name");
  if (const auto found = index_.find(key_of(name)); found != index_.end())
    throw UsageError("Lattice", "'" + name + "' is defined twice",
                     found->second.is_line ? "it is a line" : "it is an element",
                     case_matters_ ? "" : "upper and lower case are the same");
}

TRACKPLEX_INLINE void Lattice::append(const LineItem& item, bool backwards, BeamLine& line) const {
  backwards = backwards != item.is_reversed;
  const std::size_t before = line.size();
  for (int n = 0; n < item.repetitions; ++n) {
    if (n > 0 && line.size() == before) return;  // repetitions of nothing
    if (item.name.empty()) {
      append(item.group, backwards, line);
    } else if (const Element* element = find_element(item.name)) {
      line.push_back(backwards ? reversed(*element) : *element);
    } else {
      append(find_line(item.name)->items, backwards, line);
    }
  }
}

TRACKPLEX_INLINE void Lattice::append(const std::vector<LineItem>& items, bool backwards,
                                      BeamLine& line) const {
  if (backwards) {
    for (auto item = items.rbegin(); item != items.rend(); ++item) append(*item, true, line);
  } else {
    for (const LineItem& item : items) append(item, false, line);
  }
}

}  // namespace trackplex::beam
