// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <fstream>
#include <trackplex/core/error.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/io/lhcb/mdf.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>
#include <vector>

using namespace trackplex;

/// Three events, the first one damaged, and the detector.
void write_files() {
  const auto detector = simulation::ideal_detector();
  const simulation::RawEventGenerator generate(detector);
  std::vector<io::MdfEvent> events;
  for (int i = 0; i < 3; ++i) {
    auto event = generate(i);
    events.push_back({event.raw, event.truth});
  }
  io::write_detector("generated-geometry", detector);
  io::write_mdf("generated.mdf", events);
  std::fstream("generated.mdf", std::ios::binary | std::ios::in | std::ios::out)
      .seekp(1000)
      .put('?');
}

int main() {
  write_files();
  const lhcb::Detector detector = io::read_detector("generated-geometry");
  std::vector<lhcb::RawEvent> events;
  std::vector<lhcb::McEvent> truth;
  auto reader = io::open_mdf("generated.mdf");
  for (;;) {
    try {
      const auto event = reader.next();
      if (!event) break;
      events.push_back(event->raw);
      truth.push_back(event->truth.value_or(lhcb::McEvent()));
    } catch (const InputError& error) {
      std::printf("%s\n", error.what());  // the next call returns the next event
    }
  }
  for (std::size_t e = 0; e < events.size(); ++e)
    std::printf("run %u, event %llu: %zu VP and %zu UT banks, %zu particles\n", events[e].run,
                static_cast<unsigned long long>(events[e].number), events[e].vp.size(),
                events[e].ut.size(), truth[e].particles.size());
  std::printf("polarity %+d\n", int(detector.polarity));
}
