// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Description of a processor for a forecast. Units are Hz, bytes, bits, s and operations per
/// second; 0 means "not known" if the member says so.

#include <trackplex/core/compiled.hpp>
#include <trackplex/perfmodel/memory_blocks.hpp>

#include <string>
#include <vector>

namespace trackplex::perfmodel {

/// Kind of a processor.
enum class DeviceKind {
  cpu,  ///< host processor: nothing moves over a link
  gpu,  ///< graphics processor: groups of lanes in lock step
  fpga  ///< field-programmable gate array: copies of a pipeline
};

/// Efficiency eta of (2.1): fraction of a bandwidth that transfers of a given size reach. It is
/// linear in the logarithm of the size between the points and constant outside; without points it
/// is 1.
struct EfficiencyCurve {
  /// Point of the curve.
  struct Point {
    double bytes,    ///< size of a transfer, bytes
        efficiency;  ///< fraction of the bandwidth that it reaches
    /// Whether all members are equal.
    friend bool operator==(const Point&, const Point&) = default;
  };
  std::vector<Point> points{};  ///< points in ascending order of size

  /// Returns the efficiency of transfers of `bytes` bytes.
  double operator()(double bytes) const;
  /// Whether all points are equal.
  friend bool operator==(const EfficiencyCurve&, const EfficiencyCurve&) = default;
};

/// Data channel: a memory, or a link.
struct Channel {
  double bandwidth = 0.;  ///< raw bandwidth, bytes/s; of a link: of one direction; 0: no channel
  double encoding = 1.;   ///< fraction of the raw bandwidth that is payload
  EfficiencyCurve efficiency{};  ///< fraction of the payload rate that transfers reach, by size

  /// Returns the rate of transfers of `transfer_bytes` bytes each, bytes/s.
  double rate(double transfer_bytes) const {
    return bandwidth * encoding * efficiency(transfer_bytes);
  }
  /// Whether all members are equal.
  friend bool operator==(const Channel&, const Channel&) = default;
};

/// Returns the payload fraction of PCI Express: 8b/10b encoding up to generation 2, 128b/130b from
/// generation 3 on (PCI Express Base Specification).
inline double pcie_encoding(int generation) { return generation <= 2 ? 0.8 : 128. / 130.; }

/// Returns the channel of a PCI Express link with `lanes` lanes, without losses except the
/// encoding. The generations 1 to 5 have 2.5, 5, 8, 16 and 32 GT/s per lane.
/// @throws UsageError if the generation is not from 1 to 5
Channel pcie(int generation, int lanes);

/// Peak rates of a processor, each for a program that does nothing else, in operations per second
/// on single numbers (a SIMD instruction counts once per lane), in single precision unless stated
/// otherwise. 0: not known, and not a limit in a forecast.
struct Throughput {
  double fp32 = 0.;          ///< flop/s in single precision; an fma counts as two
  double fp64 = 0.;          ///< flop/s in double precision; an fma counts as two
  double division = 0.;      ///< divisions and square roots; 0: counted as arithmetic
  double special = 0.;       ///< sine, cosine, logarithm, exponential; 0: counted as arithmetic
  double integer = 0.;       ///< integer operations
  double logic = 0.;         ///< comparisons, selections, signs, conversions
  double load = 0.;          ///< numbers loaded from the first-level cache
  double store = 0.;         ///< numbers stored to the first-level cache
  double instructions = 0.;  ///< instructions of any kind; 0: one per core and cycle

  /// Whether all members are equal.
  friend bool operator==(const Throughput&, const Throughput&) = default;
};

/// Resources of an FPGA, and the fraction of them that a design can use at full clock.
struct FpgaArea {
  double dsp = 0.;               ///< multiplier blocks (DSP) of the chip
  double memory_bits = 0.;       ///< on-chip memory, bits
  MemoryShape block{};           ///< one block of that memory; 0 bits: memories are not rounded up
  double usable_dsp = 0.8;       ///< usable fraction of `dsp`
  double usable_memory = 0.5;    ///< usable fraction of `memory_bits`
  double dsp_per_add = 2.;       ///< DSP of an addition in single precision
  double dsp_per_multiply = 3.;  ///< DSP of a multiplication in single precision
  double dsp_per_fma = 5.;       ///< DSP of an fma in single precision
  double dsp_per_special = 0.;   ///< DSP of a special function; 0: not known

  /// Whether all members are equal.
  friend bool operator==(const FpgaArea&, const FpgaArea&) = default;
};

/// Processor for which run times are forecast.
struct Device {
  std::string name{};                 ///< unique name, for messages and reports
  DeviceKind kind = DeviceKind::cpu;  ///< kind of the processor
  std::string source{};               ///< origin of the figures, for the reader
  double clock = 0.;                  ///< clock frequency f, Hz, above 0
  double cores = 1.;  ///< N_cores: units that execute one instruction per cycle; for a GPU its
                      ///< lanes
  int group = 1;      ///< lanes that run in lock step, such as a warp; 1: cores are independent
  Throughput peak{};  ///< peak rates
  Channel memory{};   ///< memory of the device
  double core_bandwidth = 0.;  ///< bandwidth of the memory that one core reaches, bytes/s; 0: all
  double core_cache = 0.;      ///< cache of each core, bytes, for scale_over_cores()
  double shared_cache = 0.;    ///< last-level cache that the cores share, bytes
  Channel link{};              ///< link to the host; not used for a CPU
  double start = 0.;  ///< time before the first work, s: creation of a context, configuration
  double price = 0.;  ///< price, in a unit that is the same for all devices; 0: not known
  FpgaArea fpga{};    ///< resources, for an FPGA

  /// Whether all members are equal.
  friend bool operator==(const Device&, const Device&) = default;
};

/// Returns "CPU", "GPU" or "FPGA".
const char* name_of(DeviceKind kind);

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/device.impl.hpp>
#endif
