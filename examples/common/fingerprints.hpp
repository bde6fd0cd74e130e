// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The file of --fingerprints: what each step of a chain made, to the last bit, for
/// scripts/compare_bits.

#include <common/report.hpp>
#include <trackplex/chain/step_arrays.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/fingerprint.hpp>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::program {

namespace detail {

/// All NaN are alike: their sign and payload are not promised.
template <class T>
void make_nan_equal(char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  if (!std::isnan(value)) return;
  value = std::numeric_limits<T>::quiet_NaN();
  std::memcpy(bytes, &value, sizeof(T));
}

inline std::string hex_of(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    text += digits[static_cast<unsigned char>(byte) >> 4];
    text += digits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

/// The bytes of all elements, one after the other.
inline std::string bytes_of(const chain::StepArray& array) {
  std::string bytes(array.size() * array.element_bytes, '\0');
  for (std::size_t i = 0; i < array.size(); ++i) {
    char* const element = bytes.data() + i * array.element_bytes;
    std::memcpy(element, array.element(i), array.element_bytes);
    if (array.type == "float32") make_nan_equal<float>(element);
    if (array.type == "float64") make_nan_equal<double>(element);
  }
  return bytes;
}

}  // namespace detail

/// Collects what the steps of runs made. The elements of an array are in the file themselves while
/// all of them take up at most `max_bytes`; of those behind there is a hash for each `block` of
/// them, which finds a difference, too, but does not tell the elements apart.
class FingerprintFile {
 public:
  static constexpr std::size_t max_bytes = std::size_t(32) << 20;
  static constexpr std::size_t block = 64;

  /// Begins a run; `work` is the name of what is run, where a program runs several things.
  void begin_run(const RunDescription& run, const std::string& work) {
    runs_.push_back({{"work", work},
                     {"backend", run.backend},
                     {"threads", run.threads},
                     {"lanes", run.lanes},
                     {"precision", run.precision},
                     {"batches", Json::array()}});
    bytes_ = 0;
  }
  /// Begins a batch of events of the last run.
  void begin_batch(std::size_t events) {
    runs_.back()["batches"].push_back({{"events", events}, {"steps", Json::array()}});
  }
  /// Adds a step of the last batch.
  void add(const chain::StepArrays& step) {
    Json arrays = Json::array();
    for (const auto& array : step.arrays)
      arrays.push_back(to_json(array.label, array.type, array.tiles.elements, array.element_bytes,
                               detail::bytes_of(array)));
    steps().push_back({{"algorithm", step.algorithm}, {"arrays", std::move(arrays)}});
  }
  /// Adds the results, a hash for each event, all of one length, to the last step of the last
  /// batch.
  void add_results(const std::vector<std::string>& hashes) {
    std::string bytes;
    for (const auto& hash : hashes) bytes += hash;
    const std::size_t digits = hashes.empty() ? 1 : hashes.front().size();
    steps().back()["arrays"].push_back(to_json("results", "hash", 1, digits, bytes));
  }

  /// Writes all runs with what they are from.
  void write(const std::string& path, const std::string& program, const Json& input,
             int events_per_batch) const {
    const Json json = {{"schema", "trackplex-fingerprints"},
                       {"schema_version", 1},
                       {"program", program},
                       {"version", TRACKPLEX_VERSION_STRING},
                       {"git", TRACKPLEX_GIT_HASH},
                       {"compiler", TRACKPLEX_COMPILER},
                       {"flags", TRACKPLEX_FLAGS},
                       {"input", input},
                       {"events_per_batch", events_per_batch},
                       {"block", block},
                       {"runs", runs_}};
    write_file(path, json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  }

 private:
  Json& steps() { return runs_.back()["batches"].back()["steps"]; }

  Json to_json(const std::string& label, const std::string& type, std::size_t elements_per_item,
               std::size_t element_bytes, const std::string& bytes) {
    Json json = {{"array", label},
                 {"type", type},
                 {"elements_per_item", elements_per_item},
                 {"size", bytes.size() / element_bytes},
                 {"hash", hash_of(bytes)}};
    bytes_ += bytes.size();
    if (bytes_ <= max_bytes) {
      json["values"] = type == "hash" ? bytes : detail::hex_of(bytes);
      return json;
    }
    std::string hashes;
    const std::string_view all = bytes;
    for (std::size_t i = 0; i < all.size(); i += block * element_bytes)
      hashes += hash_of(all.substr(i, block * element_bytes));
    json["blocks"] = hashes;
    return json;
  }
  static std::string hash_of(std::string_view bytes) {
    Fingerprint hash;
    for (const char byte : bytes) hash.add(byte);
    return hash.hex();
  }

  Json runs_ = Json::array();
  std::size_t bytes_ = 0;  ///< of the elements of the last run
};

}  // namespace trackplex::program
