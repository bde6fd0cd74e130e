// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Lattice files of the accelerator code elegant: the part of its language that describes elements
/// and lines.
///
///   ! a comment; statements end with their line, or with ;
///   % 0.2 sto lq                         a number with a name, in reverse Polish notation (RPN)
///   qf: QUAD, L=lq, K1="1.5 1.02 *"      values: numbers, names, RPN in quotes
///   d:  DRIF, L="1 lq - 2 /", &          a statement continues after &
///       ORDER=2
///   cell: LINE=(qf, 2*d, -half, 3*(d, qf))
///
/// Keywords: DRIF, EDRIFT, MARK, QUAD, SEXT, OCTU, SOLE, SBEN, RBEN, HKICK, VKICK, KICKER, MONI,
/// HMON, VMON, EMATRIX, MATR; KQUAD, KSEXT, KOCT, KQUSE, MULT, CSBEND, KSBEND; CWIGGLER; RCOL,
/// ECOL, SCRAPER, MAXAMP; CENTER, REMCOR, ENERGY, CLEAN, PFILTER, MALIGN, ROTATE, EKICKER, EHKICK,
/// EVKICK, ILMATRIX, SREFFECTS, SCATTER, TFBPICKUP, TFBDRIVER; RFCA, RFCW, RFDF, RFMODE, TRFMODE,
/// FRFMODE, FTRFMODE, BUMPER, MBUMPER, RAMPP, WIGGLER, WAKE, TRWAKE, ZLONGIT, LSCDRIFT, CHARGE,
/// CSRCSBEND, CSRDRIFT; WATCH; HISTOGRAM and RECIRC, which are markers (turns but the first begin
/// at the last RECIRC); LINE; and MAD's long names for them. `name = value` is a constant. Names of
/// elements and lines are case-insensitive, and may contain any characters in quotation marks;
/// where names differ only in case, those in quotation marks are as they are, and others are in
/// upper case. Names of numbers are case-sensitive; without quotation marks they are looked for in
/// upper case first. Elements and lines must be defined before lines use them. `USE` and `RETURN`
/// at the end are those of MAD. As in elegant, the length of RBEN is that of the chord, E1 and E2
/// are added to half of its angle, and a bend in a reversed line exchanges entrance and exit. Bends
/// of one name in a row, also with MARK and WATCH in between, have no edges where they meet.
/// A group in parentheses, `-(a, b)`, is reversed as a line is; in `-2*(a, b)` the sign has no
/// effect, as in elegant. Types
/// may be abbreviated to three letters and more that no other has; `p2: p1, L=2` defines an element
/// like another, with changes; `#INCLUDE: file` reads another file. Elements of unknown types, or
/// with parameters that request something that is not implemented, are errors where they are on a
/// line that is expanded. Units are those of elegant: m, rad, and k_n in 1/m^(n+1).

#include <trackplex/beam/lattice.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/io/elegant/elegant_options.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Contents of a lattice file.
struct ElegantLattice {
  beam::Lattice lattice;  ///< elements and lines of the file
  std::string line;       ///< line of the USE statement, else the last line; empty without lines
  /// elements that are read as markers, for they do not act on particles, by their types:
  /// "HISTOGRAM (3)"; empty without any
  std::string skipped;
  std::string drifts;  ///< elements that cannot be tracked and became drifts, in the same form
  std::vector<std::string> remarks{};  ///< which of two files is read
  /// keys (`Lattice::key_of`) of RECIRC elements: turns but the first begin there
  std::set<std::string> recirculations{};
  /// why elements cannot be tracked, by their keys: they are markers in `lattice`; and a line of a
  /// USE statement that is not defined
  std::map<std::string, InputError> refused{};
  /// how many there must be on a line of elements that were changed one by one, by their keys
  std::map<std::string, ElegantChange> occurrences{};
  /// keys of elements (MARK, WATCH, LSCDRIFT without a length) that do not come between bends of
  /// one name, which are one magnet: the edges that meet there have no effect
  std::set<std::string> inside_bends{};
  /// reference momenta of elements whose field is given, not its strength, by their keys
  std::map<std::string, double> of_momentum{};

  /// Returns the number of elements of a line before its last RECIRC, which are passed in the first
  /// turn only; 0 without one.
  std::size_t before_recirculation(const beam::BeamLine& elements) const;
  /// Expands `line` to a sequence of elements.
  /// @throws UsageError if the file has no line
  /// @throws InputError as the other `expand`
  beam::BeamLine expand() const;
  /// Expands a line, or an element, to a sequence of at most `limit` elements.
  /// @throws InputError if an element cannot be tracked, its field is given and the reference
  /// momentum changes before it, or a file of parameters has those of some of the elements of a
  /// name
  /// @throws UsageError, CapacityError as `Lattice::expand`
  beam::BeamLine expand(std::string_view name,
                        std::int64_t limit = beam::Lattice::max_elements) const;

 private:
  void join_bends(beam::BeamLine& elements) const;
  void check_momentum(const beam::BeamLine& elements) const;
  void check_occurrences(const beam::BeamLine& elements) const;
};

/// Parses the text of a lattice file; `name` is for messages, and for the folder of files that it
/// names.
/// @throws InputError if the text is not in the language above, with line and column
ElegantLattice parse_elegant_lattice(std::string_view text, const std::string& name,
                                     const ElegantLatticeOptions& options = {});

/// Reads a lattice file, see parse_elegant_lattice().
/// @throws InputError if the file cannot be read or parsed
ElegantLattice read_elegant_lattice(const std::filesystem::path& path,
                                    const ElegantLatticeOptions& options = {});

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/elegant/detail/elegant_lattice.impl.hpp>
#endif
