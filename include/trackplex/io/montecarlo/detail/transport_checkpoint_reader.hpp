// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/shortest.hpp>
#include <trackplex/io/montecarlo/detail/transport_checkpoint_writer.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace trackplex::io::detail {

/// Reads the JSON form of a checkpoint.
class TransportCheckpointReader {
 public:
  TransportCheckpointReader(std::string_view text, std::string name)
      : name_(std::move(name)), document_(parse_json(text, name_)) {}

  TransportCheckpoint read() const {
    const Json& root = as_object(document_, place({}));
    if (text(root, "format", "") != checkpoint_format)
      throw InputError({name_, "format"}, "is not \"" + std::string(checkpoint_format) + "\"", {},
                       "is this another kind of file?");
    if (integer<int>(root, "version", "") != checkpoint_version)
      throw InputError({name_, "version"}, "is not known",
                       "this program reads " + std::to_string(checkpoint_version));
    TransportCheckpoint checkpoint;
    read_description(object(root, "simulation", ""), checkpoint.description);
    read_counts(object(root, "counts", ""), checkpoint.counts);
    check_sums(checkpoint);
    return checkpoint;
  }

 private:
  FieldPlace place(std::string field) const { return {name_, std::move(field)}; }
  static std::string path_of(const std::string& in, const char* key) {
    return in.empty() ? key : in + "." + key;
  }
  const Json& field(const Json& in, const char* key, const std::string& where) const {
    return member(in, key, place(where));
  }
  const Json& object(const Json& in, const char* key, const std::string& where) const {
    return as_object(field(in, key, where), place(path_of(where, key)));
  }
  const Json& array(const Json& in, const char* key, const std::string& where) const {
    return as_array(field(in, key, where), place(path_of(where, key)));
  }
  double real(const Json& in, const char* key, const std::string& where) const {
    return as_number(field(in, key, where), place(path_of(where, key)));
  }
  std::string text(const Json& in, const char* key, const std::string& where) const {
    const Json& value = field(in, key, where);
    if (!value.is_string()) throw_wrong_type(value, place(path_of(where, key)), "a text");
    return value.get<std::string>();
  }
  template <class Integer>
  Integer integer(const Json& in, const char* key, const std::string& where) const {
    return integer_of<Integer>(field(in, key, where), path_of(where, key));
  }
  /// A number or decimal digits.
  template <class Integer>
  Integer integer_of(const Json& value, const std::string& where) const {
    std::string digits;
    if (value.is_string()) {
      digits = value.get<std::string>();
    } else if (value.is_number_integer()) {
      digits = value.dump();
    } else {
      throw_wrong_type(value, place(where), "an integer, or its digits as a text");
    }
    Integer result{};
    const char* const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, result);
    if (error != std::errc() || end != last)
      throw InputError({name_, where},
                       "'" + digits.substr(0, 40) + "' is out of range or no integer");
    return result;
  }
  template <class Integer>
  std::pair<Integer, std::uint64_t> pair_of(const Json& value, const std::string& where) const {
    if (as_array(value, place(where)).size() != 2)
      throw InputError({name_, where}, "has " + std::to_string(value.size()) + " numbers, not 2");
    return {integer_of<Integer>(value[0], where), integer_of<std::uint64_t>(value[1], where)};
  }
  static std::string element(const std::string& of, std::size_t index) {
    return of + "[" + std::to_string(index) + "]";
  }

  void read_description(const Json& in, montecarlo::TransportDescription& d) const {
    const std::string here = "simulation", of_material = "simulation.material";
    const Json& material = object(in, "material", here);
    d.material = {text(material, "name", of_material), real(material, "b_c_per_mm", of_material),
                  real(material, "chi_cc_square_MeV2_per_mm", of_material)};
    d.scattering = {real(in, "screening", here), real(in, "mean_free_path_mm", here),
                    real(in, "kinetic_energy_MeV", here)};
    d.limit = real(in, "limit_mean_free_paths", here);
    d.seed = integer<std::uint64_t>(in, "seed", here);
    d.precision = text(in, "precision", here);
    d.source = text(in, "source", here);
    const Json& list = array(in, "tallies", here);
    for (std::size_t i = 0; i < list.size(); ++i)
      d.tallies.push_back(read_tally(list[i], element("simulation.tallies", i)));
  }

  montecarlo::TallyDescription read_tally(const Json& in, const std::string& here) const {
    as_object(in, place(here));
    montecarlo::TallyDescription tally{text(in, "name", here), {}, integer<int>(in, "cells", here)};
    if (tally.cells < 0) throw InputError({name_, here + ".cells"}, "is below 0");
    const Json& axes = array(in, "axes", here);
    double cells = 1.;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const std::string axis = element(here + ".axes", i);
      as_object(axes[i], place(axis));
      tally.axes.push_back({text(axes[i], "quantity", axis),
                            {real(axes[i], "low", axis), real(axes[i], "high", axis),
                             integer<int>(axes[i], "bins", axis)}});
      const auto& range = tally.axes.back().range;
      if (!(range.low < range.high) || range.bins < 1)
        throw InputError({name_, axis}, "is empty", "no bins, or high is not above low");
      cells *= range.bins + 2.;
    }
    if (!axes.empty() && cells != tally.cells)
      throw InputError({name_, here + ".cells"}, "is " + std::to_string(tally.cells),
                       "the axes have " + shortest(cells) + ", with those below and beyond");
    return tally;
  }

  void read_counts(const Json& in, montecarlo::TransportCounts& counts) const {
    const Json& ranges = array(in, "histories", "counts");
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const std::string where = element("counts.histories", i);
      const auto [begin, end] = pair_of<std::uint64_t>(ranges[i], where);
      if (end < begin || counts.histories.overlaps({begin, end}))
        throw InputError({name_, where}, "ends before it begins, or counts histories twice");
      counts.histories.add({begin, end});
    }
    const Json& moments = object(in, "moments", "counts");
    counts.moments.histories = integer<std::uint64_t>(moments, "histories", "counts.moments");
    counts.moments.skipped = integer<std::uint64_t>(moments, "left_out", "counts.moments");
    const Json& sums = array(moments, "sums", "counts.moments");
    if (sums.size() != montecarlo::n_moments)
      throw InputError({name_, "counts.moments.sums"}, "has " + std::to_string(sums.size()) +
                                                           " sums, not " +
                                                           std::to_string(montecarlo::n_moments));
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::string where = element("counts.moments.sums", i);
      const auto [high, low] = pair_of<std::int64_t>(sums[i], where);
      if (low >> 32) throw InputError({name_, where}, "has a low part of more than 32 bits");
      counts.moments.sums[i] = {high, low};
    }
    counts.lane_steps = integer<std::uint64_t>(in, "lane_steps", "counts");
    const Json& cells = array(in, "cells", "counts");
    for (std::size_t i = 0; i < cells.size(); ++i)
      counts.cells.push_back(integer_of<std::uint64_t>(cells[i], element("counts.cells", i)));
  }

  /// That the parts belong together.
  void check_sums(const TransportCheckpoint& checkpoint) const {
    const auto& counts = checkpoint.counts;
    if (counts.moments.histories > counts.histories.size() ||
        counts.moments.skipped != counts.histories.size() - counts.moments.histories)
      throw InputError({name_, "counts.moments.histories"}, "is not the number of histories",
                       "the ranges hold " + std::to_string(counts.histories.size()));
    std::size_t cells = 0;
    for (const auto& tally : checkpoint.description.tallies) cells += std::size_t(tally.cells);
    if (cells != counts.cells.size())
      throw InputError({name_, "counts.cells"},
                       "has " + std::to_string(counts.cells.size()) + " numbers",
                       "the tallies have " + std::to_string(cells) + " cells");
    check_cells(checkpoint);
    check_moments(counts.moments);
    using montecarlo::Moment;
    const double steps =
        counts.moments.sums[int(Moment::scatterings)].value() + double(counts.moments.histories);
    if (steps > double(counts.lane_steps) * (1. + moment_rounding))
      throw InputError({name_, "counts.lane_steps"}, "is less than the steps of the histories",
                       "these are " + shortest(steps));
  }

  /// Every history is in one cell of each tally with axes, and in at most one of a user's own.
  void check_cells(const TransportCheckpoint& checkpoint) const {
    const std::uint64_t histories = checkpoint.counts.histories.size();
    std::size_t cell = 0;
    for (std::size_t t = 0; t < checkpoint.description.tallies.size(); ++t) {
      const auto& tally = checkpoint.description.tallies[t];
      std::uint64_t left = histories;
      for (const std::size_t end = cell + std::size_t(tally.cells); cell < end; ++cell) {
        const std::uint64_t count = checkpoint.counts.cells[cell];
        if (count > left)
          throw InputError({name_, "counts.cells", cell},
                           "tally " + std::to_string(t) + " has more counts than histories",
                           "there are " + std::to_string(histories));
        left -= count;
      }
      if (left > 0 && !tally.axes.empty())
        throw InputError({name_, "counts.cells"},
                         "tally " + std::to_string(t) + " has " + std::to_string(left) +
                             " counts less than histories",
                         "there are " + std::to_string(histories));
    }
  }

  /// Of means, which doubles hold to 15 digits or so.
  static constexpr double moment_rounding = 1e-9;

  /// That the means can be those of that many histories.
  void check_moments(const montecarlo::MomentSums& moments) const {
    using montecarlo::Moment;
    const auto refuse = [&](Moment moment, const std::string& problem) {
      throw InputError({name_, "counts.moments.sums", std::size_t(moment)}, problem,
                       "of " + std::to_string(moments.histories) + " histories");
    };
    for (int i = 0; moments.histories == 0 && i < montecarlo::n_moments; ++i)
      if (moments.sums[i] != montecarlo::LargeSum()) refuse(Moment(i), "is not 0");
    for (const auto& [moment, low, high] : moment_ranges)
      if (const double mean = moments.mean(moment);
          mean < low - moment_rounding || mean > high * (1. + moment_rounding))
        refuse(moment, "gives a mean of " + shortest(mean));
    for (const auto& [of, of_square] : moments_and_squares) {
      const double mean = moments.mean(of), mean_square = moments.mean(of_square);
      if (mean * mean > mean_square * (1. + moment_rounding) + moment_rounding)
        refuse(of_square, "gives a mean of " + shortest(mean_square) + ", below the square of " +
                              shortest(mean));
    }
  }

  struct MomentRange {
    montecarlo::Moment moment;
    double low, high;  ///< of the mean
  };
  /// A cosine is one but for the rounding of directions; scatterings have no limit.
  static constexpr double most = montecarlo::max_limits, most2 = most * most, cosine = 1.01,
                          all = std::numeric_limits<double>::max() / 2;
  static constexpr std::array<MomentRange, montecarlo::n_moments> moment_ranges = {{
      {montecarlo::Moment::z, -most, most},
      {montecarlo::Moment::z2, 0., most2},
      {montecarlo::Moment::z4, 0., most2* most2},
      {montecarlo::Moment::r2, 0., most2},
      {montecarlo::Moment::r4, 0., most2* most2},
      {montecarlo::Moment::cosine, -cosine, cosine},
      {montecarlo::Moment::cosine2, 0., cosine},
      {montecarlo::Moment::cosine4, 0., cosine},
      {montecarlo::Moment::scatterings, 0., all},
      {montecarlo::Moment::scatterings2, 0., all},
  }};
  static constexpr std::array<std::pair<montecarlo::Moment, montecarlo::Moment>, 6>
      moments_and_squares = {{
          {montecarlo::Moment::z, montecarlo::Moment::z2},
          {montecarlo::Moment::z2, montecarlo::Moment::z4},
          {montecarlo::Moment::r2, montecarlo::Moment::r4},
          {montecarlo::Moment::cosine, montecarlo::Moment::cosine2},
          {montecarlo::Moment::cosine2, montecarlo::Moment::cosine4},
          {montecarlo::Moment::scatterings, montecarlo::Moment::scatterings2},
      }};

  std::string name_;
  Json document_;
};

/// Throws InputError with the first difference between what a file holds and what is wanted.
inline void check_same_simulation(const montecarlo::TransportDescription& held,
                                  const montecarlo::TransportDescription& wanted,
                                  const std::string& file) {
  const auto compare = [&file](const Json& a, const Json& b, const std::string& field) {
    if (a != b)
      throw InputError({file, "simulation." + field}, "is of another simulation",
                       a.dump() + " instead of " + b.dump(),
                       "take a new file, or the options that it was made with");
  };
  const Json a = description_json(held), b = description_json(wanted);
  for (const auto& [key, value] : b.items())
    if (key != "tallies") compare(a.at(key), value, key);
  compare(a.at("tallies"), b.at("tallies"), "tallies");
}

}  // namespace trackplex::io::detail
