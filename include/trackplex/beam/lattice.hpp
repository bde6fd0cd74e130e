// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::beam {

/// Part of a line: an element or a line by its name, or a group of parts; repeated, and reversed if
/// `is_reversed`.
struct LineItem {
  std::string name;             ///< Name of an element or a line; empty: a group.
  std::vector<LineItem> group;  ///< Parts of the group.
  int repetitions = 1;          ///< Repetitions in a row; 0: skipped.
  bool is_reversed = false;     ///< Whether the part is passed backwards.

  /// Makes a part from the name of an element or a line.
  /// @throws UsageError if the name is empty
  LineItem(std::string of) : name(std::move(of)) {
    if (name.empty()) throw UsageError("LineItem", "an element or line has no name");
  }
  /// Makes a part from a name.
  /// @throws UsageError if the name is empty
  LineItem(const char* of) : LineItem(std::string(of)) {}
  /// Makes a group of parts.
  LineItem(std::initializer_list<LineItem> parts) : group(parts) {}
  /// Makes a group of parts.
  explicit LineItem(std::vector<LineItem> parts) : group(std::move(parts)) {}
};

/// Returns the part n times in a row; n not negative, see `Lattice::expand`.
inline LineItem repeated(int n, LineItem item) {
  if (item.repetitions == 1) {
    item.repetitions = n;
    return item;
  }
  LineItem several(std::vector<LineItem>{std::move(item)});
  several.repetitions = n;
  return several;
}

/// Returns the part reversed.
inline LineItem reversed(LineItem item) {
  item.is_reversed = !item.is_reversed;
  return item;
}

/// Returns the element as it is passed in a reversed line: entrance and exit of a bend change
/// places. Elements that do not say what they are then are unchanged, also those that are not
/// symmetric (a map), whose inverse is not known.
inline Element reversed(const Element& element) { return {element.name, element.kind.reversed()}; }

/// Named elements and lines of a machine. Names are not case-sensitive. Lines may refer to elements
/// and lines that are added later.
/// @code
/// Lattice lattice;
/// lattice.add("qf", Quadrupole{.length = 0.2, .k1 = 1.5});
/// lattice.add("d", Drift{.length = 0.8});
/// lattice.add_line("half_cell", {"d", "qf"});
/// lattice.add_line("line", {repeated(10, {"half_cell", reversed("half_cell")})});
/// const BeamLine line = lattice.expand("line");
/// @endcode
class Lattice {
 public:
  /// Line with a name.
  struct Line {
    std::string name;             ///< Name.
    std::vector<LineItem> items;  ///< Parts, in order.
  };
  /// Max number of elements of an expanded line, a guard against mistaken repetitions.
  static constexpr std::int64_t max_elements = 10'000'000;
  /// Max depth of lines and groups inside each other.
  static constexpr int max_depth = 500;

  /// Adds an element.
  /// @throws UsageError if there is an element or a line of that name, the name is empty, or as
  /// `check_element`
  void add(Element element) {
    check_new(element.name);
    check_element(element);
    index_.emplace(key_of(element.name), Index{false, elements_.size()});
    elements_.push_back(std::move(element));
  }
  /// Adds an element of a name and kind.
  /// @throws UsageError as the other `add`
  void add(std::string name, ElementKind kind) { add(Element{std::move(name), std::move(kind)}); }

  /// Adds a line of parts, whose names are looked up by `expand`.
  /// @throws UsageError if there is an element or a line of that name, or the name is empty
  void add_line(std::string name, std::vector<LineItem> items) {
    check_new(name);
    index_.emplace(key_of(name), Index{true, lines_.size()});
    lines_.push_back({std::move(name), std::move(items)});
  }

  /// Tells whether there is an element of that name.
  bool has_element(std::string_view name) const { return find_element(name) != nullptr; }
  /// Tells whether there is a line of that name.
  bool has_line(std::string_view name) const { return find_line(name) != nullptr; }
  /// Returns the elements in the order in which they were added.
  const std::vector<Element>& elements() const { return elements_; }
  /// Returns the lines in the order in which they were added.
  const std::vector<Line>& lines() const { return lines_; }

  /// Returns an element by its name.
  /// @throws UsageError if there is none of that name
  const Element& element(std::string_view name) const {
    if (const Element* found = find_element(name)) return *found;
    throw UsageError("Lattice", "there is no element '" + std::string(name) + "'");
  }

  /// Returns the elements of a line (or the one element of that name) in the order in which
  /// particles pass them. A reversed line or group has its parts in the opposite order, each of
  /// them reversed, elements by `reversed`.
  /// @throws UsageError if a name has no definition, a line contains itself or is nested deeper
  /// than `max_depth`, or repetitions are negative
  /// @throws CapacityError if there are more than `limit` elements
  BeamLine expand(std::string_view name, std::int64_t limit = max_elements) const {
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

 private:
  struct Index {
    bool is_line;
    std::size_t at;
  };
  /// Size of an expanded item: number of elements, `limit` + 1 for more than that, and depth of
  /// lines and groups inside each other.
  struct Size {
    std::int64_t elements = 0;
    int depth = 0;
  };

  /// Counts the elements of a line before it is expanded, examining each line once.
  struct Counter {
    const Lattice& lattice;
    std::int64_t limit;
    /// Depth of lines that are not yet finished: -1.
    std::map<std::string, Size> known;

    /// `line` is the one that the item is part of, `outside` the lines and groups around it.
    Size count(const LineItem& item, const std::string& line, int outside) {
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

    Size count(const std::vector<LineItem>& items, const std::string& line, int outside) {
      if (outside > max_depth) throw_too_deep(line);
      Size sum;
      for (const LineItem& item : items) {
        const Size size = count(item, line, outside + 1);
        sum.elements = std::min(limit + 1, sum.elements + size.elements);
        sum.depth = std::max(sum.depth, size.depth);
      }
      return {sum.elements, sum.depth + 1};
    }

    Size count_line(const std::string& name, const std::string& user, int outside) {
      const Line* found = lattice.find_line(name);
      if (!found)
        throw UsageError("line '" + user + "'", "there is no element or line '" + name + "'");
      const auto [size, is_new] = known.emplace(found->name, Size{0, -1});
      if (!is_new && size->second.depth < 0)
        throw UsageError("line '" + found->name + "'", "it contains itself");
      if (is_new) size->second = count(found->items, found->name, outside);
      return size->second;
    }

    static void throw_too_deep(const std::string& line) {
      throw UsageError("line '" + line + "'", "it is nested too deeply",
                       "at most " + std::to_string(max_depth) + " lines and groups");
    }
  };

  static std::string key_of(std::string_view name) {
    std::string key(name);
    for (char& c : key)
      if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return key;
  }

  const Element* find_element(std::string_view name) const {
    const auto found = index_.find(key_of(name));
    return found == index_.end() || found->second.is_line ? nullptr : &elements_[found->second.at];
  }
  const Line* find_line(std::string_view name) const {
    const auto found = index_.find(key_of(name));
    return found == index_.end() || !found->second.is_line ? nullptr : &lines_[found->second.at];
  }

  void check_new(const std::string& name) const {
    if (name.empty()) throw UsageError("Lattice", "an element or line has no name");
    if (has_element(name) || has_line(name))
      throw UsageError("Lattice", "'" + name + "' is defined twice",
                       has_line(name) ? "it is a line" : "it is an element",
                       "upper and lower case are the same");
  }

  void append(const LineItem& item, bool backwards, BeamLine& line) const {
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
  void append(const std::vector<LineItem>& items, bool backwards, BeamLine& line) const {
    if (backwards) {
      for (auto item = items.rbegin(); item != items.rend(); ++item) append(*item, true, line);
    } else {
      for (const LineItem& item : items) append(item, false, line);
    }
  }

  std::vector<Element> elements_;
  std::vector<Line> lines_;
  std::map<std::string, Index> index_;
};

}  // namespace trackplex::beam
