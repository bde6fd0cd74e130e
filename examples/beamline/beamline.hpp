// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/run.hpp>
#include <common/timing.hpp>
#include <trackplex/beam/add_space_charge.hpp>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/bunch/spin_moments.hpp>
#include <trackplex/beam/collective/longitudinal_space_charge.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/optics/chromaticity.hpp>
#include <trackplex/beam/optics/match_optics.hpp>
#include <trackplex/beam/optics/radiation_integrals.hpp>
#include <trackplex/beam/optics/spin_axis.hpp>
#include <trackplex/beam/optics/synchrotron_motion.hpp>
#include <trackplex/beam/tracking_steps.hpp>
#include <trackplex/chain/step_arrays.hpp>
#include <trackplex/io/elegant/elegant_options.hpp>
#include <trackplex/io/pals/pals_lattice.hpp>
#include <trackplex/simulation/bunch_params.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io {
class MadxFile;
}

namespace beamline {

using namespace trackplex;

using Pair = std::pair<double, double>;  ///< of x and y, for example

/// About which particle optics are.
struct OpticsAbout {
  bool on_axis = false,      ///< that which starts on the axis, by Taylor maps
      closed_orbit = false;  ///< the closed orbit of tracked particles, also where nothing steers
  double delta = 0.;         ///< momentum of the closed orbit
  bool from_start = false;   ///< whether they begin with those of the bunch, also in a ring
  bool needs_ring = false;   ///< whether a line without a closed orbit is an error
  /// Tells whether it is always the closed orbit.
  bool is_closed_orbit() const { return closed_orbit || delta != 0.; }
};

/// Space charge along the whole line.
struct SpaceChargeOptions {
  std::string model = "off";
  int cells = 64;     ///< on each axis
  double step = 0.1;  ///< greatest length of a step, m
  bool kick_first = false;

  bool is_on() const { return model != "off"; }
  beam::SpaceChargeSteps steps() const;
};

/// Strengths that are searched for wanted optics.
struct MatchOptions {
  std::string file;  ///< with lines "vary ..." and "target ..."
  std::vector<std::string> vary, targets;

  bool is_on() const { return !(file.empty() && vary.empty() && targets.empty()); }
};

struct InputOptions {
  std::string lattice,               ///< file of elegant, MAD-X, PALS or Xsuite; empty: built in
      run_file,                      ///< of elegant, which names the lattice; or empty
      left_out;                      ///< what is not followed of it
  std::vector<std::string> remarks;  ///< of its reader
  std::string line;
  std::vector<std::string> strengths,  ///< files of MAD-X that are read behind
      variables;                       ///< name=value, see --set
  io::ElegantLatticeOptions reading;   ///< of elegant's lattices; skip_unknown and exact of all
  int slices = 0;                      ///< of magnets of other lattices; 0: as needed
  std::optional<double> momentum;      ///< else of the bunch's file, of the lattice's beam, or 200
  std::string written_lattice;         ///< file of PALS to write the line to; empty: none
  std::string bunch,                   ///< file; empty: generated
      iteration, species;              ///< of openPMD; empty: the only ones of the file
  std::optional<double> charge;        ///< C
  std::optional<simulation::BunchParams> of_run_file;
  simulation::BunchParams generated;  ///< else, but for what follows
  Pair emittance{1e-6, 1e-6}, modulation{0., 0.};
  std::optional<Pair> beta, alpha, dispersion, dispersion_slope;
  bool matched = false, flat = false;
  std::string spin;               ///< axis of all spins, x, y or z; empty: as in the file, or none
  std::optional<double> anomaly;  ///< magnetic moment, for spins; else that of the particles
  bool backwards = false;         ///< whether the line is passed from its end to its start
  OpticsAbout about;
  SpaceChargeOptions space_charge;
  MatchOptions match;
};

/// A line, and the bunch that enters it.
struct Input {
  std::string line_name;
  beam::BeamLine injection,  ///< passed once, before the turns
      line;
  std::string skipped,                       ///< types of elements without effect
      kept,                                  ///< elements that are the same backwards
      drifts,                                ///< types of those that became drifts
      undefined,                             ///< variables that have no value and count as 0
      passed_over;                           ///< commands of the file that compute or print
  std::vector<std::string> remarks;          ///< of the reader
  double lattice_momentum = 0.;              ///< of the lattice's beam; 0: it has none
  std::shared_ptr<const io::MadxFile> madx;  ///< the file of a sequence
  std::optional<beam::MatchResult> match;    ///< strengths that were found, if any were searched
  std::optional<io::PalsParticle> particle;  ///< of the lattice's beam; its species may be missing
  std::optional<double> lattice_anomaly;     ///< magnetic moment of the lattice's beam, if it tells
  std::string species_of_file;       ///< of the bunch's file, as openPMD spells it; or empty
  std::string species = "electron";  ///< of all particles; empty: it has no name in openPMD
  double line_p0 = 0.;               ///< momentum at its start
  double length = 0.;                ///< of the line, m
  /// Particle that optics are about: that on the axis, by Taylor maps, or one that is tracked.
  enum class Reference { axis, trajectory, closed_orbit } reference = Reference::axis;
  beam::TransferMap::Vector orbit{};                   ///< of that particle at the start
  double symplecticity_error = 0.;                     ///< of the linear map about it
  std::optional<beam::Optics> periodic;                ///< optics that the line repeats
  double tune_x = 0., tune_y = 0.;                     ///< of these
  std::optional<beam::SynchrotronMotion> synchrotron;  ///< of a ring
  std::string why_no_synchrotron;
  std::optional<beam::RadiationEquilibrium> radiation;  ///< of electrons in a flat ring
  beam::Chromaticity chromaticity;                      ///< of these, and momentum compaction
  std::optional<beam::SpinOptics> spin;                 ///< of a ring whose particles have spins
  std::string why_no_spin;                              ///< reason why a ring has none
  std::string why_not_periodic;

  std::optional<beam::ParticleTable> particles;  ///< of a file: the share of this rank
  std::int64_t n_particles = 0;                  ///< of the file
  simulation::BunchParams bunch;                 ///< else what to generate

  bool has_spins() const { return particles ? particles->has_spins : bunch.spin.has_value(); }
  double anomaly() const { return particles ? particles->anomaly : bunch.anomaly; }
  bool has_electrons() const { return species == "electron" || species == "positron"; }
  double p0() const { return particles ? particles->reference.p0 : bunch.p0; }
};

/// @throws InputError, UsageError
Input read_input(const InputOptions& options, const Ranks* ranks);

/// Finds the species of the particles: that of the bunch's file, if it tells, else of the lattice's
/// beam, else electrons. Cavities of the line get their charge and rest energy.
void find_species(Input& input);

/// @throws UsageError if particles that are no electrons pass an element that is for electrons
void check_species(const Input& input);

/// Gives the bunch the mass and the charge of its particles.
void set_reference(Input& input);

/// A line from its end to its start.
beam::BeamLine reversed_line(beam::BeamLine line);

/// Tells whether a file is a run file of elegant, by its extension.
bool is_run_file(const std::string& lattice);

/// Puts what the run file says in the place of options that are not given, but for `turns`.
/// @throws InputError, UsageError
void apply_run_file(InputOptions& options, int& turns);

/// Tells whether a lattice is one of MAD-X, by its extension.
bool is_madx(const std::string& lattice);

/// Tells whether a lattice is one of PALS, by its extension; one in JSON by its name before that.
bool is_pals(const std::string& lattice);

/// Tells whether a lattice is one of Xsuite, by its extension.
bool is_xsuite(const std::string& lattice);

/// Writes what `read_input` reads, `lattice.lte` (of MAD-X: `lattice.seq`, `strengths_0.str`, ...)
/// and `bunch.csv`, or `bunch.openpmd.h5` where the bunch's file tells its species, to a folder.
/// Each rank has its share of the particles.
void write_input(const std::string& folder, const InputOptions& options, const Input& input,
                 const beam::ParticleTable& particles, const Ranks* ranks);

bool has_space_charge(const beam::Element& element);

/// The number of the last drift with space charge, or of the last one of that name.
std::optional<int> space_charge_drift(const beam::BeamLine& line, const std::string& name = {});

/// The elements whose names match a pattern.
/// @throws UsageError if there are none
std::vector<int> elements_named(const beam::BeamLine& line, const std::string& pattern);

/// Files for particles at elements that are no WATCH: openPMD, or CSV in builds without HDF5.
std::vector<std::pair<int, std::string>> files_of_monitors(const beam::BeamLine& line,
                                                           const std::vector<int>& elements);

/// Where moments of the bunch are recorded.
enum class RecordAt { nowhere, elements, turns, monitors };

constexpr std::size_t max_plotted = 2000;  ///< points of a series

struct TrackingSettings {
  beam::CoordinateLimits limits{10., 1.};  ///< m; 1
  int turns = 1;
  int repeat = 5;                       ///< timed repetitions after the warm-up
  RecordAt record = RecordAt::nowhere;  ///< in all turns
  std::vector<int> monitors{};          ///< elements where moments are recorded
  beam::BeamLine plotted_line{};        ///< one in whose first turn they are, too, or none
  std::optional<int> profile_at{};      ///< drift with space charge whose profile is wanted
  std::function<void(int)> advance{};   ///< so many turns further
  std::optional<std::string> watch{};   ///< folder for files of watches, if they are wanted
  std::string root{};                   ///< of their names
  /// Elements after which particles are written there in each turn, with the names of their files.
  std::vector<std::pair<int, std::string>> watched_monitors{};
  /// Takes the particles behind each element, with the number of the turn; empty: nobody wants
  /// them.
  std::function<void(int, const chain::StepArrays&)> show_element{};
  /// Whether all particles at the start, and after the last turn, are wanted.
  bool keeps_first_particles = false, keeps_last_particles = false;
  const Ranks* ranks = nullptr;  ///< that share the bunch
};

/// The bunch behind an element, or at the start.
struct MomentRow {
  int turn = 0;
  int element = -1;  ///< -1: the start
  beam::Moments moments;
  beam::SpinMoments spins;  ///< without spins, of none
};

/// A drift with space charge in the last turn.
struct SpaceChargePass {
  int element = 0;
  int steps = 0;
  beam::SpaceChargeStep last;
};

/// What became of the bunch.
struct Tracked {
  beam::Moments start, end;
  std::optional<beam::SpinMoments> start_spins, end_spins;  ///< of particles with spins
  beam::ParticleTable first_particles, last_particles;      ///< the shares of this rank, if kept
  beam::ParticleTable first_sample, last_sample;            ///< of all, for plots
  std::vector<std::int64_t> lost;                           ///< per element
  std::int64_t lost_in_injection = 0;
  std::vector<SpaceChargePass> space_charge;
  std::vector<MomentRow> rows, plotted_rows;        ///< the start first
  std::optional<beam::SpaceChargeProfile> profile;  ///< none without particles
  std::string particles_hash, moments_hash;         ///< of all rows; empty without

  /// All turns, "total"; and a step of space charge, "lsc_step", over the drifts of the first turn.
  program::Times time_us;
};

/// Reads or generates the bunch and tracks it, once as a warm-up and then `repeat` times from the
/// same start. Compiled once per backend and number type, in track_bunch.cpp.
/// @throws Error if the repetitions give different particles
template <class Real, class ExecutionSpace>
Tracked track_bunch(const program::Run<Real, ExecutionSpace>& run, const Input& input,
                    const TrackingSettings& settings);

}  // namespace beamline
