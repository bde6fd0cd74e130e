// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "population.hpp"

#include <cstdint>
#include <filesystem>

namespace trackplex::benchmarks {

/// Surfaces that a sample's hits lie on.
enum class Surfaces { planes, cylinders };

/// Reads `p2z_input.csv` or `p2r_input.csv`: a track, then hits from the inside out; the last one
/// is used first.
/// @throws InputError where the file is not of that form
SampleTrack read_sample(const std::filesystem::path& file);

/// A track of a uniform field through so many layers from the outside in, with hits scattered by
/// their errors.
SampleTrack generate_sample(Surfaces surfaces, int layers, std::uint64_t seed);

}  // namespace trackplex::benchmarks
