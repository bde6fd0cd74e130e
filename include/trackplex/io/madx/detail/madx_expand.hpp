// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/madx/detail/madx_apertures.hpp>
#include <trackplex/io/madx/detail/madx_elements.hpp>
#include <trackplex/io/madx/detail/madx_flat.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// @file
/// Expansion of MAD-X' sequences and lines.

namespace trackplex::io::detail {

/// Expands sequences and lines to elements.
class MadxExpander {
 public:
  MadxExpander(const MadxModel& model, const MadxOptions& options, std::int64_t limit)
      : model_(model), options_(options), values_(model), limit_(limit) {}

  /// The sequence or line, or the part of it that USE chooses.
  beam::BeamLine expand(const std::string& name) {
    name_ = name;
    MadxFlattener flat(model_, values_, options_, limit_);
    placed_ = flat.flatten(name);
    length_ = flat.length();
    if (name == model_.used) take_places_of_use();
    find_errors();
    if (const MadxBeamState* beam = values_.beam(name)) {
      beam_ = beam->particles();
      direction_ = beam->direction();
      if (direction_ < 0.)
        remarks_.insert(
            "BV=-1 turns the fields of thin elements around, and leaves thick magnets as they are, "
            "as TRACK of MAD-X does (its TWISS turns them, too)");
    }
    std::size_t begin = 0, end = placed_.size();
    const bool is_part = name == model_.used && !model_.range.empty();
    const std::string range = is_part ? within_turn(model_.range) : "#s/#e";
    if (is_part) std::tie(begin, end) = madx_range(placed_, range, model_.range_at, true);
    const MadxSequence* sequence = model_.sequence_to_track(name);
    const bool is_cycled = sequence && sequence->is_cycled && !placed_.empty();
    start_ = end_ = range.starts_with("#s")  ? (is_cycled ? placed_.front().entry : 0.)
                    : begin < placed_.size() ? placed_[begin].entry
                                             : length_;
    ends_.assign(placed_.size(), not_there);
    if (end <= begin && begin < placed_.size()) {  // past the end of a ring, as in MAD-X
      append(begin, placed_.size());
      if (!is_cycled) drift_to(length_, nullptr);
      start_ -= length_;
      end_ = 0.;
      last_ = nullptr;
      begin = 0;
    }
    append(begin, end);
    const bool to_end = range.ends_with("#e");
    if (to_end && !is_cycled) drift_to(length_, nullptr);
    return std::move(line_);
  }

  static constexpr std::size_t not_there = std::size_t(-1);
  /// All elements of the sequence or line, after `expand`.
  const std::vector<MadxPlaced>& placed() const { return placed_; }
  /// Numbers of elements of the expanded line up to the end of each one, or `not_there`.
  const std::vector<std::size_t>& ends() const { return ends_; }
  /// Elements that became drifts, by their types.
  const std::map<std::string, int>& drifts() const { return drifts_; }
  const std::map<std::string, MadxPlace>& undefined() const { return values_.undefined(); }
  /// Remarks for the user on elements that are not what their text suggests.
  const std::set<std::string>& remarks() const { return remarks_; }

 private:
  static constexpr double tolerance = 1e-6;  ///< of overlaps, m, as in MAD-X
  static constexpr double no_gap = 1e-9;     ///< m: rounding

  MadxPart part(const MadxPlaced& at) {
    return {model_, values_, options_, at.name, at.at, at.element.get(), at.length};
  }

  /// Takes the places and lengths that elements had at USE, of the same elements.
  void take_places_of_use() {
    const auto& known = model_.places;
    if (!std::ranges::equal(known, placed_, {}, &MadxPlacedAtUse::name, &MadxPlaced::name)) return;
    bool is_same = true;
    for (std::size_t i = 0; i < known.size(); ++i) {
      MadxPlaced& at = placed_[i];
      if (is_same && (at.entry != known[i].entry || at.length != known[i].length))
        remarks_.insert("lengths and places are those at USE, as in MAD-X: '" + at.name +
                        "' has changed since, and needs another USE");
      is_same = is_same && at.entry == known[i].entry && at.length == known[i].length;
      at.entry = known[i].entry;
      at.length = known[i].length;
    }
    if (model_.line(name_) && !known.empty()) length_ = known.back().entry + known.back().length;
  }

  /// Errors since the USE of the sequence, and permanent displacements.
  void find_errors() {
    if (const auto set = model_.errors.find(name_);
        set != model_.errors.end() && !set->second.elements.empty()) {
      if (!std::ranges::equal(set->second.elements, placed_, {}, &MadxPlaced::name,
                              &MadxPlaced::name))
        refuse_madx(placed_.empty() ? MadxPlace{} : placed_[0].at,
                    "'" + name_ + "' has other elements than when its errors were set", {},
                    "write USE and the errors after the changes");
      errors_ = set->second.errors;
    }
    for (std::size_t i = 0; i < placed_.size(); ++i)
      if (placed_[i].alignment) add_alignment(errors_[i].alignment, *placed_[i].alignment);
  }
  void add_alignment(beam::Misalignment& to, const MadxAttributes& given) {
    for (const auto& [name, value] : given) {
      const double by = values_(value.first());
      if (name == "dx") to.dx += by;
      if (name == "dy") to.dy += by;
      if (name == "ds") to.dz += by;
      if (name == "dpsi") to.tilt += by;
      if ((name == "dtheta" || name == "dphi") && by != 0.)
        refuse_madx(value.at, "rotations around x and y are not supported", {},
                    "dx, dy, ds and dpsi are");
    }
  }

  /// A range from the end of the sequence begins at its start, and one to the start ends at the
  /// end.
  static std::string within_turn(std::string range) {
    const auto slash = std::min(range.find('/'), range.size());
    std::string first = range.substr(0, slash), last = range.substr(slash);
    for (std::string* end : {&first, &last})
      for (const auto& [word, sign] : {std::pair("$start", "#s"), std::pair("$end", "#e")})
        if (end->ends_with(word)) *end = std::string(end == &last ? "/" : "") + sign;
    range = first + last;
    if (range == "#e/#s" || range == "#e/#e") return "#e";
    if (range.starts_with("#e/")) return "#s" + range.substr(2);
    if (range.ends_with("/#s") && !range.starts_with("#s"))
      return range.substr(0, range.size() - 2) + "#e";
    return range;
  }

  // Elements

  void append(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      append(i);
      ends_[i] = line_.size();
    }
  }
  void append(std::size_t i) {
    const MadxPlaced& at = placed_[i];
    drift_to(at.entry, &at);
    end_ += at.length;
    last_ = &at;
    static const MadxElementErrors none;
    const auto found = errors_.find(i);
    const MadxElementErrors& errors = found == errors_.end() ? none : found->second;
    const MadxPart element = part(at);
    const auto apertures = apertures_of(element, errors);
    limit(at, apertures);
    try {
      beam::ElementKind kind = make_madx_element(
          element, errors,
          {beam_, length_, at.entry - start_ + 0.5 * at.length, is_accelerated_, direction_});
      remark_idle(element);
      remark_field(element, errors);
      is_accelerated_ = is_accelerated_ || element.type() == "lcavity";
      check(element, kind);
      line_.push_back({at.name, std::move(kind)});
    } catch (const InputError&) {
      if (!options_.skip_unknown) throw;
      ++drifts_[element.type()];
      line_.push_back({at.name, make_madx_drift(at.length, options_)});
    }
    if (at.length > 0.) limit(at, apertures);
  }
  void remark_idle(const MadxPart& element) {
    const MadxType& type = *madx_type(element.type());
    const MadxAttributes* given = element.attributes();
    if (!given) return;
    for (const auto& [name, value] : *given)
      if (type.is_idle(name))
        for (const double number : values_.list(value))
          if (number != 0.)
            remarks_.insert("'" + name + "' of '" + element.name() +
                            "' has no effect, as in MAD-X");
  }
  /// Remarks on fields and errors that act in thick elements but not in those of MAD-X, or in
  /// neither.
  void remark_field(const MadxPart& element, const MadxElementErrors& errors) {
    const std::string type = element.type();
    const bool is_kicker = type.ends_with("kicker"), is_bend = type.ends_with("bend");
    const bool is_magnet =
        is_bend || type == "quadrupole" || type == "sextupole" || type == "octupole";
    if (!is_kicker && !is_magnet) return;
    const int main = type == "octupole" ? 3 : type == "sextupole" ? 2 : is_kicker ? 0 : 1;
    for (const auto* all : {&errors.normal, &errors.skew})
      for (int n = is_bend ? 2 : 0; n < int(all->size()); ++n)
        if ((*all)[std::size_t(n)] != 0. && n != main)
          remarks_.insert(is_kicker ? "field errors of kickers have no effect beyond the dipole, "
                                      "as in MAD-X"
                                    : "field errors of all orders act in thick magnets, while "
                                      "MAD-X waits for MAKETHIN with those of other orders than "
                                      "the magnet's");
    for (const char* name : {"knl", "ksl"})
      if (is_magnet && !madx_type(type)->is_idle(name))
        for (const double number : element.list(name))
          if (number != 0.)
            remarks_.insert("'" + std::string(name) + "' of '" + element.name() +
                            "' acts, while TRACK and TWISS of MAD-X leave it out of thick magnets");
  }
  /// Those that are unknown are left out where unknown elements are.
  std::vector<beam::Collimator> apertures_of(const MadxPart& element,
                                             const MadxElementErrors& errors) {
    if (!options_.apertures) return {};
    try {
      auto apertures = madx_apertures(element, errors);
      for (const beam::Collimator& aperture : apertures) check(element, aperture);
      return apertures;
    } catch (const InputError&) {
      if (!options_.skip_unknown) throw;
      ++drifts_["aperture"];
      return {};
    }
  }
  static void check(const MadxPart& element, const beam::ElementKind& kind) {
    try {
      beam::check_element({element.name(), kind});
    } catch (const UsageError& error) {
      element.refuse_element(error.what());
    }
  }
  void limit(const MadxPlaced& at, const std::vector<beam::Collimator>& apertures) {
    for (const beam::Collimator& aperture : apertures)
      line_.push_back({at.name + ".aperture", aperture});
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
  std::vector<std::size_t> ends_;
  std::map<std::size_t, MadxElementErrors> errors_;
  std::optional<MadxBeam> beam_;
  double length_ = 0., start_ = 0., end_ = 0.;  ///< m, along the whole sequence
  double direction_ = 1.;                       ///< BV of the beam
  bool is_accelerated_ = false;                 ///< behind an LCAVITY
  const MadxPlaced* last_ = nullptr;
  int n_drifts_ = 0;
  beam::BeamLine line_;
  std::map<std::string, int> drifts_;
  std::set<std::string> remarks_;
};

}  // namespace trackplex::io::detail
