// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "detectors.hpp"
#include "finder.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <trackplex/io/detectors/acts_events.hpp>
#include <trackplex/io/detectors/trackml_events.hpp>
#include <trackplex/simulation/detector_generator.hpp>
#include <trackplex/simulation/particle_gun.hpp>
#include <trackplex/simulation/trackml.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::python {

namespace {

using EventPointer = std::shared_ptr<DetectorEvent>;
using tracks::TrueParticle;

EventPointer event_of_hits(const DescriptionPointer& detector, const py::object& modules,
                           const py::object& u, const py::object& v, const py::object& variance_u,
                           const py::object& variance_v) {
  const auto module_of_hit = numbers_of<std::int32_t>("modules", modules);
  const auto n = module_of_hit.size();
  const auto us = numbers_of_length<double>("u", u, n), vs = numbers_of_length<double>("v", v, n);
  const auto of_u = numbers_of_length<double>("variance_u", variance_u, n);
  const auto of_v = numbers_of_length<double>("variance_v", variance_v, n);
  auto event = std::make_shared<DetectorEvent>(detector);
  auto& hits = event->list.hits;
  for (py::ssize_t i = 0; i < n; ++i)
    hits.add(module_of_hit.at(i), us.at(i), vs.at(i), of_u.at(i), of_v.at(i));
  hits.end_event();
  event->list.particle_offsets.push_back(0);
  return event;
}

/// Particles of starts (x, y, z, 1/pT, phi, theta) and charges.
std::vector<TrueParticle> particles_of(const py::object& starts, const py::object& charges) {
  const auto start = numbers_of<double>("starts", starts, 2);
  if (start.shape(1) != 6) throw py::value_error("starts have no 6 parameters each");
  const auto charge = numbers_of_length<std::int32_t>("charges", charges, start.shape(0));
  std::vector<TrueParticle> particles;
  for (py::ssize_t i = 0; i < charge.size(); ++i) {
    auto& particle = particles.emplace_back();
    for (int k = 0; k < 6; ++k) particle.start(k) = start.at(i, k);
    particle.charge = charge.at(i);
  }
  return particles;
}

/// Field and parameters of a generator.
class Generator {
 public:
  Generator(DescriptionPointer detector, std::shared_ptr<const AxialField> field, double noise,
            double inefficiency, double mass, bool like_trackml, std::uint64_t seed)
      : detector_(std::move(detector)),
        field_(std::move(field)),
        seed_(seed),
        generator_(*detector_, field_->map(), params_of(noise, inefficiency, mass, like_trackml),
                   seed) {}

  EventPointer random(const simulation::ParticleGunParams& gun, std::uint64_t number) const {
    return event(simulation::shoot_particles(gun, number, seed_), number);
  }
  EventPointer event(const std::vector<TrueParticle>& particles, std::uint64_t number) const {
    auto event = std::make_shared<DetectorEvent>(detector_);
    generator_.add_event(number, particles, event->list);
    return event;
  }

 private:
  static simulation::DetectorGeneratorParams params_of(double noise, double inefficiency,
                                                       double mass, bool like_trackml) {
    simulation::DetectorGeneratorParams params;
    if (like_trackml) params = simulation::trackml_generator_params();
    params.noise_fraction = noise;
    params.efficiency = 1. - inefficiency;
    params.particle_mass = mass;
    return params;
  }

  DescriptionPointer detector_;
  std::shared_ptr<const AxialField> field_;
  std::uint64_t seed_;
  simulation::DetectorGenerator<AxialField::Map<double>> generator_;
};

simulation::ParticleGunParams gun_of(int particles, double min_pt, double max_pt, double max_eta,
                                     const std::array<double, 3>& centre, double sigma_xy,
                                     double sigma_z) {
  simulation::ParticleGunParams gun;
  gun.particles = particles;
  gun.min_pt = min_pt;
  gun.max_pt = max_pt;
  gun.max_abs_eta = max_eta;
  gun.vertex_x = centre[0];
  gun.vertex_y = centre[1];
  gun.vertex_z = centre[2];
  gun.vertex_sigma_xy = sigma_xy;
  gun.vertex_sigma_z = sigma_z;
  return gun;
}

void add_generator(py::module_& module) {
  py::class_<Generator>(module, "Generator")
      .def(py::init<DescriptionPointer, std::shared_ptr<const AxialField>, double, double, double,
                    bool, std::uint64_t>())
      .def("random",
           [](const Generator& generator, std::uint64_t number, int particles, double min_pt,
              double max_pt, double max_eta, const std::array<double, 3>& centre, double sigma_xy,
              double sigma_z) {
             const py::gil_scoped_release release;
             return generator.random(
                 gun_of(particles, min_pt, max_pt, max_eta, centre, sigma_xy, sigma_z), number);
           })
      .def("event", [](const Generator& generator, std::uint64_t number, const py::object& starts,
                       const py::object& charges) {
        const auto particles = particles_of(starts, charges);
        const py::gil_scoped_release release;
        return generator.event(particles, number);
      });
}

EventPointer read_trackml(const DescriptionPointer& detector, const std::filesystem::path& prefix) {
  const py::gil_scoped_release release;
  auto event = std::make_shared<DetectorEvent>(detector);
  io::TrackmlEventReader(*detector).read(io::TrackmlEventFiles::of_prefix(prefix), event->list);
  return event;
}

EventPointer parse_acts_measurements(const DescriptionPointer& detector, const std::string& text,
                                     const std::string& name) {
  const py::gil_scoped_release release;
  auto event = std::make_shared<DetectorEvent>(detector);
  io::parse_acts_measurements(*detector, text, name, event->list);
  return event;
}

void add_event(py::module_& module) {
  py::class_<DetectorEvent, EventPointer> type(module, "Event");
  type.def(py::init(&event_of_hits), py::arg("detector"), py::arg("modules"), py::arg("u"),
           py::arg("v"), py::arg("variance_u"), py::arg("variance_v"))
      .def("__len__", [](const DetectorEvent& event) { return event.list.hits.n_hits(); })
      .def_readonly("detector", &DetectorEvent::detector)
      .def_property_readonly(
          "has_truth",
          [](const DetectorEvent& event) { return !event.list.particle_of_hit.empty(); })
      .def_property_readonly(
          "starts",
          [](py::object self) {
            static const TrueParticle none{};
            const auto& list = self.cast<const DetectorEvent&>().list.particles;
            const auto& first = list.empty() ? none : list.front();
            return read_only(
                view_of(first.start.elements, {py::ssize_t(list.size()), 6},
                        {py::ssize_t(sizeof(TrueParticle)), py::ssize_t(sizeof(double))}, self));
          })
      .def_property_readonly("charges", [](py::object self) {
        return column_of(self.cast<const DetectorEvent&>().list.particles, &TrueParticle::charge,
                         self);
      });
  const auto of_hits = [&](const char* name, auto hits::HostDetectorHits::*member) {
    type.def_property_readonly(name, [member](py::object self) {
      return view_of_span(std::span(self.cast<const DetectorEvent&>().list.hits.*member), self);
    });
  };
  of_hits("modules", &hits::HostDetectorHits::module);
  of_hits("u", &hits::HostDetectorHits::u);
  of_hits("v", &hits::HostDetectorHits::v);
  of_hits("variance_u", &hits::HostDetectorHits::variance_u);
  of_hits("variance_v", &hits::HostDetectorHits::variance_v);
  of_hits("added", &hits::HostDetectorHits::added);
  const auto of_truth = [&](const char* name, auto tracks::DetectorEvents::*member) {
    type.def_property_readonly(name, [member](py::object self) {
      return view_of_span(std::span(self.cast<const DetectorEvent&>().list.*member), self);
    });
  };
  of_truth("particle_of_hit", &tracks::DetectorEvents::particle_of_hit);
  of_truth("weights", &tracks::DetectorEvents::weight);
  of_truth("n_hits", &tracks::DetectorEvents::n_hits);
}

}  // namespace

void add_detector_events(py::module_& module) {
  add_event(module);
  add_generator(module);
  module.def("read_trackml_event", &read_trackml, py::arg("detector"), py::arg("prefix"));
  module.def("parse_acts_measurements", &parse_acts_measurements, py::arg("detector"),
             py::arg("text"), py::arg("name"));
}

}  // namespace trackplex::python
