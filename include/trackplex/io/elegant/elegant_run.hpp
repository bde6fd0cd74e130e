// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Run files (.ele) of the accelerator code elegant: what is tracked through which line.
///
///   &run_setup     lattice, use_beamline, p_central or p_central_mev, default_order  &end
///   &run_control   n_passes  &end
///   &alter_elements name, type, exclude, item, value or string_value, differential, multiplicative
///   &vary_element  name, item, initial, or the first value of a file: that of the first step  &end
///   &load_parameters filename, or filename_list, patterns of names and items  &end
///   &transmute_elements name, type, exclude, new_type  &end
///   &twiss_output  matched, beta_x, alpha_x, eta_x, etap_x, beta_y, ...  &end
///   &bunched_beam  n_particles_per_bunch, emit_x or emit_nx, beta_x, ..., sigma_s, sigma_dp  &end
///   &sdds_beam     input  &end
///   &track         &end
///
/// Reading ends at the first `track`. Names of macros in angle brackets, or after `$`, are
/// replaced. Commands that only write something are left out; those that change the line or the
/// particles, and are not followed here, are errors.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/elegant/elegant_options.hpp>
#include <trackplex/simulation/bunch_params.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// How a run file is read.
struct ElegantRunOptions {
  std::map<std::string, std::string> macros{};  ///< Values of `<name>` and `$name`, by name.
  /// Whether commands and items that act on particles, and cannot be followed, are left out.
  bool skip_unknown = false;
};

/// The line, bunch and turns that a run file asks for.
struct ElegantRun {
  std::filesystem::path lattice;                   ///< Lattice file, beside the run file.
  std::string line;                                ///< Line to track; empty: that of the lattice.
  double p0 = 0.;                                  ///< Reference momentum, beta gamma.
  int turns = 1;                                   ///< Passes through the line.
  std::optional<simulation::BunchParams> bunch{};  ///< Bunch to generate, without charge.
  std::filesystem::path bunch_file{};              ///< Else, file of the bunch; may be empty.
  bool is_matched = false;             ///< Whether the bunch has the periodic optics of the line.
  ElegantLatticeOptions reading{};     ///< How the lattice is read.
  std::string left_out{};              ///< What is not followed: "save_lattice (line 9), ...".
  std::vector<std::string> remarks{};  ///< Which of two files is read.
};

/// Parses the text of a run file; `name` is for messages, and for the folder of files that it
/// names. The means, emittances and sizes of the bunch are those of the file also without
/// enforce_rms_values, where those of elegant are smaller by what the cutoff takes away.
/// @throws InputError if it is not in the language above, or asks for what cannot be done
ElegantRun parse_elegant_run(std::string_view text, const std::string& name,
                             const ElegantRunOptions& options = {});

/// Reads a run file, see parse_elegant_run().
/// @throws InputError if the file cannot be read or parsed
ElegantRun read_elegant_run(const std::filesystem::path& path,
                            const ElegantRunOptions& options = {});

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/elegant/detail/elegant_run.impl.hpp>
#endif
