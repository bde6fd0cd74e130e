// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/madx/detail/madx_part.hpp>
#include <trackplex/io/madx/detail/madx_types.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Elements of MAD-X' sequences and lines, one after the other.

namespace trackplex::io::detail {

/// Name and number of an element of a sequence: `name` for the first one, `name[n]`.
struct MadxNodeName {
  std::string name;
  int occurrence = 1;

  explicit MadxNodeName(std::string_view text) {
    const auto open = text.find('[');
    name = text.substr(0, open);
    if (open != text.npos)
      std::from_chars(text.data() + open + 1, text.data() + text.size(), occurrence);
  }
};

/// Index of an element, or the number of all if it is not there.
template <class Nodes>
std::size_t find_node(const Nodes& nodes, std::string_view text) {
  const MadxNodeName wanted(text);
  int n = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].name == wanted.name && ++n == wanted.occurrence) return i;
  return nodes.size();
}

/// Indices [begin, end) of a range "first/last" or "name" with #s and #e. In one that wraps, past
/// the end of a ring, `end` is not above `begin`.
inline std::pair<std::size_t, std::size_t> madx_range(const std::vector<MadxPlaced>& all,
                                                      std::string_view range, const MadxPlace& at,
                                                      bool may_wrap = false) {
  const auto find = [&](std::string_view name) {
    if (name == "#s" || name.ends_with("$start")) return std::size_t(0);
    if (name == "#e" || name.ends_with("$end")) return all.empty() ? 0 : all.size() - 1;
    const MadxNodeName wanted(name);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].name == wanted.name && all[i].occurrence == wanted.occurrence) return i;
    refuse_madx(at, "there is no '" + std::string(name) + "' in the sequence", "RANGE names it",
                "name[n] is the n-th one of that name");
  };
  const auto slash = range.find('/');
  const std::size_t begin = find(range.substr(0, slash));
  const std::size_t end = slash == range.npos ? begin : find(range.substr(slash + 1));
  if (range.substr(0, slash) == "#e" && slash == range.npos) return {all.size(), all.size()};
  if (end < begin && !may_wrap)
    refuse_madx(at, "the range '" + std::string(range) + "' ends before it begins");
  return {begin, all.empty() ? 0 : end + 1};
}

/// Puts the elements of sequences and lines one after the other.
class MadxFlattener {
 public:
  MadxFlattener(const MadxModel& model, MadxValues& values, const MadxOptions& options,
                std::int64_t limit)
      : model_(model), values_(values), options_(options), limit_(limit) {}

  /// Elements of a sequence or line at their places, from its start to `length()`.
  std::vector<MadxPlaced> flatten(const std::string& name) {
    name_ = name;
    length_ = 0.;
    if (const MadxSequence* sequence = model_.sequence_to_track(name)) {
      return flatten(*sequence);
    } else {
      const MadxLine& line = *model_.line(name);
      if (!line.arguments.empty())
        refuse_madx(line.at, "'" + name + "' has arguments", "other lines give their values");
      flatten(line.items, {}, false, line, 0);
      std::map<std::string, int, std::less<>> occurrences;
      for (MadxPlaced& part : placed_) {
        part.entry = length_;
        length_ += part.length;
        part.occurrence = ++occurrences[part.name];
      }
    }
    return std::move(placed_);
  }
  std::vector<MadxPlaced> flatten(const MadxSequence& sequence) {
    name_ = sequence.name;
    length_ = length_of(sequence);
    flatten(sequence, 0., 0);
    return std::move(placed_);
  }
  double length() const { return length_; }  ///< m

  /// Centres of the nodes of a sequence.
  std::vector<double> centres(const MadxSequence& sequence);
  /// From the reference of a node to its centre.
  double reference(const MadxSequence& sequence, const MadxNode& node);

  MadxPart part(const std::string& name, const MadxPlace& at,
                const MadxElement* element = nullptr) {
    return {model_, values_, options_, name, at, element};
  }
  MadxPart part(const MadxPlaced& placed) {
    return part(placed.name, placed.at, placed.element.get());
  }
  MadxPart part(const MadxNode& node) { return part(node.name, node.at, node.element.get()); }
  double length_of(const MadxSequence& sequence) {
    const double length = values_(sequence.length);
    if (!(length >= 0.)) refuse_madx(sequence.at, "'" + sequence.name + "' has a negative length");
    return length;
  }
  double length_of(const MadxNode& node) {
    if (const MadxSequence* sequence = model_.sequence(node.name)) return length_of(*sequence);
    if (!model_.element(node.name) && !madx_type(node.name))
      refuse_madx(node.at, "'" + node.name + "' is not defined");
    return part(node).length();
  }

 private:
  static constexpr int max_depth = 100;
  static constexpr double tolerance = 1e-6;  ///< of overlaps, m, as in MAD-X
  using Arguments = std::map<std::string, std::string, std::less<>>;  ///< values by names

  /// Reference of a place: a distance from the centre of a node.
  struct Origin {
    std::size_t node;
    double offset = 0.;  ///< m
  };
  std::optional<Origin> find_inside(const MadxSequence& sequence, const std::string& name,
                                    int depth);
  double from_reference(const MadxSequence& sequence, const MadxNode& node);

  void flatten(const MadxSequence& sequence, double origin, int depth) {
    if (depth > max_depth)
      refuse_madx(sequence.at, "sequences are nested too deeply", {}, "none may contain itself");
    const std::vector<double> places = centres(sequence);
    std::map<std::string, int, std::less<>> occurrences;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const MadxNode& node = sequence.nodes[i];
      count(node.at);
      const double length = length_of(node), entry = origin + places[i] - 0.5 * length;
      if (const MadxSequence* inner = model_.sequence(node.name)) {
        flatten(*inner, entry, depth + 1);
        continue;
      }
      placed_.push_back({node.name, ++occurrences[node.name], node.at, entry, length,
                         node.alignment.empty() ? nullptr : &node.alignment, node.element});
    }
  }
  void count(const MadxPlace& at) {
    if (++work_ > limit_)
      refuse_madx(at, "'" + name_ + "' has more than " + std::to_string(limit_) + " elements");
  }

  void flatten(const std::vector<MadxLineItem>& items, const Arguments& arguments, bool backwards,
               const MadxLine& of, int depth);
  void named(const MadxLineItem& item, const Arguments& arguments, bool is_reversed,
             const MadxLine& of, int depth);

  const MadxModel& model_;
  MadxValues& values_;
  const MadxOptions& options_;
  const std::int64_t limit_;
  std::string name_;
  std::vector<MadxPlaced> placed_;
  double length_ = 0.;
  std::int64_t work_ = 0;
};

inline std::vector<double> MadxFlattener::centres(const MadxSequence& sequence) {
  std::map<std::string, std::vector<std::size_t>, std::less<>> index;
  for (std::size_t i = 0; i < sequence.nodes.size(); ++i)
    index[sequence.nodes[i].name].push_back(i);
  std::vector<double> found(sequence.nodes.size());
  std::vector<bool> is_known(sequence.nodes.size(), false);
  for (std::size_t i = 0; i < sequence.nodes.size(); ++i) {
    std::vector<Origin> chain = {{i}};  // each is relative to the next one
    while (!is_known[chain.back().node] && !sequence.nodes[chain.back().node].from.empty()) {
      const MadxNode& node = sequence.nodes[chain.back().node];
      if (chain.size() > sequence.nodes.size())
        refuse_madx(node.at, "'" + node.name + "' is relative to itself");
      const MadxNodeName from(node.from);
      const auto known = index.find(from.name);
      const std::size_t occurrence = std::size_t(from.occurrence) - 1;
      if (known != index.end() && occurrence < known->second.size()) {
        const std::size_t k = known->second[occurrence];
        chain.push_back({k, from_reference(sequence, sequence.nodes[k])});
      } else if (const auto inside = find_inside(sequence, node.from, 0)) {
        chain.push_back(*inside);
      } else {
        refuse_madx(node.at, "there is no '" + node.from + "' in '" + sequence.name + "'",
                    "'" + node.name + "' is relative to it");
      }
    }
    for (double origin = 0.; !chain.empty(); chain.pop_back()) {
      const std::size_t at = chain.back().node;
      if (!is_known[at]) {
        const MadxNode& node = sequence.nodes[at];
        found[at] = values_(node.position) + reference(sequence, node) + origin;
        is_known[at] = true;
      }
      origin = found[at] + chain.back().offset;
    }
  }
  return found;
}

/// An element inside of the sequences in a sequence.
inline std::optional<MadxFlattener::Origin> MadxFlattener::find_inside(const MadxSequence& sequence,
                                                                       const std::string& name,
                                                                       int depth) {
  if (depth > max_depth)
    refuse_madx(sequence.at, "sequences are nested too deeply", {}, "none may contain itself");
  for (std::size_t i = 0; i < sequence.nodes.size(); ++i) {
    const MadxSequence* inner = model_.sequence(sequence.nodes[i].name);
    if (!inner) continue;
    std::optional<Origin> inside;
    if (const std::size_t k = find_node(inner->nodes, name); k < inner->nodes.size())
      inside = Origin{k};
    else
      inside = find_inside(*inner, name, depth + 1);
    if (!inside) continue;
    const double reference = inner->refpos.empty() ? 0.5 : 0.5 - sequence.refer;  // as in MAD-X
    return Origin{i,
                  centres(*inner)[inside->node] + inside->offset - reference * length_of(*inner)};
  }
  return std::nullopt;
}

/// From the centre of a node to what FROM means by it: REFPOS of a sequence counts as its centre.
inline double MadxFlattener::from_reference(const MadxSequence& sequence, const MadxNode& node) {
  return sequence.refer * length_of(node) - reference(sequence, node);
}

inline double MadxFlattener::reference(const MadxSequence& sequence, const MadxNode& node) {
  const double length = length_of(node);
  const MadxSequence* inner = model_.sequence(node.name);
  if (!inner || inner->refpos.empty()) return sequence.refer * length;
  const std::vector<double> places = centres(*inner);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (inner->nodes[i].name == inner->refpos) return 0.5 * length - places[i];
  refuse_madx(inner->at, "there is no '" + inner->refpos + "' in '" + inner->name + "'",
              "REFPOS names it");
}

// Lines. As in MAD, elements of reversed lines are not reversed themselves.

inline void MadxFlattener::flatten(const std::vector<MadxLineItem>& items,
                                   const Arguments& arguments, bool backwards, const MadxLine& of,
                                   int depth) {
  if (depth > max_depth)
    refuse_madx(of.at, "lines are nested too deeply", {}, "none may contain itself");
  const auto each = [&](const MadxLineItem& item) {
    const bool is_reversed = backwards != item.is_reversed;
    const std::size_t before = placed_.size();
    for (int n = 0; n < item.repetitions; ++n) {
      if (n > 0 && placed_.size() == before) return;
      count(of.at);
      if (item.name.empty())
        flatten(item.group, arguments, is_reversed, of, depth + 1);
      else
        named(item, arguments, is_reversed, of, depth);
    }
  };
  if (backwards)
    std::for_each(items.rbegin(), items.rend(), each);
  else
    std::for_each(items.begin(), items.end(), each);
}

inline void MadxFlattener::named(const MadxLineItem& item, const Arguments& arguments,
                                 bool is_reversed, const MadxLine& of, int depth) {
  const auto value_of = [&](const std::string& word) {
    const auto value = arguments.find(word);
    return value == arguments.end() ? word : value->second;
  };
  const std::string name = value_of(item.name);
  if (const MadxLine* line = model_.line(name)) {
    if (item.arguments.size() != line->arguments.size())
      refuse_madx(of.at, "'" + name + "' has " + std::to_string(line->arguments.size()) +
                             " arguments, but '" + of.name + "' gives " +
                             std::to_string(item.arguments.size()));
    Arguments inner;
    for (std::size_t i = 0; i < item.arguments.size(); ++i)
      inner.emplace(line->arguments[i], value_of(item.arguments[i]));
    return flatten(line->items, inner, is_reversed, *line, depth + 1);
  }
  if (model_.sequence(name))
    refuse_madx(of.at, "'" + name + "' is a sequence", "lines are made of elements and lines");
  if (!model_.element(name))
    refuse_madx(of.at, "there is no element or line '" + name + "'", "'" + of.name + "' has it");
  placed_.push_back({name, 1, of.at, 0., part(name, of.at).length()});
}

}  // namespace trackplex::io::detail
