// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "beamline.hpp"

namespace beamline {

/// Tells whether a copy of the particles at the start of the turns is kept, for repetitions; else
/// they are generated or converted again.
bool keeps_start(const Input& input, const TrackingSettings& settings);

/// Memory of a run per particle, bytes: for the bunch with numbers of `number` bytes, and tables
/// that the settings want. Reading a file takes more for a while, files of watches keep their
/// particles, and losses take up to 12 bytes more.
int bytes_per_particle(const Input& input, const TrackingSettings& settings, int number);

/// Memory of this machine, bytes.
double memory_of_machine();

}  // namespace beamline
