// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements.hpp>
#include <trackplex/beam/particle_table.hpp>
#include <trackplex/beam/twiss.hpp>
#include <trackplex/simulation/bunch_params.hpp>

#include <optional>
#include <string>

namespace beamline {

struct ProgramOptions;

/// Linear optics that the line repeats, and its number of betatron oscillations.
struct PeriodicLine {
  trackplex::beam::Optics start;
  double tune_x = 0., tune_y = 0.;
};

/// A line, and the bunch that enters it.
struct Input {
  std::string lattice;  ///< file, or empty: the built-in one
  std::string line_name;
  trackplex::beam::BeamLine line;
  double length = 0.;               ///< of the line, m
  double symplecticity_error = 0.;  ///< of the linear part of its Taylor map
  std::optional<PeriodicLine> periodic;
  std::string why_not_periodic;

  std::optional<trackplex::beam::ParticleTable> particles;  ///< of a file
  trackplex::simulation::BunchParams bunch;                 ///< else what to generate

  double p0() const { return particles ? particles->reference.p0 : bunch.p0; }
  double charge() const {
    return particles ? particles->particle_charge * particles->size() : bunch.charge;
  }
};

/// @throws InputError, UsageError
Input read_input(const ProgramOptions& options);

/// Writes what `read_input` reads, `lattice.lte` and `bunch.csv`, to the folder that the options
/// name. `particles`: those that were tracked.
void write_input(const ProgramOptions& options, const trackplex::beam::ParticleTable& particles);

bool has_space_charge(const trackplex::beam::Element& element);
bool has_space_charge(const trackplex::beam::BeamLine& line);

/// The number of the last drift with space charge, or of the last one of that name.
/// @throws UsageError if there is none
int space_charge_drift(const trackplex::beam::BeamLine& line, const std::string& name);

}  // namespace beamline
