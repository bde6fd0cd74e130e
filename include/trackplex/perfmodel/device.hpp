// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// A processor as a forecast sees it. Units are Hz, bytes, bits, s and operations per
/// second; 0 means "not known" where that is said.

#include <trackplex/core/error.hpp>
#include <trackplex/perfmodel/memory_blocks.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::perfmodel {

enum class DeviceKind { cpu, gpu, fpga };

/// The share of a bandwidth that transfers of one size reach, linear in the logarithm of the size
/// between the points and constant outside; without points it is 1.
struct EfficiencyCurve {
  /// A transfer of so many bytes, and its share.
  struct Point {
    double bytes, efficiency;
    friend bool operator==(const Point&, const Point&) = default;
  };
  std::vector<Point> points{};  ///< by ascending size

  double operator()(double bytes) const {
    if (points.empty()) return 1.;
    if (bytes <= points.front().bytes) return points.front().efficiency;
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto &a = points[i - 1], &b = points[i];
      if (bytes < b.bytes)
        return std::lerp(a.efficiency, b.efficiency,
                         std::log(bytes / a.bytes) / std::log(b.bytes / a.bytes));
    }
    return points.back().efficiency;
  }
  friend bool operator==(const EfficiencyCurve&, const EfficiencyCurve&) = default;
};

/// A way for data: to a memory, or over a link.
struct Channel {
  double bandwidth = 0.;  ///< raw, bytes/s, of one direction of a link; 0: there is none
  double encoding = 1.;   ///< share of the raw rate that is data
  EfficiencyCurve efficiency{};

  /// bytes/s for transfers of one size.
  double rate(double transfer_bytes) const {
    return bandwidth * encoding * efficiency(transfer_bytes);
  }
  friend bool operator==(const Channel&, const Channel&) = default;
};

/// The share of the raw rate that is data: 8 of 10 bits up to generation 2, then 128 of 130.
inline double pcie_encoding(int generation) { return generation <= 2 ? 0.8 : 128. / 130.; }

/// A PCI Express link of a generation from 1 to 5.
/// @throws UsageError if there is no such generation
inline Channel pcie(int generation, int lanes) {
  constexpr std::array<double, 5> transfers{2.5e9, 5e9, 8e9, 16e9, 32e9};
  if (generation < 1 || generation > 5)
    throw UsageError("pcie", "no generation " + std::to_string(generation), "known: 1 to 5");
  return {.bandwidth = transfers[std::size_t(generation - 1)] * lanes / 8.,
          .encoding = pcie_encoding(generation)};
}

/// Operations of a processor per second when it does nothing else, in single precision where
/// nothing else is said. 0: not known, and not a limit of a forecast.
struct Throughput {
  double fp32 = 0.;  ///< flop/s, an fma counting as two
  double fp64 = 0.;  ///< flop/s in double precision
  double division = 0.;
  double special = 0.;  ///< special functions; 0: as instructions
  double integer = 0.;
  double logic = 0.;
  double load = 0.;          ///< numbers from the first cache
  double store = 0.;         ///< numbers to it
  double instructions = 0.;  ///< of any kind, counted per number; 0: one per core and cycle

  friend bool operator==(const Throughput&, const Throughput&) = default;
};

/// The area of an FPGA, and the share of it that a design can use at full clock.
struct FpgaArea {
  double dsp = 0.;          ///< multiplier blocks
  double memory_bits = 0.;  ///< on the chip
  MemoryShape block{};      ///< one block of that memory
  double usable_dsp = 0.8;
  double usable_memory = 0.5;
  double dsp_per_add = 2.;  ///< single precision
  double dsp_per_multiply = 3.;
  double dsp_per_fma = 5.;
  double dsp_per_special = 0.;  ///< 0: not known

  friend bool operator==(const FpgaArea&, const FpgaArea&) = default;
};

struct Device {
  std::string name{};
  DeviceKind kind = DeviceKind::cpu;
  std::string source{};  ///< where the figures are from
  double clock = 0.;     ///< Hz
  double cores = 1.;     ///< that execute one instruction per cycle; of a GPU its lanes
  int group = 1;         ///< lanes in lock step; 1: each core goes its own way
  Throughput peak{};
  Channel memory{};
  Channel link{};     ///< to the host
  double start = 0.;  ///< s before the first work: a context, a configuration
  double price = 0.;  ///< in any unit that is the same for all devices; 0: not known
  FpgaArea fpga{};

  friend bool operator==(const Device&, const Device&) = default;
};

inline const char* name_of(DeviceKind kind) {
  constexpr std::array<const char*, 3> names{"CPU", "GPU", "FPGA"};
  return names[std::size_t(kind)];
}

}  // namespace trackplex::perfmodel
