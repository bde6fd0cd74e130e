// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/detail/number_from_text.hpp>
#include <trackplex/io/detectors/cmssw_tracks.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

namespace detail {

/// The lines of a file of tracks.
class CmsswTrackReader {
 public:
  CmsswTrackReader(const std::string& name, CmsswLeftOut* left_out)
      : name_(name), left_out_(left_out) {}

  void read(std::string_view line, std::vector<CmsswTrack>& tracks) {
    ++line_;
    left_ = line;
    const auto word = take_word();
    if (word.empty()) return;
    is_possible_ = true;
    if (word == "simTrack") {
      CmsswTrack track;
      read_track(track);
      has_track_ = true;
      if (is_possible_)
        tracks.push_back(track);
      else
        ++left_out_->tracks;
      is_in_track_ = is_possible_;
    } else if (word == "recHit") {
      if (!has_track_) refuse("a hit before the first simTrack");
      CmsswHit hit;
      read_hit(hit);
      if (is_in_track_ && is_possible_)
        tracks.back().hits.push_back(hit);
      else if (is_in_track_)
        ++left_out_->hits;
    } else {
      refuse("a line begins with '" + std::string(word.substr(0, 40)) + "'",
             "it is to be simTrack or recHit");
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& why = {}) const {
    throw InputError({name_, "line " + std::to_string(line_)}, problem, why);
  }

  /// A line that follows the format, of a track or hit that does not exist.
  void impossible(const std::string& problem, const std::string& why = {}) {
    if (!left_out_) refuse(problem, why);
    is_possible_ = false;
  }

  std::string_view take_word() {
    left_.remove_prefix(std::min(left_.find_first_not_of(" \t\r"), left_.size()));
    const auto word = left_.substr(0, left_.find_first_of(" \t\r"));
    left_.remove_prefix(word.size());
    return word;
  }
  double take_number(const char* what) {
    const auto word = take_word();
    double value = 0.;
    const auto kind = number_from_text(word, value);
    const auto problem = [&] {
      return "'" + std::string(word.substr(0, 40)) + "' " + problem_of(kind);
    };
    if (kind != NumberText::number) refuse(problem(), what);
    if (!std::isfinite(value)) impossible(problem(), what);
    return value;
  }
  void take_numbers(std::span<double> values, const char* what) {
    for (double& value : values) value = take_number(what);
  }

  void read_track(CmsswTrack& track) {
    take_numbers(track.vertex, "vertex");
    take_numbers(track.momentum, "momentum");
    const double charge = take_number("charge");
    if (std::abs(charge) == 1.)
      track.charge = int(charge);
    else
      impossible("the charge is not 1 or -1", shortest(charge));
    if (!(hypot(track.momentum[0], track.momentum[1]) > 0.))
      impossible("the transverse momentum is 0");
  }
  void read_hit(CmsswHit& hit) {
    take_numbers(hit.position, "position");
    std::array<double, 6> c;  // xx xy yy yz zz xz
    take_numbers(c, "covariance");
    hit.covariance = {c[0], c[1], c[2], c[5], c[3], c[4]};
    if (!(c[0] >= 0. && c[2] >= 0. && c[4] >= 0.)) impossible("a variance is negative");
    for (int repeated = 0; repeated < 3; ++repeated) take_number("r, eta, phi");
    hit.radiation_lengths = take_number("radiation lengths");
    hit.xi = take_number("xi");
    if (hit.radiation_lengths < 0. || hit.xi < 0.)
      impossible("the thickness of the layer is negative");
  }

  const std::string& name_;
  CmsswLeftOut* left_out_;
  bool has_track_ = false, is_in_track_ = false;  ///< a track began; it is not left out
  bool is_possible_ = true;                       ///< what the line says
  std::string_view left_;
  std::size_t line_ = 0;
};

}  // namespace detail

TRACKPLEX_INLINE std::vector<CmsswTrack> parse_cmssw_tracks(std::string_view text,
                                                            const std::string& name,
                                                            CmsswLeftOut* left_out) {
  std::vector<CmsswTrack> tracks;
  detail::CmsswTrackReader reader(name, left_out);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    reader.read(text.substr(at, end - at), tracks);
    at = end + 1;
  }
  return tracks;
}

TRACKPLEX_INLINE std::vector<CmsswTrack> read_cmssw_tracks(const std::filesystem::path& path,
                                                           CmsswLeftOut* left_out) {
  return parse_cmssw_tracks(detail::read_plain_or_gzip(path), path.string(), left_out);
}

}  // namespace trackplex::io
