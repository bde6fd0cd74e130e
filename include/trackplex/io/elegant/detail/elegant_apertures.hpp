// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/elegant/detail/elegant_rules.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// elegant's keywords of apertures.

namespace trackplex::io::detail {

inline beam::Aperture::Open open_side_of(const ElementValues& v) {
  using Open = beam::Aperture::Open;
  const std::string side = upper_case(v.text("OPEN_SIDE"));
  for (const auto& [name, open] : {std::pair{"+X", Open::plus_x},
                                   {"-X", Open::minus_x},
                                   {"+Y", Open::plus_y},
                                   {"-Y", Open::minus_y},
                                   {"", Open::none}})
    if (side == name) return open;
  v.refuse("OPEN_SIDE", "it is +x, -x, +y or -y");
}

inline int exponent_of(const ElementValues& v, std::string_view name) {
  const int exponent = v.integer(name);
  v.require(exponent >= 2 && exponent % 2 == 0, name, "it must be even and above 0");
  return exponent;
}

inline beam::Aperture aperture_of(const ElementValues& v, bool is_ellipse) {
  beam::Aperture aperture{.x_max = limit_of(v, "X_MAX"), .y_max = limit_of(v, "Y_MAX")};
  aperture.open = open_side_of(v);
  if (!is_ellipse) return aperture;
  aperture.shape = beam::Aperture::Shape::ellipse;
  aperture.x_exponent = exponent_of(v, "EXPONENT");
  aperture.y_exponent = v("YEXPONENT") == 0. ? aperture.x_exponent : exponent_of(v, "YEXPONENT");
  return aperture;
}

inline beam::ElementKind make_collimator(const ElementValues& v, bool is_ellipse) {
  beam::Aperture aperture = aperture_of(v, is_ellipse);
  aperture.dx = v("DX");
  aperture.dy = v("DY");
  aperture.is_inverted = v.flag("INVERT");
  return beam::Collimator{v("L"), aperture};
}

inline beam::ElementKind make_scraper(const ElementValues& v) {
  using From = beam::Scraper::From;
  static const std::vector<std::pair<std::string, From>> sides = {
      {"+X", From::plus_x},  {"+Y", From::plus_y}, {"-X", From::minus_x},
      {"-Y", From::minus_y}, {"X", From::both_x},  {"Y", From::both_y}};
  beam::Scraper scraper{v("L"), From::none, v("POSITION"), v("DX"), v("DY")};
  const std::string given = upper_case(v.text("INSERT_FROM"));
  if (!given.empty()) {
    for (const auto& [name, from] : sides)
      if (given == name) scraper.from = from;
    v.require(scraper.from != From::none, "INSERT_FROM", "it is +x, -x, x, +y, -y or y");
  } else if (const int direction = v.integer("DIRECTION"); direction >= 0) {
    v.require(direction < 4, "DIRECTION", "it is 0 to 3 for +x, +y, -x, -y");
    scraper.from = sides[std::size_t(direction)].second;
  }
  return scraper;
}

inline beam::ElementKind make_max_amplitude(const ElementValues& v) {
  return beam::MaxAmplitude{aperture_of(v, v.flag("ELLIPTICAL"))};
}

inline std::vector<ElementRule> aperture_rules() {
  using enum ParameterKind;
  using Values = const ElementValues&;
  const std::vector<ParameterRule> collimator = {
      {"L", 0., not_negative}, {"X_MAX"}, {"Y_MAX"}, {"DX"}, {"DY"}, {"INVERT", 0., flag},
      {"OPEN_SIDE", 0., text}};
  std::vector<ParameterRule> elliptic = collimator;
  elliptic.insert(elliptic.end(), {{"EXPONENT", 2., integer}, {"YEXPONENT", 0., integer}});
  return {{"RCOL", "RCOLLIMATOR", collimator, [](Values v) { return make_collimator(v, false); }},
          {"ECOL", "ECOLLIMATOR", elliptic, [](Values v) { return make_collimator(v, true); }},
          {"SCRAPER",
           "",
           {{"L", 0., not_negative},
            {"POSITION"},
            {"DX"},
            {"DY"},
            {"INSERT_FROM", 0., text},
            {"DIRECTION", -1., integer},
            {"XO", 0., fixed},
            {"Z", 0., fixed},
            {"A", 0., fixed},
            {"RHO", 0., fixed},
            {"ENERGY_DECAY", 0., fixed},
            {"ENERGY_STRAGGLE", 0., fixed},
            {"NUCLEAR_BREMSSTRAHLUNG", 0., fixed},
            {"ELECTRON_RECOIL", 0., fixed}},
           make_scraper},
          {"MAXAMP",
           "",
           {{"X_MAX"},
            {"Y_MAX"},
            {"ELLIPTICAL", 0., flag},
            {"EXPONENT", 2., integer},
            {"YEXPONENT", 0., integer},
            {"OPEN_SIDE", 0., text}},
           make_max_amplitude}};
}

}  // namespace trackplex::io::detail
