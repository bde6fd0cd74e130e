// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/table.hpp>
#include <trackplex/pipeline/statistics.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// @file
/// Throughput of the pipeline over the number of slots and over the events of a batch: the two
/// scans of Figure 8 of the paper on Search by triplet.

namespace trackplex::program {

struct PipelineScanSettings {
  int slots = 2;               ///< of the scan over events per batch
  int events_per_batch = 100;  ///< of the scan over slots
  int max_slots = 8;
  int max_batch = 1000;
  int repeat = 5;  ///< runs of each point after a warm-up
};

/// A run at a point.
struct PipelineScanSample {
  double events_per_s = 0.;
  pipeline::Statistics statistics;
};

/// 1, 2, 3, 4, 6, 8, 12, 16, ... up to `most`, which is the last one.
std::vector<int> scanned_slots(int most);

/// 1, 2, 5, 10, 20, 50, ... up to `largest`, which is the last one.
std::vector<int> scanned_batches(int largest);

/// How many points scan_pipeline() measures.
std::size_t points_of_scan(const PipelineScanSettings& settings);

/// Runs `measure(slots, events_per_batch) -> PipelineScanSample` once as a warm-up and then
/// `repeat` times for each point, and `after_each()` after each point. Gives both scans, as reports
/// have them; `made_smaller`: batches did not fit into the memory of a slot.
/// @throws Error where a run ended early or events failed: the numbers would mean nothing
Json scan_pipeline(
    const PipelineScanSettings& settings,
    const std::function<PipelineScanSample(int slots, int events_per_batch)>& measure,
    const std::function<void()>& after_each);

/// Both scans side by side; open points: made smaller.
Json scan_plot(const Json& scan, const std::string& title);

std::string scan_table(const Json& scan);

}  // namespace trackplex::program
