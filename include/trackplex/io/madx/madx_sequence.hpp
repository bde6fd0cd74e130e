// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Files of the accelerator code MAD-X (CERN): the part of its language that describes machines.
/// @code
/// MadxFile file = read_madx({"ring.seq", "strengths.str"});
/// file.read("beam, particle = proton, pc = 0.57; use, sequence = ring;");
/// file.set("kqf", 0.76);
/// const beam::BeamLine line = file.expand();
/// @endcode
/// Statements end with `;`, names are case-insensitive, `!`, `//` and `/* */` are comments. There
/// are variables and attributes with values (`=`) or expressions that are evaluated where they are
/// needed (`:=`), elements that are copies of others where they are defined, SEQUENCE with AT,
/// FROM, REFER and REFPOS and other sequences inside, LINE, MACRO, BEAM, BETA0, USE with RANGE,
/// CALL (beside the calling file, or else in the working folder), IF, WHILE, EXEC, SELECT with
/// FLAG=ERROR, SEQEDIT or MAKETHIN, EOPTION, EALIGN, EFCOMP, OPTION, SEQEDIT, EXTRACT and MAKETHIN.
/// Commands that compute or print are passed over and listed; those that would change the machine
/// by what they compute (MATCH, CORRECT) are errors, as are random numbers. Expressions have values
/// of the tables twiss and summ of a TWISS, which are computed where they are used, with Kokkos
/// running. Variables without a definition are 0, as in MAD-X, and are listed. What MAD-X ignores
/// is ignored, with a remark.
///
/// Elements: DRIFT, MARKER, MONITOR, HMONITOR, VMONITOR, INSTRUMENT, PLACEHOLDER, COLLIMATOR,
/// ECOLLIMATOR, RCOLLIMATOR, QUADRUPOLE, SEXTUPOLE, OCTUPOLE, SBEND, RBEND, MULTIPOLE, SOLENOID,
/// KICKER, HKICKER, VKICKER, TKICKER, RFCAVITY, LCAVITY, DIPEDGE, SROTATION, XROTATION, YROTATION,
/// TRANSLATION, MATRIX. Others are errors where they are in a sequence that is expanded.

#include <trackplex/beam/lattice.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/io/madx/detail/madx_model.hpp>
#include <trackplex/io/madx/madx_options.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Expanded sequence, with what is not as in the file.
struct MadxExpansion {
  beam::BeamLine line;  ///< Elements with the drifts between them.
  /// Elements that cannot be tracked and became drifts, by their types: "wire (1), nllens (3)".
  std::string drifts;
  std::vector<std::string> undefined;  ///< Variables without a definition, which count as 0.
  std::vector<std::string> remarks;    ///< What is not as it may seem.
};

/// Contents of MAD-X files.
class MadxFile {
 public:
  /// Makes contents without any definition but the variables of the options.
  explicit MadxFile(MadxOptions options = {});

  /// Reads statements; `name` is for messages, and for the folder of files that they call.
  /// @throws InputError if the text is not in the language above, with line and column
  /// @throws UsageError if values of tables are used without Kokkos running
  void read(std::string_view text, const std::string& name = "statements");

  /// Returns the value of a variable; 0 if it has no definition.
  /// @throws InputError if its expression has no value
  double get(std::string_view variable) const;
  /// Sets a variable. Files that are read later do not change it.
  void set(std::string_view variable, double value);
  /// Tells whether a variable has a definition.
  bool has(std::string_view variable) const;
  /// Returns a number of an element, by its attribute or that of its class; else the default
  /// of MAD-X, mostly 0.
  /// @throws UsageError if there is no element of that name
  double get(std::string_view element, std::string_view attribute) const;

  /// Returns the names of the sequences and lines in the order of their definitions.
  const std::vector<std::string>& sequences() const { return session_.model.order; }
  /// Returns the sequence of USE, else the last one that is defined; empty without any.
  std::string used() const;
  /// Returns the number of definitions of elements.
  std::size_t n_elements() const { return session_.model.elements.size(); }
  /// Returns the beam of a sequence; none without a BEAM statement.
  /// @throws InputError if it has no momentum
  std::optional<MadxBeam> beam(std::string_view sequence = {}) const;

  /// Expands the sequence `used()`.
  /// @throws UsageError if there is no sequence
  /// @throws InputError as the other `expand`
  beam::BeamLine expand() const;
  /// Expands a sequence or line to elements, `limit` at most, and the drifts between them. Elements
  /// may overlap by 1e-6 m, as in MAD-X: the drift between them is negative then, and skipped below
  /// 1e-9 m.
  /// @throws UsageError if there is no sequence or line of that name
  /// @throws InputError if elements overlap, cannot be tracked or are too many
  beam::BeamLine expand(std::string_view sequence,
                        std::int64_t limit = beam::Lattice::max_elements) const;
  /// The same, with what is not as in the file.
  MadxExpansion expansion(std::string_view sequence,
                          std::int64_t limit = beam::Lattice::max_elements) const;

  /// Returns the commands that were passed over: "survey (1), value (3)".
  std::string ignored() const;
  /// Returns remarks on definitions that replace others, and on what has no effect.
  const std::vector<std::string>& remarks() const { return session_.remarks; }
  /// Returns the variables without a definition that values were computed with while reading.
  std::vector<std::string> undefined() const;

 private:
  static std::string listed(const std::map<std::string, int>& counts);

  detail::MadxSession session_;
};

/// Parses the text of a MAD-X file; `name` is for messages, and for the folder of files that it
/// calls.
/// @throws InputError if the text is not in the language above, with line and column
MadxFile parse_madx(std::string_view text, const std::string& name,
                    const MadxOptions& options = {});

/// Reads MAD-X files one after another, as a sequence and its strengths.
/// @throws InputError if a file cannot be read or parsed
MadxFile read_madx(const std::vector<std::filesystem::path>& paths,
                   const MadxOptions& options = {});

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/madx/detail/madx_sequence.impl.hpp>
#endif
