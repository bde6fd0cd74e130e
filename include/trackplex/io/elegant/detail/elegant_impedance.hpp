// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/impedance.hpp>
#include <trackplex/io/elegant/detail/elegant_columns.hpp>
#include <trackplex/io/elegant/detail/elegant_rules.hpp>

#include <cmath>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Impedances from elegant's parameters.

namespace trackplex::io::detail {

/// The impedance of a resonator. Bins are as short as elegant makes them where they are too long
/// for its frequency, and as many where they do not resolve its width.
inline beam::ImpedanceTable resonator_of(const ElementValues& v) {
  for (const auto curve : {"ZREAL", "ZIMAG"})
    v.require(!v.is_given(curve), curve, "BROAD_BAND is given, too");
  v.require(v("RA") == 0. || v("RS") == 0., "RA", "RS is given, too", "RA is twice RS");
  v.require(v("FREQ") > 0., "FREQ", "it must be above 0");
  v.require(v("BIN_SIZE") > 0., "BIN_SIZE", "it must be above 0");
  const double frequency = v("FREQ"), quality = v("Q");
  double size = v("BIN_SIZE"), bins = v("N_BINS");
  v.require(bins >= 4. && v.integer("N_BINS") % 2 == 0, "N_BINS",
            "an even number of 4 or more is needed");
  if (1. / (2. * frequency * size) < 10.) size = 1. / frequency / 20.;
  const auto power_above = [](double x) {
    int exponent;
    std::frexp(x, &exponent);  // x / 2^exponent is in [1/2, 1)
    return std::ldexp(1., exponent);
  };
  const double most = v("MAX_N_BINS") > 0. ? power_above(v("MAX_N_BINS")) : 0x1p20;
  const double factor = 200. / (bins * size * frequency / (quality < 1. ? quality : 1.));
  if (factor > 1.) {
    v.require(bins * factor <= 50. * most, "MAX_N_BINS",
              "so many bins do not resolve the resonance", "take more");
    bins = bins * factor > most ? most : power_above(bins * factor);
  }
  v.require(bins <= max_transform_length, "N_BINS", "there would be more than 2^20");
  const double shunt = v("RA") != 0. ? 0.5 * v("RA") : v("RS");
  return beam::resonator_impedance(shunt, quality, frequency, size, int(bins));
}

/// The impedance of files, of its real or imaginary part or both.
inline beam::ImpedanceTable impedance_of_files(const ElementValues& v) {
  v.require(v.is_given("ZREAL") || v.is_given("ZIMAG"), "ZREAL",
            "there is no impedance without BROAD_BAND=1 or a file");
  beam::ImpedanceTable table;
  double spacing = 0.;
  std::size_t points = 0;
  const auto read = [&](std::string_view name, std::vector<double>& part) {
    if (!v.is_given(name)) return;
    auto curve = curve_of(v, name);
    const auto& frequencies = curve[0];
    v.require(frequencies.size() > 2 && frequencies.front() == 0., name,
              "three frequencies or more are needed, from 0 on");
    const double step = frequencies.back() / double(frequencies.size() - 1);
    for (std::size_t i = 0; i < frequencies.size(); ++i)
      v.require(std::abs(frequencies[i] - double(i) * step) <= 1e-6 * step * double(i + 1), name,
                "the frequencies are not equally spaced");
    v.require(points == 0 || (points == frequencies.size() && spacing == frequencies[1]), name,
              "the frequencies are not those of ZREAL");
    spacing = frequencies[1];
    points = frequencies.size();
    part = std::move(curve[1]);
  };
  read("ZREAL", table.real);
  read("ZIMAG", table.imaginary);
  v.require(((points - 1) & (points - 2)) == 0, v.is_given("ZREAL") ? "ZREAL" : "ZIMAG",
            "the number of frequencies is not 2^n + 1");
  for (auto* part : {&table.real, &table.imaginary})
    if (part->empty()) part->assign(points, 0.);
  v.require(table.imaginary.front() == 0., "ZIMAG", "it must be 0 at the frequency 0");
  table.real.front() *= 2.;  // as in elegant
  table.real.back() *= 2.;
  table.imaginary.back() = 0.;
  table.bin_size = 1. / (double(2 * (points - 1)) * spacing);
  return table;
}

inline beam::ElementKind make_impedance(const ElementValues& v) {
  auto table = v.flag("BROAD_BAND") ? resonator_of(v) : impedance_of_files(v);
  const double begin = v("HIGH_FREQUENCY_CUTOFF0"), end = v("HIGH_FREQUENCY_CUTOFF1");
  for (std::size_t i = 1; begin > 0. && i + 1 < table.real.size(); ++i) {
    const double f = double(i) / double(table.real.size());
    const double weight = f < begin                 ? 1.
                          : f > end || end <= begin ? 0.
                                                    : 1. - (f - begin) / (end - begin);
    table.real[i] *= weight;
    table.imaginary[i] *= weight;
  }
  beam::LongitudinalImpedance impedance;
  impedance.table = std::make_shared<const beam::ImpedanceTable>(std::move(table));
  set_wake(impedance, v);
  impedance.first_turn = v.integer("START_ON_PASS");
  impedance.ramp_turns = v.integer("RAMP_PASSES");
  return impedance;
}

}  // namespace trackplex::io::detail
