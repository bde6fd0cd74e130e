// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lhcb_events.hpp"

#include "finder.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/lhcb_geometry.hpp>
#include <trackplex/io/lhcb/mc_truth.hpp>
#include <trackplex/io/lhcb/mdf.hpp>
#include <trackplex/lhcb/check_raw_banks.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>
#include <trackplex/simulation/velo_generator.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::python {

namespace {

using lhcb::Detector;
using lhcb::McEvent;
using lhcb::McParticle;
using lhcb::RawBanks;
using lhcb::RawEvent;
using lhcb::VeloEvent;

RawBanks banks_of(int version, const py::object& sources, const py::object& first_words,
                  const py::object& words) {
  RawBanks banks;
  const auto from = numbers_of<std::uint16_t>("sources", sources);
  const auto n = from.size();
  const auto first = numbers_of_length<std::uint32_t>("first_words", first_words, n + 1);
  const auto all = numbers_of<std::uint32_t>("words", words);
  banks.version = version;
  banks.sources.assign(from.data(), from.data() + n);
  banks.first_words.assign(first.data(), first.data() + n + 1);
  banks.words.assign(all.data(), all.data() + all.size());
  for (py::ssize_t b = 0; b < n; ++b)
    banks.bytes.push_back(4 * (banks.first_words[b + 1] - banks.first_words[b]));
  return banks;
}

/// The arrays of banks, which the event owns.
py::dict arrays_of(const RawBanks& banks, py::handle base) {
  py::dict arrays;
  arrays["version"] = banks.version;
  arrays["sources"] = view_of_span<std::uint16_t>(banks.sources, base);
  arrays["bytes"] = view_of_span<std::uint32_t>(banks.bytes, base);
  arrays["first_words"] = view_of_span<std::uint32_t>(banks.first_words, base);
  arrays["words"] = view_of_span<std::uint32_t>(banks.words, base);
  return arrays;
}

std::shared_ptr<VeloEvent> velo_event(const py::object& x, const py::object& y, const py::object& z,
                                      const py::object& module_offsets, const std::string& name) {
  auto event = std::make_shared<VeloEvent>();
  const auto xs = numbers_of<double>("x", x);
  const auto n = xs.size();
  const auto ys = numbers_of_length<double>("y", y, n), zs = numbers_of_length<double>("z", z, n);
  const auto offsets = numbers_of_length<std::uint32_t>("module_offsets", module_offsets,
                                                        py::ssize_t(event->module_offsets.size()));
  if (offsets.data()[0] != 0 || offsets.data()[lhcb::velo_modules] != std::uint32_t(n) ||
      !std::is_sorted(offsets.data(), offsets.data() + offsets.size()))
    throw py::value_error("module_offsets do not rise from 0 to the number of hits");
  event->name = name;
  event->x.assign(xs.data(), xs.data() + n);
  event->y.assign(ys.data(), ys.data() + n);
  event->z.assign(zs.data(), zs.data() + n);
  std::copy_n(offsets.data(), offsets.size(), event->module_offsets.begin());
  return event;
}

using EventAndTruth = std::pair<std::shared_ptr<RawEvent>, std::shared_ptr<McEvent>>;

std::vector<EventAndTruth> generate_raw(const Detector& detector, int n, std::uint64_t seed,
                                        std::uint64_t first) {
  const py::gil_scoped_release release;
  const simulation::RawEventGenerator generate(detector, {}, seed);
  std::vector<EventAndTruth> events;
  for (int i = 0; i < n; ++i) {
    auto event = generate(first + std::uint64_t(i));
    events.emplace_back(std::make_shared<RawEvent>(std::move(event.raw)),
                        std::make_shared<McEvent>(std::move(event.truth)));
  }
  return events;
}

std::vector<std::shared_ptr<VeloEvent>> generate_velo(int n, std::uint64_t seed,
                                                      std::uint64_t first) {
  const py::gil_scoped_release release;
  const simulation::VeloGenerator generate({}, seed);
  std::vector<std::shared_ptr<VeloEvent>> events;
  for (int i = 0; i < n; ++i)
    events.push_back(std::make_shared<VeloEvent>(generate(first + std::uint64_t(i))));
  return events;
}

/// Events with their truth; None where the file has none.
std::vector<EventAndTruth> read_mdf(const std::filesystem::path& path) {
  const py::gil_scoped_release release;
  std::vector<EventAndTruth> events;
  for (auto& event : io::read_mdf(path)) {
    events.emplace_back(std::make_shared<RawEvent>(std::move(event.raw)), nullptr);
    if (event.truth) events.back().second = std::make_shared<McEvent>(std::move(*event.truth));
  }
  return events;
}

void write_mdf(const std::filesystem::path& path, const std::vector<EventAndTruth>& events) {
  std::vector<io::MdfEvent> all;
  for (const auto& [raw, truth] : events) {
    if (!raw) throw py::type_error("events contain None");
    io::MdfEvent event;
    event.raw = *raw;
    if (truth) event.truth = *truth;
    all.push_back(std::move(event));
  }
  io::write_mdf(path, all);
}

/// Folders complete each other.
std::vector<std::shared_ptr<RawEvent>> read_folders(
    const std::vector<std::filesystem::path>& folders) {
  const py::gil_scoped_release release;
  std::vector<std::shared_ptr<RawEvent>> events;
  for (const auto& name : io::raw_event_names(folders))
    events.push_back(std::make_shared<RawEvent>(io::read_raw_event(folders, name)));
  return events;
}

void add_events(py::module_& module) {
  py::class_<Detector, std::shared_ptr<Detector>>(module, "Detector")
      .def_static(
          "ideal",
          [](bool scifi) {
            auto detector = simulation::ideal_detector();
            if (scifi) detector.scifi = simulation::ideal_scifi();
            return detector;
          },
          py::arg("scifi") = false)
      .def_static(
          "read",
          [](const std::vector<std::filesystem::path>& folders) {
            return io::read_detector(folders);
          },
          py::arg("folders"))
      .def(
          "write",
          [](const Detector& detector, const std::filesystem::path& folder) {
            io::write_detector(folder, detector);
          },
          py::arg("folder"))
      .def_readwrite("polarity", &Detector::polarity);
  py::class_<RawEvent, std::shared_ptr<RawEvent>>(module, "RawEvent")
      .def(py::init([](const py::dict& vp, const py::dict& ut, const std::string& name,
                       std::uint32_t run, std::uint64_t number,
                       const std::optional<py::dict>& scifi) {
             auto event = std::make_shared<RawEvent>();
             const auto banks = [](const py::dict& of) {
               return banks_of(of["version"].cast<int>(), of["sources"], of["first_words"],
                               of["words"]);
             };
             event->name = name;
             event->run = run;
             event->number = number;
             event->vp = banks(vp);
             event->ut = banks(ut);
             if (scifi) event->scifi = banks(*scifi);
             lhcb::check_raw_event(*event);
             return event;
           }),
           py::arg("vp"), py::arg("ut"), py::arg("name") = "event", py::arg("run") = 0,
           py::arg("number") = 0, py::arg("scifi") = py::none())
      .def_readonly("name", &RawEvent::name)
      .def_readonly("run", &RawEvent::run)
      .def_readonly("number", &RawEvent::number)
      .def_property_readonly(
          "vp", [](py::object self) { return arrays_of(self.cast<RawEvent&>().vp, self); })
      .def_property_readonly(
          "ut", [](py::object self) { return arrays_of(self.cast<RawEvent&>().ut, self); })
      .def_property_readonly(
          "scifi", [](py::object self) { return arrays_of(self.cast<RawEvent&>().scifi, self); });
  py::class_<VeloEvent, std::shared_ptr<VeloEvent>> velo(module, "VeloEvent");
  velo.def(py::init(&velo_event), py::arg("x"), py::arg("y"), py::arg("z"),
           py::arg("module_offsets"), py::arg("name") = "event")
      .def_readonly("name", &VeloEvent::name)
      .def("__len__", [](const VeloEvent& event) { return event.size(); })
      .def_property_readonly("module_offsets", [](py::object self) {
        return view_of_span<std::uint32_t>(self.cast<VeloEvent&>().module_offsets, self);
      });
  const auto column = [&](const char* name, std::vector<double> VeloEvent::*member) {
    velo.def_property_readonly(name, [member](py::object self) {
      return view_of_span<double>(self.cast<VeloEvent&>().*member, self);
    });
  };
  column("x", &VeloEvent::x);
  column("y", &VeloEvent::y);
  column("z", &VeloEvent::z);
}

void add_truth(py::module_& module) {
  py::class_<McEvent, std::shared_ptr<McEvent>> type(module, "McEvent");
  type.def_readonly("name", &McEvent::name).def("__len__", [](const McEvent& event) {
    return event.particles.size();
  });
  const auto column = [&](const char* name, auto McParticle::*member) {
    type.def_property_readonly(name, [member](py::object self) {
      return column_of(self.cast<McEvent&>().particles, member, self);
    });
  };
  column("key", &McParticle::key);
  column("pid", &McParticle::pid);
  column("mother_key", &McParticle::mother_key);
  column("p", &McParticle::p);
  column("pt", &McParticle::pt);
  column("eta", &McParticle::eta);
  column("phi", &McParticle::phi);
  column("charge", &McParticle::charge);
  column("is_long", &McParticle::is_long);
  column("has_velo", &McParticle::has_velo);
  column("has_ut", &McParticle::has_ut);
  column("has_scifi", &McParticle::has_scifi);
  column("from_beauty", &McParticle::from_beauty);
  const auto ids = [&](const char* name, std::vector<std::uint32_t> McParticle::*member) {
    type.def(
        name,
        [member](py::object self, std::size_t particle) {
          return view_of_span<std::uint32_t>(self.cast<McEvent&>().particles.at(particle).*member,
                                             self);
        },
        py::arg("particle"));
  };
  ids("velo_ids", &McParticle::velo_ids);
  ids("ut_ids", &McParticle::ut_ids);
  ids("scifi_ids", &McParticle::scifi_ids);
}

}  // namespace

void add_lhcb_events(py::module_& module) {
  add_events(module);
  add_truth(module);
  module.def("generate_raw_events", &generate_raw, py::arg("detector"), py::arg("n"),
             py::arg("seed") = 1, py::arg("first") = 0);
  module.def("generate_velo_events", &generate_velo, py::arg("n"), py::arg("seed") = 1,
             py::arg("first") = 0);
  module.def("read_mdf", &read_mdf, py::arg("path"));
  module.def("write_mdf", &write_mdf, py::arg("path"), py::arg("events"));
  module.def("read_raw_events", &read_folders, py::arg("folders"));
  module.def(
      "read_mc_event",
      [](const std::filesystem::path& folder, const std::string& name) {
        return std::make_shared<McEvent>(io::read_mc_event(folder, name));
      },
      py::arg("folder"), py::arg("name"));
}

}  // namespace trackplex::python
