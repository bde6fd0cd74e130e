// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Choices of the emulated device, from the environment or a test.

namespace emulation {

/// In which order the threads of a team, the teams of a league and the items of a range run.
/// Interleaved: in an order that is drawn anew between two barriers, and atomic operations may
/// hand over to another thread.
enum class Order { ascending, descending, interleaved };

struct Settings {
  Order order = Order::ascending;  ///< TRACKPLEX_DEVICE_ORDER
  int team_size = 0;               ///< TRACKPLEX_DEVICE_TEAM; 0: what the launch asks for
};

/// Read from the environment at the first call.
Settings& settings();

}  // namespace emulation
