// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the fingerprints of tracks through VELO and UT, as programs do, on so many threads; in one
// element of an array that a step made it flips a bit before the next step reads it:
//
//     flip_bit FILE THREADS [ALGORITHM ARRAY ELEMENT BIT]
//
// Numbers of other kinds than floating-point ones, such as offsets, are restored after they were
// written to the file: a wrong one would lead the next step out of its arrays.
#include <common/fingerprints.hpp>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/lhcb/fingerprints.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>

#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace trackplex;
using Space = HostExecutor;

struct Fault {
  std::string algorithm, array;
  std::size_t element;
  int bit;

  void flip(const chain::StepArray& made) const {
    if (element >= made.size() || bit >= int(8 * made.element_bytes))
      throw std::runtime_error("there is no such element or bit");
    // The chain shows the memory of the array itself, which is not const.
    const_cast<char*>(made.element(element))[bit / 8] ^= char(1 << bit % 8);
  }
};

void add(program::FingerprintFile& file, const std::optional<Fault>& fault,
         const chain::StepArrays& step) {
  if (!fault || step.algorithm != fault->algorithm) return file.add(step);
  for (const auto& array : step.arrays) {
    if (array.label != fault->array) continue;
    fault->flip(array);
    file.add(step);
    if (!array.type.starts_with("float")) fault->flip(array);
    return;
  }
  throw std::runtime_error("there is no such array");
}

void write(const std::string& path, const std::optional<Fault>& fault) {
  const auto detector = simulation::ideal_detector();
  const simulation::RawEventGenerator generate(detector, {}, 2024);
  std::vector<lhcb::RawEvent> events;
  for (std::uint64_t i = 0; i < 6; ++i) events.push_back(generate(i).raw);
  auto find_tracks = lhcb::velo_ut_chain<float>(Space(), detector, {});
  program::FingerprintFile file;
  file.begin_run({"host", concurrency_of(Space()), default_lane_width<Space, float>, "float"}, "");
  find_tracks.observe([&](const chain::StepArrays& step) { add(file, fault, step); });
  for (const std::size_t first : {0, 4}) {  // the second batch reuses nothing of the first
    const auto batch = std::span(events).subspan(first, first == 0 ? 4 : 2);
    file.begin_batch(batch.size());
    std::vector<std::string> hashes;
    for (const auto& result : find_tracks(batch)) {
      Fingerprint hash;
      lhcb::add_result(hash, result);
      hashes.push_back(hash.hex());
    }
    file.add_results(hashes);
  }
  file.write(path, "flip_bit", {{"seed", 2024}}, 4);
}

}  // namespace

int main(int argc, char* argv[]) try {
  if (argc != 3 && argc != 7) throw std::runtime_error("wrong number of arguments");
  const KokkosScope kokkos(std::stoi(argv[2]));
  std::optional<Fault> fault;
  if (argc == 7) fault = Fault{argv[3], argv[4], std::stoul(argv[5]), std::stoi(argv[6])};
  write(argv[1], fault);
} catch (const std::exception& error) {
  std::fprintf(stderr, "flip_bit: %s\n", error.what());
  return 1;
}
