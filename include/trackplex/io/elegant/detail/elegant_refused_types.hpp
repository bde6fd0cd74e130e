// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

/// @file
/// Types of elements of elegant that are not tracked here.

namespace trackplex::io::detail {

/// A type of element that elegant has, and what it is.
struct RefusedType {
  std::string_view keyword, what;
};

/// All of them, in the order of their names.
inline std::span<const RefusedType> refused_types() {
  static constexpr RefusedType all[] = {
      {"ALPH", "an alpha magnet"},
      {"APCONTOUR", "an aperture with an outline from a file"},
      {"BEAMBEAM", "the field of another beam"},
      {"BEDGE", "an edge of a bend"},
      {"BGGEXP", "a field by generalized gradients"},
      {"BMAPXY", "a field map"},
      {"BMXYZ", "a field map"},
      {"BOFFAXE", "a field by its derivatives on the axis"},
      {"BRANCH", "a jump to another part of the line"},
      {"BRAT", "a field map of a bend"},
      {"CCBEND", "a straight bend"},
      {"CEPL", "a deflector with a ramp"},
      {"CKICKER", "a kicker of stochastic cooling"},
      {"CORGPIPE", "a corrugated pipe"},
      {"CORGPLATES", "corrugated plates"},
      {"CPICKUP", "a pickup of stochastic cooling"},
      {"DSCATTER", "scattering by a distribution from a file"},
      {"EMITTANCE", "a change of the bunch to other emittances"},
      {"FMULT", "multipoles from a file"},
      {"FTABLE", "a field map"},
      {"GFWIGGLER", "a wiggler by generating functions"},
      {"GKICKMAP", "a kick map"},
      {"HKPOLY", "a Hamiltonian that is a polynomial"},
      {"IBSCATTER", "intra-beam scattering"},
      {"IONEFFECTS", "ions of the residual gas"},
      {"KPOLY", "a kick that is a polynomial"},
      {"LGBEND", "a bend of several segments"},
      {"LMIRROR", "a mirror for light"},
      {"LRWAKE", "wakes of other bunches"},
      {"LSRMDLTR", "an undulator with a laser"},
      {"LTHINLENS", "a lens for light"},
      {"MAGNIFY", "a multiplication of coordinates"},
      {"MAPSOLENOID", "a field map of a solenoid"},
      {"MATTER", "matter in the way of the beam"},
      {"MODRF", "a cavity with modulation"},
      {"MRFDF", "a deflecting cavity with multipoles"},
      {"NIBEND", "a bend with extended fringe fields"},
      {"NISEPT", "a septum with a gradient"},
      {"PEPPOT", "a pepper-pot plate"},
      {"POLYSERIES", "a map of any order from a file"},
      {"QUFRINGE", "a fringe field of a quadrupole by itself"},
      {"RAMPRF", "a cavity with ramps"},
      {"REFLECT", "a reflection of the beam"},
      {"RFTM110", "a deflecting cavity with all of its fields"},
      {"RFTMEZ0", "a cavity by its field on the axis"},
      {"RMDF", "a deflector with a ramp"},
      {"SAMPLE", "a choice of some particles"},
      {"SCMULT", "transverse space charge"},
      {"SCRIPT", "a program that is run to change the particles"},
      {"SHRFDF", "a deflecting cavity with space harmonics"},
      {"SPEEDBUMP", "an obstacle on the wall"},
      {"STRAY", "a stray field"},
      {"TAPERAPC", "a tapered aperture"},
      {"TAPERAPE", "a tapered aperture"},
      {"TAPERAPR", "a tapered aperture"},
      {"TMCF", "a numerically integrated cavity"},
      {"TSCATTER", "Touschek scattering"},
      {"TUBEND", "a bend for top-up injection"},
      {"TWLA", "a numerically integrated structure"},
      {"TWMTA", "a numerically integrated structure"},
      {"TWPL", "a stripline deflector"},
      {"UKICKMAP", "a kick map of an undulator"},
      {"ZTRANSVERSE", "a transverse impedance"},
  };
  return all;
}

/// The refused type of a name in upper case, or null.
inline const RefusedType* refused_type(std::string_view upper) {
  const auto all = refused_types();
  const auto found = std::ranges::find(all, upper, &RefusedType::keyword);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace trackplex::io::detail
