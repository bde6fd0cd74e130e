// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Devices with figures from public data sheets. Rates that a data sheet does not give are computed
/// from units per multiprocessor and clock; Device::source names the sheets and the assumptions.

#include <trackplex/core/compiled.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <string_view>
#include <vector>

namespace trackplex::perfmodel {

/// Returns all known devices: "EPYC 7551 x2", "EPYC 7763", "EPYC 9654", "V100", "A100", "H200",
/// "MI250", "RTX 3090 Ti" and "VU9P".
std::vector<Device> device_library();

/// Returns the device with a name.
/// @throws UsageError if there is none; the message lists the known names
Device device_named(const std::vector<Device>& devices, std::string_view name);

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/device_library.impl.hpp>
#endif
