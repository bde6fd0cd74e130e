// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The file of --fingerprints: what each step of a chain made, to the last bit, for
/// scripts/compare_bits.

#include <common/run.hpp>
#include <common/table.hpp>
#include <trackplex/chain/step_arrays.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::program {

/// Collects what the steps of runs made. The elements of an array are in the file themselves while
/// all of them take up at most `max_bytes`; of those behind there is a hash for each `block` of
/// them, which finds a difference, too, but does not tell the elements apart.
class FingerprintFile {
 public:
  static constexpr std::size_t max_bytes = std::size_t(32) << 20;
  static constexpr std::size_t block = 64;

  /// Begins a run; `work` is the name of what is run, where a program runs several things.
  void begin_run(const RunDescription& run, const std::string& work);
  /// Begins a batch of events of the last run.
  void begin_batch(std::size_t events);
  /// Adds a step of the last batch.
  void add(const chain::StepArrays& step);
  /// Adds the results, a hash for each event, all of one length, to the last step of the last
  /// batch.
  void add_results(const std::vector<std::string>& hashes);

  /// Writes all runs with what they are from.
  void write(const std::string& path, const std::string& program, const Json& input,
             int events_per_batch) const;

 private:
  Json& steps() { return runs_.back()["batches"].back()["steps"]; }

  Json to_json(const std::string& label, const std::string& type, std::size_t elements_per_item,
               std::size_t element_bytes, const std::string& bytes);
  static std::string hash_of(std::string_view bytes);

  Json runs_ = Json::array();
  std::size_t bytes_ = 0;  ///< of the elements of the last run
};

}  // namespace trackplex::program
