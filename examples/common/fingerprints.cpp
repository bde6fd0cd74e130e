// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/build.hpp>
#include <common/fingerprints.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/version.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace trackplex::program {

namespace {

/// All NaN are alike: their sign and payload are not promised.
template <class T>
void make_nan_equal(char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  if (!std::isnan(value)) return;
  value = std::numeric_limits<T>::quiet_NaN();
  std::memcpy(bytes, &value, sizeof(T));
}

std::string hex_of(std::string_view bytes) {
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
std::string bytes_of(const chain::StepArray& array) {
  std::string bytes(array.size() * array.element_bytes, '\0');
  for (std::size_t i = 0; i < array.size(); ++i) {
    char* const element = bytes.data() + i * array.element_bytes;
    std::memcpy(element, array.element(i), array.element_bytes);
    if (array.type == "float32") make_nan_equal<float>(element);
    if (array.type == "float64") make_nan_equal<double>(element);
  }
  return bytes;
}

}  // namespace

void FingerprintFile::begin_run(const RunDescription& run, const std::string& work) {
  runs_.push_back({{"work", work},
                   {"backend", run.backend},
                   {"threads", run.threads},
                   {"lanes", run.lanes},
                   {"precision", run.precision},
                   {"batches", Json::array()}});
  bytes_ = 0;
}

void FingerprintFile::begin_batch(std::size_t events) {
  runs_.back()["batches"].push_back({{"events", events}, {"steps", Json::array()}});
}

void FingerprintFile::add(const chain::StepArrays& step) {
  Json arrays = Json::array();
  for (const auto& array : step.arrays)
    arrays.push_back(to_json(array.label, array.type, array.tiles.elements, array.element_bytes,
                             bytes_of(array)));
  steps().push_back({{"algorithm", step.algorithm}, {"arrays", std::move(arrays)}});
}

void FingerprintFile::add_results(const std::vector<std::string>& hashes) {
  std::string bytes;
  for (const auto& hash : hashes) bytes += hash;
  const std::size_t digits = hashes.empty() ? 1 : hashes.front().size();
  steps().back()["arrays"].push_back(to_json("results", "hash", 1, digits, bytes));
}

void FingerprintFile::write(const std::string& path, const std::string& program, const Json& input,
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

Json FingerprintFile::to_json(const std::string& label, const std::string& type,
                              std::size_t elements_per_item, std::size_t element_bytes,
                              const std::string& bytes) {
  Json json = {{"array", label},
               {"type", type},
               {"elements_per_item", elements_per_item},
               {"size", bytes.size() / element_bytes},
               {"hash", hash_of(bytes)}};
  bytes_ += bytes.size();
  if (bytes_ <= max_bytes) {
    json["values"] = type == "hash" ? bytes : hex_of(bytes);
    return json;
  }
  std::string hashes;
  const std::string_view all = bytes;
  for (std::size_t i = 0; i < all.size(); i += block * element_bytes)
    hashes += hash_of(all.substr(i, block * element_bytes));
  json["blocks"] = hashes;
  return json;
}

std::string FingerprintFile::hash_of(std::string_view bytes) {
  Fingerprint hash;
  for (const char byte : bytes) hash.add(byte);
  return hash.hex();
}

}  // namespace trackplex::program
