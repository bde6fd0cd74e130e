// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Number of instances of a design that fit on an FPGA.

#include <trackplex/core/compiled.hpp>
#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <cmath>

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

/// Counts the multiplier blocks of a pipeline that executes each operation of the source once
/// per cycle. Divisions and square roots use logic.
double dsp_blocks(const Application& application, const FpgaArea& area);

double memory_bits(const FpgaDesign& design, const MemoryShape& block);

/// Returns the number of whole instances; infinite if no resource is needed.
inline double whole_instances(double usable, double needed) {
  return needed > 0. ? std::floor(usable / needed) : HUGE_VAL;
}

}  // namespace detail

/// Computes the resources and the number of instances of an application's FpgaDesign on an FPGA. A
/// given number of instances is not checked against the limits.
/// @throws UsageError if nothing limits the number of instances, if not even one fits, or if the
/// multiplier blocks of a special function are needed and not known
FpgaFit fit_on_fpga(const Application& application, const FpgaArea& area);

/// Returns the iterations of a work item in the pipeline: FpgaDesign::iterations, or the sum of the
/// mean trip counts of the outer loops.
/// @throws UsageError if a trip count is not a distribution
double pipeline_iterations(const Application& application);

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/fpga_design.impl.hpp>
#endif
