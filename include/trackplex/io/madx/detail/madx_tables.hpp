// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compatibility.hpp>
#include <trackplex/io/madx/detail/madx_optics.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <exception>
#include <mutex>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

/// @file
/// Tables of TWISS.

namespace trackplex::io::detail {

/// Value that is computed when it is asked for first, as is an error.
template <class Value>
class MadxLazy {
 public:
  template <class Compute>
  const Value& operator()(const Compute& compute) const {
    std::call_once(once_, [&] {
      try {
        value_.emplace(compute());
      } catch (...) {
        error_ = std::current_exception();
      }
    });
    if (error_) std::rethrow_exception(error_);
    return *value_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::optional<Value> value_;
  mutable std::exception_ptr error_;
};

/// Place of a table: the end of an element.
struct MadxTableRow {
  const beam::Optics& at;
  const beam::TransferMap::Vector& orbit;
  double p0, length;
};

/// Column of a table.
template <class Row>
struct MadxColumn {
  std::string_view name;
  double (*value)(const Row&);
};

/// Columns of twiss. Coupled planes have the beta functions of D. A. Edwards and L. C. Teng, IEEE
/// Trans. Nucl. Sci. 20 (1973) 885: those of a mode in its own plane over its share of the area.
inline constexpr MadxColumn<MadxTableRow> madx_twiss_columns[] = {
    {"s", [](const MadxTableRow& v) { return v.at.position; }},
    {"l", [](const MadxTableRow& v) { return v.length; }},
    {"betx", [](const MadxTableRow& v) { return v.at.x.beta / (1. - v.at.first_in_y.area()); }},
    {"alfx", [](const MadxTableRow& v) { return v.at.x.alpha / (1. - v.at.first_in_y.area()); }},
    {"mux", [](const MadxTableRow& v) { return v.at.phase_x * (0.5 * std::numbers::inv_pi); }},
    {"bety", [](const MadxTableRow& v) { return v.at.y.beta / (1. - v.at.second_in_x.area()); }},
    {"alfy", [](const MadxTableRow& v) { return v.at.y.alpha / (1. - v.at.second_in_x.area()); }},
    {"muy", [](const MadxTableRow& v) { return v.at.phase_y * (0.5 * std::numbers::inv_pi); }},
    {"x", [](const MadxTableRow& v) { return v.orbit[beam::x]; }},
    {"px", [](const MadxTableRow& v) { return momentum_along(v.orbit) * v.orbit[beam::xp]; }},
    {"y", [](const MadxTableRow& v) { return v.orbit[beam::y]; }},
    {"py", [](const MadxTableRow& v) { return momentum_along(v.orbit) * v.orbit[beam::yp]; }},
    {"pt", [](const MadxTableRow& v) { return madx_energy(v.orbit[beam::delta], v.p0); }},
    {"dx", [](const MadxTableRow& v) { return v.at.dispersion[0]; }},
    {"dpx", [](const MadxTableRow& v) { return v.at.dispersion[1]; }},
    {"dy", [](const MadxTableRow& v) { return v.at.dispersion[2]; }},
    {"dpy", [](const MadxTableRow& v) { return v.at.dispersion[3]; }},
};

/// Tables of a TWISS, for the definitions that there were.
class MadxTwissTables : public MadxTables {
 public:
  MadxTwissTables(MadxModel model, MadxOptions options, MadxTwiss asked)
      : model_(std::move(model)), options_(std::move(options)), asked_(std::move(asked)) {}

  double value(const MadxStep& step) const override {
    return step.words[0] == "summ" ? of_summ(step) : of_twiss(step);
  }
  void prepare() const override {
    try {
      found();
    } catch (const Error&) {  // again where a value is asked for
    }
  }

 private:
  const MadxOptics& found() const {
    trackplex::detail::require_kokkos("values of tables");  // each time: it may start later
    return found_([this] {
      if (!asked_.problem.empty())
        refuse_madx(asked_.problem_at, "TWISS makes no tables: " + asked_.problem, {}, asked_.help);
      try {
        MadxOptics found = MadxOpticsFinder(model_, options_, asked_).find();
        model_ = {};
        return found;
      } catch (const UsageError& error) {
        refuse_madx(asked_.at,
                    "TWISS of '" + asked_.sequence + "' makes no tables: " + error.what());
      }
    });
  }

  // Table twiss

  double of_twiss(const MadxStep& step) const {
    if (step.words.size() != 3 || is_number(step.words[2]))
      refuse_madx(step.at, "'" + step.shown_table() + "' has no value",
                  "a value of this table belongs to an element",
                  "write table(" + step.words[0] + ", element, column)");
    const auto& column = column_of<MadxTableRow>(madx_twiss_columns, step, step.words[2]);
    const MadxOptics& optics = found();
    const auto [index, length] = place_of(optics, step);
    return column.value({optics.about.optics[index], optics.about.orbit[index], optics.p0, length});
  }
  static bool is_number(std::string_view word) {
    return !word.empty() && is_lattice_digit(word[0]);
  }

  /// Index of the end of an element, and its length.
  std::pair<std::size_t, double> place_of(const MadxOptics& optics, const MadxStep& step) const {
    const std::string& name = step.words[1];
    check_name(step, name);
    const MadxNodeName wanted(name);
    for (std::size_t i = 0; i < optics.placed.size(); ++i) {
      const MadxPlaced& element = optics.placed[i];
      if (element.name == wanted.name && element.occurrence == wanted.occurrence &&
          optics.ends[i] != MadxExpander::not_there)
        return {optics.ends[i], element.length};
    }
    const bool is_whole =
        std::ranges::find(optics.ends, MadxExpander::not_there) == optics.ends.end();
    if (is_whole && name == asked_.sequence + "$start") return {0, 0.};
    if (is_whole && name == asked_.sequence + "$end") return {optics.about.optics.size() - 1, 0.};
    std::vector<std::string_view> names;
    for (const MadxPlaced& element : optics.placed) names.push_back(element.name);
    refuse_madx(step.at,
                "'" + step.shown_table() + "': there is no '" + name + "' in '" + asked_.sequence +
                    "' as TWISS had it",
                {}, closest_name(wanted.name, names, "name[n] is the n-th one of that name"));
  }
  void check_name(const MadxStep& step, const std::string& name) const {
    const auto open = name.find('[');
    int n = 0;
    const char *begin = name.data() + open + 1, *end = name.data() + name.size() - 1;
    const bool is_good =
        name.find(':') == name.npos && name.find('#') == name.npos &&
        (open == name.npos ||
         (name.back() == ']' && std::from_chars(begin, end, n) == std::from_chars_result{end, {}}));
    if (!is_good)
      refuse_madx(step.at, "'" + step.shown_table() + "': MAD-X finds no '" + name + "'", {},
                  "name[n] is the n-th element of a name, " + asked_.sequence + "$start and " +
                      asked_.sequence + "$end are the start and the end");
  }

  template <class Row>
  static const MadxColumn<Row>& column_of(std::span<const MadxColumn<Row>> columns,
                                          const MadxStep& step, const std::string& name) {
    std::string all;
    for (const MadxColumn<Row>& column : columns) {
      if (column.name == name) return column;
      all.append(all.empty() ? "" : ", ").append(column.name);
    }
    refuse_madx(step.at,
                "'" + step.shown_table() + "': the column '" + name + "' is not computed here", {},
                "those of " + step.words[0] + " are " + all);
  }

  // Table summ

  double of_summ(const MadxStep& step) const {
    if (step.words.size() != 2 && !(step.words.size() == 3 && step.words[2] == "1"))
      refuse_madx(step.at, "'" + step.shown_table() + "' has no value", "this table has one row",
                  "write table(summ, column)");
    const auto& column = column_of<MadxTwissTables>(summ_columns(), step, step.words[1]);
    found();
    if (asked_.is_line && is_of_rings(column.name))
      refuse_madx(step.at, "'" + step.shown_table() + "' has no value",
                  "TWISS has values at the start of a line", "leave them out for a ring");
    try {
      return column.value(*this);
    } catch (const UsageError& error) {
      refuse_madx(step.at, "'" + step.shown_table() + "' has no value: " + error.what());
    }
  }
  static bool is_of_rings(std::string_view column) {
    return column == "dq1" || column == "dq2" || column == "alfa" || column == "gammatr";
  }
  /// Largest magnitude of a column of twiss.
  double largest(std::string_view name) const {
    const auto column =
        std::ranges::find(madx_twiss_columns, name, &MadxColumn<MadxTableRow>::name);
    const MadxOptics& all = found();
    double most = 0.;
    for (std::size_t i = 0; i < all.about.optics.size(); ++i)
      most = std::max(
          most, std::abs(column->value({all.about.optics[i], all.about.orbit[i], all.p0, 0.})));
    return most;
  }
  const beam::Optics& end() const { return found().about.optics.back(); }
  double beta() const { return found().p0 / std::sqrt(1. + found().p0 * found().p0); }
  double compaction() const { return found().longer / end().position; }
  const beam::Chromaticity& chromaticity() const {
    return chromaticity_([this] {
      MadxOpticsFinder::Tracker tracker(HostExecutor(), found().line, found().p0);
      return beam::orbit_chromaticity(tracker);
    });
  }

  static constexpr double per_turn = 0.5 * std::numbers::inv_pi;
  static std::span<const MadxColumn<MadxTwissTables>> summ_columns() {
    static constexpr MadxColumn<MadxTwissTables> columns[] = {
        {"length", [](const MadxTwissTables& v) { return v.end().position; }},
        {"q1", [](const MadxTwissTables& v) { return v.end().phase_x * per_turn; }},
        {"q2", [](const MadxTwissTables& v) { return v.end().phase_y * per_turn; }},
        {"dq1", [](const MadxTwissTables& v) { return v.chromaticity().x / v.beta(); }},
        {"dq2", [](const MadxTwissTables& v) { return v.chromaticity().y / v.beta(); }},
        {"alfa", [](const MadxTwissTables& v) { return v.compaction(); }},
        {"gammatr",
         [](const MadxTwissTables& v) {
           const double alfa = v.compaction();
           if (alfa == 0.) throw UsageError("gammatr", "the path does not depend on the momentum");
           return std::copysign(1. / std::sqrt(std::abs(alfa)), alfa);
         }},
        {"betxmax", [](const MadxTwissTables& v) { return v.largest("betx"); }},
        {"betymax", [](const MadxTwissTables& v) { return v.largest("bety"); }},
        {"dxmax", [](const MadxTwissTables& v) { return v.largest("dx"); }},
        {"dymax", [](const MadxTwissTables& v) { return v.largest("dy"); }},
        {"xcomax", [](const MadxTwissTables& v) { return v.largest("x"); }},
        {"ycomax", [](const MadxTwissTables& v) { return v.largest("y"); }},
    };
    return columns;
  }

  mutable MadxModel model_;  ///< until the optics are computed
  MadxOptions options_;
  MadxTwiss asked_;
  MadxLazy<MadxOptics> found_;
  MadxLazy<beam::Chromaticity> chromaticity_;
};

}  // namespace trackplex::io::detail
