// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/longitudinal_modes.hpp>
#include <trackplex/beam/collective/transverse_modes.hpp>
#include <trackplex/beam/elements/marker.hpp>
#include <trackplex/io/elegant/detail/elegant_rules.hpp>
#include <trackplex/io/sdds/sdds_file_reader.hpp>
#include <trackplex/io/sdds/wake_file.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Modes of cavities from elegant's parameters.

namespace trackplex::io::detail {

/// Sets the bins as elegant has them: none is longer than a tenth of the period of a mode.
template <class Modes>
void set_bins_of_modes(Modes& e, const ElementValues& v, bool in_whole_range) {
  v.require(v("BIN_SIZE") > 0., "BIN_SIZE", "it must be above 0");
  double size = v("BIN_SIZE"), bins = v("N_BINS");
  v.require(bins >= 2. && bins < 0x1p22, "N_BINS", "there are two bins at least, and below 2^22");
  for (const auto& mode : e.modes) {
    const double frequency = mode.resonator.frequency;
    if (!(size * frequency > 0.1)) continue;
    const double range = size * bins;
    size = 0.1 / frequency;
    bins = std::floor(range / size + (in_whole_range ? 1. : 0.));
    v.require(bins < 0x1p22, "N_BINS", "bins of a tenth of the period of its modes are too many",
              "take a shorter range");
    if (in_whole_range) size = range / bins;
  }
  e.bin_size = size;
  e.bins = int(bins);
}

/// Sets the parameters that all types of modes have.
template <class Modes>
void set_modes(Modes& e, const ElementValues& v) {
  e.turns.first_kick = v.integer("RIGID_UNTIL_PASS");
  e.turns.ramp = std::max(0, v.integer("RAMP_PASSES"));
  e.turns.earlier_only = v.flag("LONG_RANGE_ONLY");
  e.cavities = v("N_CAVITIES");
}

/// Resonance of RFMODE and TRFMODE.
inline beam::Resonator mode_resonator_of(const ElementValues& v) {
  v.require(v("RA") == 0. || v("RS") == 0., "RA", "RS is given, too", "RA is twice RS");
  v.require(v("FREQ") > 0., "FREQ", "it must be above 0");
  const beam::Resonator resonator{v("FREQ"), v("Q"), v("RA") != 0. ? 0.5 * v("RA") : v("RS"),
                                  v("BETA")};
  v.require(resonator.loaded_quality() > 0.5, "Q", "a mode rings if Q/(1 + BETA) is above 1/2",
            "take ZLONGIT or TRWAKE, which do not keep the voltage");
  return resonator;
}

inline beam::ElementKind make_longitudinal_mode(const ElementValues& v) {
  for (const auto waveform : {"FREQ_WAVEFORM", "Q_WAVEFORM"})
    v.require(!v.is_given(waveform), waveform, "modes that change in time are not done here",
              "leave it out");
  v.require(v("BUNCHED_BEAM_MODE") <= 1., "BUNCHED_BEAM_MODE", "there is one bunch",
            "track every bunch, or take 1");
  beam::LongitudinalModes e;
  e.modes.push_back({mode_resonator_of(v), v("INITIAL_V"), v("INITIAL_PHASE")});
  set_bins_of_modes(e, v, true);
  set_modes(e, v);
  e.interpolate = v.flag("INTERPOLATE");
  e.allow_outside = v.flag("ALLOW_UNBINNED_PARTICLES");
  e.turns.first = v.integer("DETUNED_UNTIL_PASS");
  e.turns.interval = v.integer("PASS_INTERVAL");
  v.require(e.turns.interval >= 1, "PASS_INTERVAL", "one pass is the least");
  e.turns.forget = v.flag("SINGLE_PASS");
  v.require(!(e.turns.forget && e.turns.earlier_only), "LONG_RANGE_ONLY",
            "SINGLE_PASS is given, too: nothing would act");
  e.initial_time = v("INITIAL_T");
  if (v.flag("PRELOAD"))
    e.preload_charge = v("PRELOAD_CHARGE") > 0. ? v("PRELOAD_CHARGE") : v("CHARGE");
  e.preload_factor = v("PRELOAD_FACTOR");
  e.preload_harmonic = std::max(0, v.integer("PRELOAD_HARMONIC"));
  e.charge = v("CHARGE");
  return e;
}

inline beam::ElementKind make_transverse_mode(const ElementValues& v) {
  const std::string plane = upper_case(v.text("PLANE"));
  v.require(plane.empty() || plane == "BOTH" || plane == "X" || plane == "Y", "PLANE",
            "it is x, y or both");
  beam::TransverseModes e;
  e.modes.push_back({mode_resonator_of(v), plane != "Y", plane != "X"});
  set_bins_of_modes(e, v, false);
  set_modes(e, v);
  e.interpolate = v.flag("INTERPOLATE");
  e.allow_outside = true;
  e.turns.forget = v.flag("SINGLE_PASS");
  v.require(!(e.turns.forget && e.turns.earlier_only), "LONG_RANGE_ONLY",
            "SINGLE_PASS is given, too: nothing would act");
  e.x_factor = v("XFACTOR");
  e.y_factor = v("YFACTOR");
  e.dx = v("DX");
  e.dy = v("DY");
  e.charge = v("CHARGE");
  return e;
}

/// Resonances of a file, each with the number of its row.
class ModeFile {
 public:
  explicit ModeFile(const std::filesystem::path& path) : reader_(path) {
    page_ = reader_->next();
    if (!page_) throw InputError({path.string()}, "the file has no page");
  }

  /// Returns a column, whose unit must be one of these, or none.
  std::vector<double> column(const std::string& name, const std::vector<std::string>& units) const {
    const auto& columns = page_->table.columns;
    const auto found = std::ranges::find(columns, name, &Column::name);
    if (found != columns.end() && !found->unit.empty() &&
        std::ranges::find(units, found->unit) == units.end())
      throw InputError({page_->table.file, "column " + name}, "its unit is none of a mode",
                       found->unit, "write " + (units.empty() ? "none" : units.back()));
    auto values = number_column(page_->table, name);
    for (const double value : values)
      if (!std::isfinite(value))
        throw InputError({page_->table.file, "column " + name}, "a value is not finite");
    return values;
  }
  /// Returns a column, or n equal values where the file does not have it.
  std::vector<double> column_or(const std::string& name, double value, std::size_t n) const {
    const auto& columns = page_->table.columns;
    if (std::ranges::find(columns, name, &Column::name) == columns.end())
      return std::vector<double>(n, value);
    return column(name, {});
  }

  /// Calls `add(resonator, row)` for the modes up to the cutoff of an element.
  template <class Add>
  void for_each(const ElementValues& v, const std::string& per, const Add& add) const {
    const auto frequency = column("Frequency", {"Hz"}), quality = column("Q", {});
    const auto shunt = column(v.flag("USE_SYMM_DATA") ? "ShuntImpedanceSymm" : "ShuntImpedance",
                              {"$gW$r" + per, "Ohms" + per, "Ohm" + per});
    const auto coupling = column_or("beta", 0., frequency.size());
    v.require(!frequency.empty(), "FILENAME", "it has no modes");
    for (std::size_t row = 0; row < frequency.size(); ++row) {
      if (v("CUTOFF") > 0. && frequency[row] > v("CUTOFF")) continue;
      const beam::Resonator resonator{frequency[row], quality[row], shunt[row], coupling[row]};
      v.require(frequency[row] > 0. && coupling[row] >= 0. && resonator.loaded_quality() > 0.5,
                "FILENAME", "mode " + std::to_string(row + 1) + " does not ring",
                "its frequency is above 0, beta is not negative, and Q/(1 + beta) is above 1/2");
      add(resonator, row);
    }
  }

 private:
  SddsFileReader reader_;
  std::optional<SddsPage> page_;
};

inline beam::ElementKind make_longitudinal_modes(const ElementValues& v) {
  v.require(v.is_given("FILENAME"), "FILENAME", "there are no modes without a file");
  beam::LongitudinalModes e;
  ModeFile(v.path("FILENAME")).for_each(v, "", [&](beam::Resonator resonator, std::size_t) {
    resonator.shunt *= v("FACTOR");
    e.modes.push_back({resonator});
  });
  if (e.modes.empty()) return beam::Marker{};
  set_bins_of_modes(e, v, true);
  set_modes(e, v);
  e.allow_outside = true;
  return e;
}

inline beam::ElementKind make_transverse_modes(const ElementValues& v) {
  v.require(v.is_given("FILENAME"), "FILENAME", "there are no modes without a file");
  beam::TransverseModes e;
  const ModeFile file(v.path("FILENAME"));
  const std::size_t n = file.column("Frequency", {"Hz"}).size();
  const auto in_x = file.column_or("xMode", 1., n), in_y = file.column_or("yMode", 1., n);
  file.for_each(v, "/m", [&](const beam::Resonator& resonator, std::size_t row) {
    e.modes.push_back({resonator, in_x[row] != 0., in_y[row] != 0.});
  });
  if (e.modes.empty()) return beam::Marker{};
  set_bins_of_modes(e, v, true);
  set_modes(e, v);
  e.allow_outside = true;
  e.x_factor = v("XFACTOR");
  e.y_factor = v("YFACTOR");
  e.dx = v("DX");
  e.dy = v("DY");
  return e;
}

/// Parameters that all types of modes have, and others.
inline std::vector<ParameterRule> mode_parameters(std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.insert(others.end(), {{"BIN_SIZE", 0., not_negative},
                               {"N_BINS", 20., integer},
                               {"RIGID_UNTIL_PASS", 0., integer},
                               {"RAMP_PASSES", 0., integer},
                               {"LONG_RANGE_ONLY", 0., flag},
                               {"N_CAVITIES", 1., integer},
                               {"RESET_FOR_EACH_STEP", 1., passive}});
  return others;
}

/// Parameters of RFMODE and TRFMODE, and others.
inline std::vector<ParameterRule> single_mode_parameters(std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.insert(others.begin(), {{"RA"},
                                 {"RS"},
                                 {"Q", 1., not_negative},
                                 {"FREQ", 0., not_negative},
                                 {"BETA", 0., not_negative},
                                 {"CHARGE", 0., not_negative},
                                 {"INTERPOLATE", 0., flag},
                                 {"SINGLE_PASS", 0., flag}});
  others.insert(others.end(), {{"BINLESS", 0., fixed, "give BIN_SIZE and N_BINS"},
                               {"RECORD", 0., passive},
                               {"SAMPLE_INTERVAL", 1., passive}});
  return mode_parameters(std::move(others));
}

/// Parameters of FRFMODE and FTRFMODE, and others.
inline std::vector<ParameterRule> mode_file_parameters(std::vector<ParameterRule> others) {
  using enum ParameterKind;
  others.insert(others.begin(), {{"FILENAME", 0., text}, {"USE_SYMM_DATA", 0., flag}, {"CUTOFF"}});
  others.insert(others.end(), {{"OUTPUT_FILE", 0., passive},
                               {"FLUSH_INTERVAL", 1., passive},
                               {"BUNCHED_BEAM_MODE", 1., passive}});
  return mode_parameters(std::move(others));
}

/// Parameters of RFMODE beyond those of TRFMODE; those of its generator do not act without a drive
/// frequency.
inline std::vector<ParameterRule> longitudinal_mode_parameters() {
  using enum ParameterKind;
  std::vector<ParameterRule> all = {
      {"INITIAL_V"},
      {"INITIAL_PHASE"},
      {"INITIAL_T"},
      {"PRELOAD", 0., flag},
      {"PRELOAD_CHARGE", 0., not_negative},
      {"PRELOAD_FACTOR", 1.},
      {"PRELOAD_HARMONIC", 0., integer},
      {"DETUNED_UNTIL_PASS", 0., integer},
      {"PASS_INTERVAL", 1., integer},
      {"ALLOW_UNBINNED_PARTICLES", 0., flag},
      {"FREQ_WAVEFORM", 0., text},
      {"Q_WAVEFORM", 0., text},
      {"BUNCHED_BEAM_MODE", 1., integer},
      {"DRIVE_FREQUENCY", 0., fixed, "take RFCA for the voltage of the generator"}};
  for (const char* name : {"FLUSH_INTERVAL",
                           "BUNCH_INTERVAL",
                           "V_SETPOINT",
                           "PHASE_SETPOINT",
                           "UPDATE_INTERVAL",
                           "READ_OFFSET",
                           "ADJUSTMENT_START",
                           "ADJUSTMENT_END",
                           "ADJUSTMENT_INTERVAL",
                           "ADJUSTMENT_FRACTION",
                           "AMPLITUDE_FILTER",
                           "PHASE_FILTER",
                           "IN_PHASE_FILTER",
                           "QUADRATURE_FILTER",
                           "FEEDBACK_RECORD",
                           "MUTE_GENERATOR",
                           "GENERATOR_FACTOR",
                           "NOISE_ALPHA_GEN",
                           "NOISE_PHI_GEN",
                           "NOISE_ALPHA_V",
                           "NOISE_PHI_V",
                           "NOISE_I_GEN",
                           "NOISE_Q_GEN",
                           "NOISE_I_V",
                           "NOISE_Q_V"})
    all.push_back({name, 0., passive});
  return single_mode_parameters(std::move(all));
}

inline std::vector<ElementRule> mode_rules() {
  using enum ParameterKind;
  return {{"RFMODE", "", longitudinal_mode_parameters(), make_longitudinal_mode},
          {"TRFMODE", "",
           single_mode_parameters({{"PLANE", 0., text},
                                   {"DX"},
                                   {"DY"},
                                   {"XFACTOR", 1.},
                                   {"YFACTOR", 1.},
                                   {"PER_PARTICLE_OUTPUT", 0., passive},
                                   {"BUNCHED_BEAM_MODE", 1., passive}}),
           make_transverse_mode},
          {"FRFMODE", "", mode_file_parameters({{"FACTOR", 1.}}), make_longitudinal_modes},
          {"FTRFMODE", "", mode_file_parameters({{"DX"}, {"DY"}, {"XFACTOR", 1.}, {"YFACTOR", 1.}}),
           make_transverse_modes}};
}

}  // namespace trackplex::io::detail
