// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/material.hpp>

#include <string>
#include <vector>

namespace coulomb {

using namespace trackplex;

/// Values of the command line, from their text. All throw a UsageError that names the option where
/// the text is not one.

/// "0.128", "0.128MeV", "128keV", "1GeV", "500eV" in MeV, above 0.
double energy_of(const std::string& text);

/// A track length in mean free paths: "33.5", or with a unit of length.
double track_length_of(const std::string& text, double mean_free_path_mm);

/// "pencil" or "disk:R": the radius in mm (or with a unit of length), 0 for a pencil.
double source_radius_of(const std::string& text);

/// "H:0.112,O:0.888": symbols, or Z:A, and fractions.
std::vector<montecarlo::ElementFraction> composition_of(const std::string& text);

}  // namespace coulomb
