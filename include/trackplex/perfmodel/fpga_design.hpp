// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Number of instances of a design that fit on an FPGA.

#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace trackplex::perfmodel {

/// Resources of one instance of a design, and the number of instances on a device.
struct FpgaFit {
  double dsp = 0.,         ///< multiplier blocks (DSP) of one instance
      memory_bits = 0.;    ///< on-chip memory of one instance, bits
  double dsp_share = 0.,   ///< fraction of the device's multiplier blocks; 0: not known
      memory_share = 0.;   ///< fraction of the device's memory; 0: not known
  double max_by_dsp = 0.,  ///< max instances by usable multiplier blocks; infinite if none needed
      max_by_memory = 0.;  ///< max instances by usable memory; infinite if none needed
  double instances = 0.;   ///< FpgaDesign::instances, or the smaller of both limits
};

namespace detail {

inline void add_operations(Operations& sum, const Loop& loop) {
  sum += loop.operations;
  for (const auto& inner : loop.loops) add_operations(sum, inner);
}

/// Counts the multiplier blocks of a pipeline that does each operation of the source once per
/// cycle. Divisions and square roots are made of logic.
inline double dsp_blocks(const Application& application, const FpgaArea& area) {
  Operations sum;
  for (const auto& loop : application.loops) add_operations(sum, loop);
  if (sum.special > 0. && area.dsp_per_special == 0.)
    throw UsageError(
        "FPGA",
        "multipliers of a special function are not known, and the loops have special functions", {},
        "give dsp_per_special, or the design's own number");
  return sum.add * area.dsp_per_add + sum.multiply * area.dsp_per_multiply +
         sum.fma * area.dsp_per_fma + sum.special * area.dsp_per_special;
}

inline double memory_bits(const FpgaDesign& design, const MemoryShape& block) {
  double bits = 0.;
  for (const auto& memory : design.memories)
    bits += block.bits() > 0. ? memory_blocks(memory.shape, block) * block.bits()
                              : memory.shape.bits() * memory.shape.ports;
  return bits;
}

/// Returns the number of whole instances; infinite where nothing is needed.
inline double whole_instances(double usable, double needed) {
  return needed > 0. ? std::floor(usable / needed) : HUGE_VAL;
}

}  // namespace detail

/// Computes the resources and the number of instances of an application's FpgaDesign on an FPGA. A
/// given number of instances is not checked against the limits.
/// @throws UsageError if nothing limits the number of instances, if not even one fits, or if the
/// multiplier blocks of a special function are needed and not known
inline FpgaFit fit_on_fpga(const Application& application, const FpgaArea& area) {
  const auto& design = application.fpga;
  FpgaFit fit;
  fit.dsp = design.dsp > 0. ? design.dsp : detail::dsp_blocks(application, area);
  fit.memory_bits =
      design.memory_bits > 0. ? design.memory_bits : detail::memory_bits(design, area.block);
  fit.dsp_share = area.dsp > 0. ? fit.dsp / area.dsp : 0.;
  fit.memory_share = area.memory_bits > 0. ? fit.memory_bits / area.memory_bits : 0.;
  fit.max_by_dsp = detail::whole_instances(area.usable_dsp * area.dsp, fit.dsp);
  fit.max_by_memory =
      detail::whole_instances(area.usable_memory * area.memory_bits, fit.memory_bits);
  fit.instances =
      design.instances > 0. ? design.instances : std::min(fit.max_by_dsp, fit.max_by_memory);
  if (!std::isfinite(fit.instances))
    throw UsageError("fit_on_fpga", "the design needs neither multipliers nor memory", {},
                     "give its operations, FpgaDesign::dsp, or the number of instances");
  if (fit.instances < 1.)
    throw UsageError("fit_on_fpga", "not one instance fits",
                     "by multipliers " + std::to_string(fit.max_by_dsp) + ", by memory " +
                         std::to_string(fit.max_by_memory));
  return fit;
}

/// Returns the iterations of a work item in the pipeline: FpgaDesign::iterations, or the sum of the
/// mean trip counts of the outer loops.
/// @throws UsageError if a trip count is not a distribution
inline double pipeline_iterations(const Application& application) {
  if (application.fpga.iterations > 0.) return application.fpga.iterations;
  double sum = 0.;
  for (const auto& loop : application.loops) sum += mean(loop.trip_count);
  return sum;
}

}  // namespace trackplex::perfmodel
