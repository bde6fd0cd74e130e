// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>

namespace trackplex::lhcb {

/// Number of modules of the VELO. They are ordered in z; even ones are on one side of the beam
/// (x < 0), odd ones on the other.
inline constexpr int velo_modules = 52;

/// Number of module pairs: pair k consists of the modules 2k and 2k + 1, one on each side.
inline constexpr int velo_pairs = velo_modules / 2;

/// Distance in z from the centre of a module to each of its two sensor planes, mm.
inline constexpr double velo_plane_offset = 0.581;

/// Nominal z of the module centres, mm (upgraded VELO, Run 3 geometry).
inline constexpr std::array<double, velo_modules> velo_module_z = {
    -287.5, -275.0, -262.5, -250.0, -237.5, -225.0, -212.5, -200.0, -137.5, -125.0, -62.5,
    -50.0,  -37.5,  -25.0,  -12.5,  0.0,    12.5,   25.0,   37.5,   50.0,   62.5,   75.0,
    87.5,   100.0,  112.5,  125.0,  137.5,  150.0,  162.5,  175.0,  187.5,  200.0,  212.5,
    225.0,  237.5,  250.0,  262.5,  275.0,  312.5,  325.0,  387.5,  400.0,  487.5,  500.0,
    587.5,  600.0,  637.5,  650.0,  687.5,  700.0,  737.5,  750.0};

}  // namespace trackplex::lhcb
