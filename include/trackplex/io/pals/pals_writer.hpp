// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Lattices in the language of PALS, from any line.
/// @code
/// write_pals("ring.pals.yaml", {.name = "ring", .line = line, .particle = particle});
/// @endcode
/// Elements have the kinds, groups and normalized strengths of PALS. How they are tracked here,
/// which PALS does not say, is in `TrackingP: Trackplex`, an extension: `read_pals` makes the same
/// elements of it, bit for bit but for displaced bends. Names get letters that PALS allows; the old
/// ones are in `MetaP: alias`.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/pals/pals_lattice.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace trackplex::io {

/// Lattice as a text.
struct PalsText {
  std::string text;                  ///< Contents of a file.
  std::vector<std::string> remarks;  ///< What is not as in the line.
};

/// Writes a line as the text of a lattice with one branch.
/// @param line           name, elements and reference particle; an empty name is "line"
/// @param skip_unknown   whether elements without a counterpart become drifts, with a remark
/// @throws UsageError if an element has no counterpart in PALS, or the particle no name
PalsText pals_text(const PalsLine& line, bool skip_unknown = false);

/// Writes a line to a file and returns remarks on what is not as in the line.
/// @throws UsageError as `pals_text`
/// @throws Error if the file cannot be written
std::vector<std::string> write_pals(const std::filesystem::path& path, const PalsLine& line,
                                    bool skip_unknown = false);

/// Returns the particle of a rest energy, eV, and charge with its name in PALS.
/// @throws UsageError if there is no name for it
PalsParticle pals_particle_of(double mass, double charge, double p0c);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/pals/detail/pals_writer.impl.hpp>
#endif
