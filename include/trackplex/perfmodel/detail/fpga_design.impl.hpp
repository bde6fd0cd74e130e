// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/device.hpp>
#include <trackplex/perfmodel/fpga_design.hpp>

#include <algorithm>
#include <cmath>

namespace trackplex::perfmodel {
namespace detail {

TRACKPLEX_INLINE void add_operations(Operations& sum, const Loop& loop) {
  sum += loop.operations;
  for (const auto& inner : loop.loops) add_operations(sum, inner);
}

TRACKPLEX_INLINE double dsp_blocks(const Application& application, const FpgaArea& area) {
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

TRACKPLEX_INLINE double memory_bits(const FpgaDesign& design, const MemoryShape& block) {
  double bits = 0.;
  for (const auto& memory : design.memories)
    bits += block.bits() > 0. ? memory_blocks(memory.shape, block) * block.bits()
                              : memory.shape.bits() * memory.shape.ports;
  return bits;
}

}  // namespace detail

TRACKPLEX_INLINE FpgaFit fit_on_fpga(const Application& application, const FpgaArea& area) {
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
                     "by multipliers " + shortest(fit.max_by_dsp) + ", by memory " +
                         shortest(fit.max_by_memory));
  return fit;
}

TRACKPLEX_INLINE double pipeline_iterations(const Application& application) {
  if (application.fpga.iterations > 0.) return application.fpga.iterations;
  double sum = 0.;
  for (const auto& loop : application.loops) sum += mean(loop.trip_count);
  return sum;
}

}  // namespace trackplex::perfmodel
