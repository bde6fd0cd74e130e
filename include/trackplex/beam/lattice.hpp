// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/core/compiled.hpp>

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
  bool is_reversed = false;     ///< Whether the part is reversed.

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

/// Returns the part n times in a row; n must not be negative, see `Lattice::expand`.
LineItem repeated(int n, LineItem item);

/// Returns the part reversed.
LineItem reversed(LineItem item);

/// Returns the element of a reversed line: entrance and exit of a bend are swapped. Elements
/// without `reversed` are unchanged, even asymmetric ones (a map), whose inverse is not known.
inline Element reversed(const Element& element) { return {element.name, element.kind.reversed()}; }

/// Named elements and lines of a machine. Names are not case-sensitive, unless that is asked for.
/// Lines may refer to elements and lines that are added later.
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

  /// Makes an empty lattice, in which names are the same in upper and lower case.
  Lattice() = default;
  /// Makes an empty lattice. Where case matters, a name that is not there is looked for in upper
  /// case, which elegant's names without quotation marks have.
  explicit Lattice(bool case_matters) : case_matters_(case_matters) {}

  /// Returns what names are compared by: in lower case, unless case matters.
  std::string key_of(std::string_view name) const;

  /// Adds an element.
  /// @throws UsageError if the name is taken or empty, or as `check_element`
  void add(Element element);
  /// Adds an element with a name and a kind.
  /// @throws UsageError as the other `add`
  void add(std::string name, ElementKind kind) { add(Element{std::move(name), std::move(kind)}); }

  /// Adds a line of parts; `expand` looks up their names.
  /// @throws UsageError if the name is taken or empty
  void add_line(std::string name, std::vector<LineItem> items);

  /// Returns true if there is an element of that name.
  bool has_element(std::string_view name) const { return find_element(name) != nullptr; }
  /// Returns true if there is a line of that name.
  bool has_line(std::string_view name) const { return find_line(name) != nullptr; }
  /// Returns the elements in the order in which they were added.
  const std::vector<Element>& elements() const { return elements_; }
  /// Returns the lines in the order in which they were added.
  const std::vector<Line>& lines() const { return lines_; }

  /// Returns an element by its name.
  /// @throws UsageError if there is none of that name
  const Element& element(std::string_view name) const;

  /// Returns the elements of a line (or the one element of that name) in the order in which
  /// particles pass them. A reversed line or group has its parts in the opposite order, each
  /// reversed, elements by `reversed`.
  /// @throws UsageError if a name has no definition, a line contains itself or is nested deeper
  /// than `max_depth`, or repetitions are negative
  /// @throws CapacityError if there are more than `limit` elements
  BeamLine expand(std::string_view name, std::int64_t limit = max_elements) const;

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
    /// Depth of unfinished lines: -1.
    std::map<std::string, Size> known;

    /// `line` is the one that the item is part of, `outside` the lines and groups around it.
    Size count(const LineItem& item, const std::string& line, int outside);

    Size count(const std::vector<LineItem>& items, const std::string& line, int outside);

    Size count_line(const std::string& name, const std::string& user, int outside);

    static void throw_too_deep(const std::string& line);
  };

  const Index* find(std::string_view name) const;
  const Element* find_element(std::string_view name) const;
  const Line* find_line(std::string_view name) const;

  void check_new(const std::string& name) const;

  void append(const LineItem& item, bool backwards, BeamLine& line) const;
  void append(const std::vector<LineItem>& items, bool backwards, BeamLine& line) const;

  bool case_matters_ = false;
  std::vector<Element> elements_;
  std::vector<Line> lines_;
  std::map<std::string, Index> index_;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/detail/lattice.impl.hpp>
#endif
