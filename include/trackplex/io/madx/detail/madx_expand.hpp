// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/madx/detail/madx_elements.hpp>
#include <trackplex/io/madx/detail/madx_types.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Expansion of MAD-X' sequences and lines.

namespace trackplex::io::detail {

/// Element at its place in the whole sequence.
struct MadxPlaced {
  std::string name;
  MadxPlace at{};
  double entry = 0., length = 0.;  ///< m
};

/// Tells whether a pattern of characters, `.`, `[...]`, each with or without a `*` behind, `^` and
/// `$` is anywhere in a name.
inline bool matches_madx(std::string_view pattern, std::string_view name) {
  struct Item {
    std::string_view set;  ///< of characters; empty: any
    bool is_repeated = false;
  };
  const bool at_start = pattern.starts_with('^'), at_end = pattern.ends_with('$');
  if (at_start) pattern.remove_prefix(1);
  if (at_end) pattern.remove_suffix(1);
  std::vector<Item> items;
  for (std::size_t i = 0; i < pattern.size();) {
    std::size_t n = 1;
    Item item{pattern.substr(i, 1), false};
    if (pattern[i] == '.') item.set = {};
    const auto close = pattern.find(']', i);
    if (pattern[i] == '[' && close != pattern.npos && close > i + 1) {
      item.set = pattern.substr(i + 1, close - i - 1);
      n = close + 1 - i;
    }
    i += n;
    if (i < pattern.size() && pattern[i] == '*') item.is_repeated = ++i > 0;
    items.push_back(item);
  }
  std::vector<bool> reached(items.size() + 1, false);
  const auto skip_repeated = [&] {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (reached[i] && items[i].is_repeated) reached[i + 1] = true;
  };
  for (std::size_t i = 0;; ++i) {
    if (i == 0 || !at_start) reached[0] = true;
    skip_repeated();
    if (reached.back() && (!at_end || i == name.size())) return true;
    if (i == name.size()) return false;
    std::vector<bool> next(reached.size(), false);
    for (std::size_t k = 0; k < items.size(); ++k) {
      if (!reached[k] || (!items[k].set.empty() && items[k].set.find(name[i]) == name.npos))
        continue;
      next[items[k].is_repeated ? k : k + 1] = true;
    }
    reached = std::move(next);
  }
}

/// Expands sequences and lines to elements.
class MadxExpander {
 public:
  MadxExpander(const MadxModel& model, const MadxOptions& options, std::int64_t limit)
      : model_(model), options_(options), values_(model), limit_(limit) {}

  beam::BeamLine expand(const std::string& name) {
    name_ = name;
    double end = 0.;
    if (const MadxSequence* sequence = model_.sequence(name)) {
      end = length_of(*sequence);
      flatten(*sequence, 0., 0);
      cycle(*sequence, end);
    } else {
      const MadxLine& line = *model_.line(name);
      flatten(line.items, false, line, 0);
      for (MadxPlaced& part : placed_) {
        part.entry = end;
        end += part.length;
      }
    }
    beam_ = values_.beam(name);
    length_ = end;
    find_errors();
    for (std::size_t i = 0; i < placed_.size(); ++i) append(i);
    drift_to(end, nullptr);
    return std::move(line_);
  }

  /// Elements that became drifts, by their types.
  const std::map<std::string, int>& drifts() const { return drifts_; }
  const std::map<std::string, MadxPlace>& undefined() const { return values_.undefined(); }

 private:
  static constexpr int max_depth = 100;
  static constexpr double tolerance = 1e-6;  ///< of overlaps, m, as in MAD-X
  static constexpr double no_gap = 1e-9;     ///< m: rounding

  MadxPart part(const std::string& name, const MadxPlace& at) {
    const MadxElement* element = model_.element(name);
    return {model_, values_, options_, name, element ? element->at : at};
  }

  // Sequences

  double length_of(const MadxSequence& sequence) {
    const double length = values_(sequence.length);
    if (!(length >= 0.)) refuse_madx(sequence.at, "'" + sequence.name + "' has a negative length");
    return length;
  }
  double length_of(const MadxNode& node) {
    if (const MadxSequence* sequence = model_.sequence(node.name)) return length_of(*sequence);
    if (!model_.element(node.name) && !madx_type(node.name))
      refuse_madx(node.at, "'" + node.name + "' is not defined");
    return part(node.name, node.at).length();
  }

  /// Centres of the nodes of a sequence.
  std::vector<double> centres(const MadxSequence& sequence) {
    std::map<std::string, std::size_t, std::less<>> first;
    for (std::size_t i = 0; i < sequence.nodes.size(); ++i)
      first.emplace(sequence.nodes[i].name, i);
    std::vector<double> found(sequence.nodes.size());
    std::vector<bool> is_known(sequence.nodes.size(), false);
    for (std::size_t i = 0; i < sequence.nodes.size(); ++i) {
      std::vector<std::size_t> chain = {i};  // each is relative to the next one
      while (!is_known[chain.back()] && !sequence.nodes[chain.back()].from.empty()) {
        const MadxNode& node = sequence.nodes[chain.back()];
        const auto from = first.find(node.from);
        if (from == first.end())
          refuse_madx(node.at, "there is no '" + node.from + "' in '" + sequence.name + "'",
                      "'" + node.name + "' is relative to it");
        if (chain.size() > sequence.nodes.size())
          refuse_madx(node.at, "'" + node.name + "' is relative to itself");
        chain.push_back(from->second);
      }
      for (; !chain.empty(); chain.pop_back()) {
        const std::size_t at = chain.back();
        if (is_known[at]) continue;
        const MadxNode& node = sequence.nodes[at];
        found[at] = values_(node.position) + reference(sequence, node) +
                    (node.from.empty() ? 0. : found[first.find(node.from)->second]);
        is_known[at] = true;
      }
    }
    return found;
  }
  /// From the reference of a node to its centre.
  double reference(const MadxSequence& sequence, const MadxNode& node) {
    const double length = length_of(node);
    const MadxSequence* inner = model_.sequence(node.name);
    if (!inner || inner->refpos.empty()) return sequence.refer * length;
    const std::vector<double> places = centres(*inner);
    for (std::size_t i = 0; i < places.size(); ++i)
      if (inner->nodes[i].name == inner->refpos) return 0.5 * length - places[i];
    refuse_madx(inner->at, "there is no '" + inner->refpos + "' in '" + inner->name + "'",
                "REFPOS names it");
  }

  void flatten(const MadxSequence& sequence, double origin, int depth) {
    if (depth > max_depth)
      refuse_madx(sequence.at, "sequences are nested too deeply", {}, "none may contain itself");
    const std::vector<double> places = centres(sequence);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const MadxNode& node = sequence.nodes[i];
      count(node.at);
      const double length = length_of(node), entry = origin + places[i] - 0.5 * length;
      if (const MadxSequence* inner = model_.sequence(node.name)) {
        flatten(*inner, entry, depth + 1);
      } else {
        placed_.push_back({node.name, node.at, entry, length});
      }
    }
  }
  void count(const MadxPlace& at) {
    if (++work_ > limit_)
      refuse_madx(at, "'" + name_ + "' has more than " + std::to_string(limit_) + " elements");
  }

  /// Starts the sequence at another node.
  void cycle(const MadxSequence& sequence, double length) {
    if (sequence.start.empty()) return;
    const auto start = std::ranges::find(placed_, sequence.start, &MadxPlaced::name);
    if (start == placed_.end())
      refuse_madx(sequence.at, "there is no '" + sequence.start + "' in '" + sequence.name + "'",
                  "CYCLE names it");
    const double origin = start->entry;
    std::rotate(placed_.begin(), start, placed_.end());
    for (MadxPlaced& part : placed_) {
      part.entry -= origin;
      if (part.entry < -tolerance) part.entry += length;
    }
  }

  // Lines. As in MAD, elements of reversed lines are not reversed themselves.

  void flatten(const std::vector<beam::LineItem>& items, bool backwards, const MadxLine& of,
               int depth) {
    if (depth > max_depth)
      refuse_madx(of.at, "lines are nested too deeply", {}, "none may contain itself");
    const auto each = [&](const beam::LineItem& item) {
      const bool is_reversed = backwards != item.is_reversed;
      const std::size_t before = placed_.size();
      for (int n = 0; n < item.repetitions; ++n) {
        if (n > 0 && placed_.size() == before) return;
        count(of.at);
        if (item.name.empty())
          flatten(item.group, is_reversed, of, depth + 1);
        else
          named(item.name, is_reversed, of, depth);
      }
    };
    if (backwards)
      std::for_each(items.rbegin(), items.rend(), each);
    else
      std::for_each(items.begin(), items.end(), each);
  }
  void named(const std::string& name, bool is_reversed, const MadxLine& of, int depth) {
    if (const MadxLine* line = model_.line(name))
      return flatten(line->items, is_reversed, *line, depth + 1);
    if (model_.sequence(name))
      refuse_madx(of.at, "'" + name + "' is a sequence", "lines are made of elements and lines");
    if (!model_.element(name))
      refuse_madx(of.at, "there is no element or line '" + name + "'", "'" + of.name + "' has it");
    placed_.push_back({name, of.at, 0., part(name, of.at).length()});
  }

  // Errors of alignment and field

  void find_errors() {
    for (const MadxErrors& error : model_.errors) {
      if (error.sequence != name_) continue;
      for (const MadxSelection& selection : error.selections)
        for (const std::size_t i : selected(selection)) set_errors(i, error);
    }
  }
  std::vector<std::size_t> selected(const MadxSelection& selection) const {
    std::size_t begin = 0, end = placed_.size();
    const auto find = [&](const std::string& name, std::size_t otherwise) {
      const std::string bare = name.substr(0, name.find('['));
      const auto found = std::ranges::find(placed_, bare, &MadxPlaced::name);
      return found == placed_.end() ? otherwise : std::size_t(found - placed_.begin());
    };
    if (!selection.begin.empty() && selection.begin != "#s") begin = find(selection.begin, end);
    if (!selection.end.empty() && selection.end != "#e")
      end = std::min(end, find(selection.end, begin) + 1);
    std::vector<std::size_t> all;
    for (std::size_t i = begin; i < end; ++i)
      if ((selection.of_class.empty() || model_.is_derived(placed_[i].name, selection.of_class)) &&
          (selection.pattern.empty() || matches_madx(selection.pattern, placed_[i].name)))
        all.push_back(i);
    return all;
  }
  void set_errors(std::size_t i, const MadxErrors& error) {
    MadxElementErrors& of = errors_[i];
    if (error.is_alignment) of.alignment = {};
    for (const auto& [name, value] : error.attributes) {
      const std::vector<double> values = values_.list(value);
      if (values.empty()) continue;
      if (name == "dx") of.alignment.dx = values[0];
      if (name == "dy") of.alignment.dy = values[0];
      if (name == "ds") of.alignment.dz = values[0];
      if (name == "dpsi") of.alignment.tilt = values[0];
      if (name == "dkn") of.normal = values;
      if (name == "dks") of.skew = values;
    }
  }

  // Elements

  void append(std::size_t i) {
    const MadxPlaced& at = placed_[i];
    drift_to(at.entry, &at);
    end_ += at.length;
    last_ = &at;
    static const MadxElementErrors none;
    const auto found = errors_.find(i);
    const MadxElementErrors& errors = found == errors_.end() ? none : found->second;
    const MadxPart element = part(at.name, at.at);
    try {
      const auto apertures =
          options_.apertures ? madx_apertures(element, errors) : std::vector<beam::Aperture>{};
      beam::ElementKind kind = make_madx_element(
          element, errors, {beam_, length_, at.entry + 0.5 * at.length, is_accelerated_});
      is_accelerated_ = is_accelerated_ || element.type() == "lcavity";
      check(element, kind);
      limit(at, apertures);
      line_.push_back({at.name, std::move(kind)});
      if (at.length > 0.) limit(at, apertures);
    } catch (const InputError&) {
      if (!options_.skip_unknown) throw;
      ++drifts_[element.type()];
      line_.push_back({at.name, make_madx_drift(at.length, options_)});
    }
  }
  static void check(const MadxPart& element, const beam::ElementKind& kind) {
    try {
      beam::check_element({element.name(), kind});
    } catch (const UsageError& error) {
      element.refuse_element(error.what());
    }
  }
  void limit(const MadxPlaced& at, const std::vector<beam::Aperture>& apertures) {
    for (const beam::Aperture& aperture : apertures)
      line_.push_back({at.name + ".aperture", beam::Collimator{0., aperture}});
  }

  /// A drift up to the next element, or to the end of the sequence.
  void drift_to(double place, const MadxPlaced* next) {
    const double gap = place - end_;
    if (std::abs(gap) <= no_gap) return;
    if (gap < -tolerance) refuse_overlap(-gap, next);
    line_.push_back({"drift_" + std::to_string(n_drifts_++), make_madx_drift(gap, options_)});
    end_ = place;
  }
  [[noreturn]] void refuse_overlap(double by, const MadxPlaced* next) const {
    const std::string before = last_ ? "'" + last_->name + "'" : "the start of '" + name_ + "'";
    const std::string behind = next ? "'" + next->name + "'" : "the end of '" + name_ + "'";
    refuse_madx(next    ? next->at
                : last_ ? last_->at
                        : MadxPlace{},
                before + " and " + behind + " overlap by " + shortest(by) + " m",
                before + " ends at " + shortest(end_) + " m",
                "elements are in order of their places");
  }

  const MadxModel& model_;
  const MadxOptions& options_;
  MadxValues values_;
  const std::int64_t limit_;
  std::string name_;
  std::vector<MadxPlaced> placed_;
  std::map<std::size_t, MadxElementErrors> errors_;
  std::optional<MadxBeam> beam_;
  double length_ = 0., end_ = 0.;
  bool is_accelerated_ = false;  ///< behind an LCAVITY
  const MadxPlaced* last_ = nullptr;
  std::int64_t work_ = 0;
  int n_drifts_ = 0;
  beam::BeamLine line_;
  std::map<std::string, int> drifts_;
};

}  // namespace trackplex::io::detail
