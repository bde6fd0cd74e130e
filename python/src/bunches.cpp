// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bunches.hpp"

#include "arrays.hpp"
#include "module.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <trackplex/beam/bunch/canonical.hpp>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/remove_lost.hpp>
#include <trackplex/beam/bunch/sorted_particles.hpp>
#include <trackplex/beam/bunch/species.hpp>
#include <trackplex/beam/bunch/spin_moments.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace trackplex::python {

namespace {

using beam::n_coordinates;
using beam::n_spin_components;
using Bunch = PythonBunch::Bunch;
using BunchPointer = std::unique_ptr<PythonBunch>;

/// Base of the views of a bunch: what keeps their memory, even if the bunch gets another one.
struct Kept {
  SessionPointer session;
  py::object memory;
  Bunch bunch;
};

Kept kept(const PythonBunch& b) { return {b.session, b.memory, b.bunch}; }

/// Coordinates in place: (6, n) of double, with contiguous rows at equal distances. The bunch then
/// has no other memory for them.
bool fits(const py::array& array) {
  constexpr auto size = py::ssize_t(sizeof(double));
  return py::isinstance<py::array_t<double>>(array) && array.writeable() &&
         (array.shape(1) < 2 || array.strides(1) == size) &&
         array.strides(0) >= array.shape(1) * size && array.strides(0) % size == 0 &&
         reinterpret_cast<std::uintptr_t>(array.data()) % alignof(double) == 0;
}

/// A bunch of n particles, none of them lost, without coordinates.
BunchPointer empty_bunch(py::ssize_t n, double p0) {
  if (n > INT32_MAX)
    throw CapacityError("Bunch", "particles", std::size_t(n), std::size_t(INT32_MAX));
  auto b = std::make_unique<PythonBunch>();
  const KernelScope scope;
  const HostExecutor exec = executor_of();
  b->bunch = Bunch(exec, int(n), p0);
  exec.fence();
  return b;
}

/// The array itself where it fits, else a copy.
BunchPointer from_array(const py::array& coordinates, double p0) {
  if (coordinates.ndim() != 2 || coordinates.shape(0) != n_coordinates)
    throw py::value_error("coordinates have no shape (6, n)");
  py::array array = coordinates;
  if (!fits(array)) {
    const auto checked = checked_array("coordinates", coordinates, 2);
    array = py::module_::import("numpy").attr("array")(checked, py::dtype::of<double>(),
                                                       py::arg("order") = "C");
  }
  const auto n = array.shape(1);
  const auto stride = std::size_t(array.strides(0)) / sizeof(double);
  BunchPointer b = empty_bunch(n, p0);
  auto* const data = static_cast<double*>(array.mutable_data());
  b->bunch.use_coordinates(
      Bunch::Array<double>(data, (n_coordinates - 1) * stride + std::size_t(n)), stride);
  b->memory = std::move(array);
  return b;
}

/// One array for each coordinate, which are copied; absent ones are 0.
BunchPointer from_columns(const py::dict& columns, py::ssize_t n, double p0) {
  constexpr const char* names[] = {"x", "xp", "y", "yp", "s", "delta"};
  BunchPointer b = empty_bunch(n, p0);
  for (int c = 0; c < n_coordinates; ++c) {
    double* const to = b->bunch.column(c);
    if (!columns.contains(names[c])) {
      std::fill_n(to, n, 0.);
      continue;
    }
    const auto values = numbers_of_length<double>(names[c], columns[names[c]], n);
    std::copy_n(values.data(), n, to);
  }
  return b;
}

/// Sets a parameter if it is given.
template <class T>
void set_parameter(const py::dict& from, const char* name, T& to) {
  if (!from.contains(name)) return;
  try {
    to = from[name].cast<T>();
  } catch (const py::cast_error&) {
    throw py::type_error(std::string(name) + " = " + py::cast<std::string>(py::repr(from[name])) +
                         " is no value of this parameter");
  }
}

/// Parameters of one plane: those that end with its suffix.
void set_plane(const py::dict& from, const std::string& plane, simulation::BunchPlane& to) {
  const auto set = [&](const char* name, double& value) {
    set_parameter(from, (name + ("_" + plane)).c_str(), value);
  };
  const auto is_given = [&](const char* name) {
    return from.contains(py::str(name + ("_" + plane)));
  };
  if (is_given("emittance") && !is_given("normalized_emittance")) to.normalized_emittance = 0.;
  set("emittance", to.emittance);
  set("normalized_emittance", to.normalized_emittance);
  set("beta", to.beta);
  set("alpha", to.alpha);
  set("dispersion", to.dispersion);
  set("dispersion_slope", to.dispersion_slope);
  set("position", to.position);
  set("slope", to.slope);
}

/// The parameters that are given, else those of `BunchParams`. Python has checked their names.
simulation::BunchParams params_of(const py::dict& given) {
  simulation::BunchParams params;
  set_plane(given, "x", params.x);
  set_plane(given, "y", params.y);
  const auto set = [&](const char* name, auto& to) { set_parameter(given, name, to); };
  set("p0", params.p0);
  set("charge", params.charge);
  set("sigma_s", params.sigma_s);
  set("sigma_delta", params.sigma_delta);
  set("chirp", params.chirp);
  set("mean_s", params.mean_s);
  set("mean_delta", params.mean_delta);
  set("cutoff", params.cutoff);
  set("modulation_wavelength", params.modulation_wavelength);
  set("modulation_depth", params.modulation_depth);
  set("anomaly", params.anomaly);
  set("particles", params.particles);
  set("seed", params.seed);
  set("exact_moments", params.exact_moments);
  bool flat = false, canonical = false;
  set("flat", flat);
  set("canonical", canonical);
  if (flat) params.profile = simulation::BunchProfile::flat;
  if (canonical) params.coordinates = simulation::BunchCoordinates::canonical;
  std::array<double, 3> spin{};
  set("spin", spin);
  if (given.contains("spin")) params.spin = spin;
  return params;
}

BunchPointer generate(const py::dict& given) {
  const auto params = params_of(given);
  auto b = std::make_unique<PythonBunch>();
  const KernelScope scope;
  const HostExecutor exec = executor_of();
  b->bunch = simulation::generate_bunch<double>(exec, params, b->workspace);
  exec.fence();
  return b;
}

/// Names the particles; known ones get their mass and charge.
void set_species(PythonBunch& b, const std::string& species) {
  b.species = species;
  if (const auto* known = beam::find_species(species))
    b.bunch.reference.set_particle(known->mass, known->charge);
}

BunchPointer read(const std::filesystem::path& path, double p0, const std::string& iteration,
                  const std::string& species) {
  auto b = std::make_unique<PythonBunch>();
  const KernelScope scope;
  const auto file =
      io::read_bunch_file(path, {.p0 = p0, .iteration = iteration, .species = species});
  b->bunch = beam::upload<double>(executor_of(), file.particles);
  if (!file.species.empty()) set_species(*b, file.species);
  return b;
}

void write(const PythonBunch& b, const std::filesystem::path& path) {
  const KernelScope scope;
  io::write_bunch(path, beam::sorted_particles(executor_of(), b.bunch), {}, nullptr, b.species);
}

BunchPointer copy_of(const PythonBunch& b) {
  auto copy = std::make_unique<PythonBunch>();
  copy->turn = b.turn;
  copy->species = b.species;
  const KernelScope scope;
  const HostExecutor exec = executor_of();
  beam::copy_bunch(exec, b.bunch, copy->bunch);
  exec.fence();
  return copy;
}

py::array coordinate(const PythonBunch& b, int c) {
  return view_of(b.bunch.column(c), std::size_t(b.bunch.size_with_lost()), owned(kept(b)));
}

py::array coordinates(const PythonBunch& b) {
  const auto n = py::ssize_t(b.bunch.size_with_lost());
  const auto row = n == 0 ? py::ssize_t(0) : py::ssize_t(b.bunch.column(1) - b.bunch.column(0));
  constexpr auto size = py::ssize_t(sizeof(double));
  return view_of(b.bunch.column(0), {n_coordinates, n}, {row * size, size}, owned(kept(b)));
}

py::array loss_column(const PythonBunch& b, std::int32_t beam::Loss::*member) {
  static const beam::Loss none;
  const auto n = py::ssize_t(b.bunch.size_with_lost());
  const beam::Loss* const first = n == 0 ? &none : b.bunch.losses.data();
  return read_only(
      view_of(&(first->*member), {n}, {py::ssize_t(sizeof(beam::Loss))}, owned(kept(b))));
}

py::array ids(const PythonBunch& b) {
  return read_only(
      view_of(b.bunch.ids.data(), std::size_t(b.bunch.size_with_lost()), owned(kept(b))));
}

/// The spins as rows of their components, or None.
py::object spins(const PythonBunch& b) {
  if (!b.bunch.has_spins()) return py::none();
  const auto n = py::ssize_t(b.bunch.size_with_lost());
  const auto columns = b.bunch.spin_columns();
  constexpr auto size = py::ssize_t(sizeof(double));
  return view_of(columns.v[0], {n_spin_components, n},
                 {py::ssize_t(columns.v[1] - columns.v[0]) * size, size}, owned(kept(b)));
}

/// Gives all particles one spin (3), or each its own (3, n); None: they have none.
void set_spins(PythonBunch& b, const py::object& values) {
  if (values.is_none()) return b.bunch.remove_spins();
  const auto n = py::ssize_t(b.bunch.size_with_lost());
  const auto all = py::array::ensure(values);
  const bool is_one = all && all.ndim() == 1;
  const auto rows = is_one ? numbers_of_shape<double>("spins", values, {n_spin_components})
                           : numbers_of_shape<double>("spins", values, {n_spin_components, n});
  const auto spin = [&](int c, py::ssize_t i) { return rows.data()[is_one ? c : c * n + i]; };
  for (py::ssize_t i = 0; i < (is_one ? 1 : n); ++i)
    if (!beam::is_unit_spin(spin(0, i), spin(1, i), spin(2, i)))
      throw py::value_error("spins: x, y and z of particle " + std::to_string(i) +
                            " are not a unit vector");
  if (!b.bunch.has_spins()) {
    const KernelScope scope;
    b.bunch.add_spins(executor_of());
  }
  const auto to = b.bunch.spin_columns();
  for (int c = 0; c < n_spin_components; ++c)
    for (py::ssize_t i = 0; i < n; ++i) to.v[c][i] = spin(c, i);
}

beam::SpinMoments spin_moments(PythonBunch& b) {
  const KernelScope scope;
  return beam::spin_moments_of(executor_of(), b.bunch, b.workspace);
}

beam::Moments moments(PythonBunch& b) {
  const KernelScope scope;
  return beam::moments_of(executor_of(), b.bunch, b.workspace);
}

beam::CanonicalMoments canonical_moments(PythonBunch& b) {
  const KernelScope scope;
  return beam::canonical_moments_of<double>(executor_of(), b.bunch, b.workspace);
}

std::int64_t remove_lost(PythonBunch& b) {
  const KernelScope scope;
  const HostExecutor exec = executor_of();
  const auto n = beam::remove_lost(exec, b.bunch, b.workspace);
  exec.fence();
  return n;
}

std::string fingerprint(const PythonBunch& b) {
  const KernelScope scope;
  return beam::fingerprint_of(executor_of(), b.bunch);
}

/// All that a bunch is, for pickle.
py::tuple state_of(const PythonBunch& b) {
  const auto& of = b.bunch;
  const auto copy = [](const py::array& array) { return array.attr("copy")(); };
  return py::make_tuple(copy(coordinates(b)), copy(ids(b)), copy(loss_column(b, &beam::Loss::turn)),
                        copy(loss_column(b, &beam::Loss::element)), of.reference.p0,
                        of.reference.path_length, of.particle_charge, of.seed, of.size(),
                        of.may_have_lost, b.turn, b.species, of.anomaly, of.reference.mass,
                        of.reference.charge,
                        of.has_spins() ? py::object(copy(spins(b))) : py::none());
}

BunchPointer from_state(const py::tuple& state) {
  if (state.size() != 16) throw py::value_error("this is no state of a Bunch");
  auto b = from_array(state[0].cast<py::array>(), state[4].cast<double>());
  auto& to = b->bunch;
  const auto n = py::ssize_t(to.size_with_lost());
  const auto ids = numbers_of_length<std::int64_t>("ids", state[1], n);
  const auto turns = numbers_of_length<std::int32_t>("lost_turn", state[2], n);
  const auto elements = numbers_of_length<std::int32_t>("lost_element", state[3], n);
  std::copy_n(ids.data(), n, to.ids.data());
  for (py::ssize_t i = 0; i < n; ++i) to.losses(i) = {turns.data()[i], elements.data()[i]};
  to.reference.path_length = state[5].cast<double>();
  to.particle_charge = state[6].cast<double>();
  to.seed = state[7].cast<std::uint64_t>();
  const int size = state[8].cast<int>();
  if (size < 0 || size > n) throw py::value_error("this is no state of a Bunch");
  to.set_share(size);
  to.may_have_lost = state[9].cast<bool>();
  b->turn = state[10].cast<int>();
  b->species = state[11].cast<std::string>();
  to.anomaly = state[12].cast<double>();
  to.reference.mass = state[13].cast<double>();
  to.reference.charge = state[14].cast<double>();
  set_spins(*b, state[15]);
  return b;
}

py::array vector_of(const beam::Moments::Vector& vector, py::handle base) {
  return read_only(view_of(vector.data(), std::size_t(n_coordinates), base));
}

void add_moments(py::module_& module) {
  using beam::Moments;
  using beam::PlaneOptics;
  py::class_<PlaneOptics>(module, "PlaneOptics")
      .def_readonly("emittance", &PlaneOptics::emittance)
      .def_readonly("normalized_emittance", &PlaneOptics::normalized_emittance)
      .def_readonly("beta", &PlaneOptics::beta)
      .def_readonly("alpha", &PlaneOptics::alpha)
      .def_readonly("dispersion", &PlaneOptics::dispersion)
      .def_readonly("dispersion_slope", &PlaneOptics::dispersion_slope);
  const auto of_plane = [](const Moments& m, const std::string& plane, bool betatron) {
    if (plane != "x" && plane != "y") throw py::value_error("plane is neither 'x' nor 'y'");
    const auto coordinate = plane == "x" ? beam::x : beam::y;
    return betatron ? m.betatron_optics(coordinate) : m.optics(coordinate);
  };
  py::class_<Moments>(module, "Moments")
      .def_readonly("number", &Moments::number)
      .def_property_readonly("p0", [](const Moments& m) { return m.reference.p0; })
      .def_property_readonly("path_length",
                             [](const Moments& m) { return m.reference.path_length; })
      .def_property_readonly(
          "mean", [](py::object self) { return vector_of(self.cast<Moments&>().mean, self); })
      .def_property_readonly(
          "min", [](py::object self) { return vector_of(self.cast<Moments&>().min, self); })
      .def_property_readonly(
          "max", [](py::object self) { return vector_of(self.cast<Moments&>().max, self); })
      .def_property_readonly("covariance",
                             [](py::object self) {
                               constexpr auto size = py::ssize_t(sizeof(double));
                               return read_only(view_of(self.cast<Moments&>().covariance[0].data(),
                                                        {n_coordinates, n_coordinates},
                                                        {n_coordinates * size, size}, self));
                             })
      .def_property_readonly("sigma",
                             [](const Moments& m) {
                               py::array_t<double> sigma(n_coordinates);
                               for (int c = 0; c < n_coordinates; ++c)
                                 sigma.mutable_at(c) = m.sigma(c);
                               return sigma;
                             })
      .def_property_readonly("beta_gamma", &Moments::beta_gamma)
      .def_property_readonly("momentum_spread", &Moments::momentum_spread)
      .def_property_readonly("chirp", &Moments::chirp)
      .def_property_readonly("duration", &Moments::duration)
      .def("optics", of_plane, py::arg("plane"), py::arg("betatron") = false);
}

void add_canonical_moments(py::module_& module) {
  using beam::CanonicalMoments;
  py::class_<CanonicalMoments>(module, "CanonicalMoments")
      .def_readonly("number", &CanonicalMoments::number)
      .def_property_readonly("mean",
                             [](const py::object& self) {
                               const auto& mean = self.cast<const CanonicalMoments&>().mean;
                               return read_only(view_of(mean.data(), mean.size(), self));
                             })
      .def_property_readonly("covariance", [](const py::object& self) {
        constexpr auto size = py::ssize_t(sizeof(double));
        return read_only(view_of(self.cast<const CanonicalMoments&>().covariance[0].data(),
                                 {n_coordinates, n_coordinates}, {n_coordinates * size, size},
                                 self));
      });
}

void add_spin_moments(py::module_& module) {
  using beam::SpinMoments;
  const auto vector = [](SpinMoments::Vector SpinMoments::*member) {
    return [member](const py::object& self) {
      const auto& values = self.cast<const SpinMoments&>().*member;
      return read_only(view_of(values.data(), values.size(), self));
    };
  };
  py::class_<SpinMoments>(module, "SpinMoments")
      .def_readonly("number", &SpinMoments::number)
      .def_property_readonly("mean", vector(&SpinMoments::mean))
      .def_property_readonly("sigma", vector(&SpinMoments::sigma))
      .def_property_readonly("polarization", &SpinMoments::polarization);
  py::dict anomalies;
  for (const auto& species : beam::known_species)
    if (species.anomaly) anomalies[py::str(std::string(species.name))] = *species.anomaly;
  module.attr("anomalies") = anomalies;
}

}  // namespace

void add_bunches(py::module_ module) {
  add_moments(module);
  add_canonical_moments(module);
  add_spin_moments(module);
  py::class_<PythonBunch> type(module, "Bunch");
  constexpr const char* names[] = {"x", "xp", "y", "yp", "s", "delta"};
  for (int c = 0; c < n_coordinates; ++c)
    type.def_property_readonly(names[c], [c](const PythonBunch& b) { return coordinate(b, c); });
  type.def_static("from_array", &from_array, py::arg("coordinates"), py::arg("p0"))
      .def_static("_from_columns", &from_columns)
      .def_static("_generate", &generate)
      .def_static("read", &read, py::arg("path"), py::arg("p0") = 0., py::arg("iteration") = "",
                  py::arg("species") = "")
      .def("write", &write, py::arg("path"))
      .def("copy", &copy_of)
      .def("__copy__", &copy_of)
      .def("__deepcopy__", [](const PythonBunch& b, py::dict) { return copy_of(b); })
      .def("__len__", [](const PythonBunch& b) { return b.bunch.size(); })
      .def_property_readonly("coordinates", &coordinates)
      .def_property_readonly("ids", &ids)
      .def_property_readonly("lost_turn",
                             [](const PythonBunch& b) { return loss_column(b, &beam::Loss::turn); })
      .def_property_readonly(
          "lost_element", [](const PythonBunch& b) { return loss_column(b, &beam::Loss::element); })
      .def_property("spins", &spins, &set_spins)
      .def_property(
          "anomaly", [](const PythonBunch& b) { return b.bunch.anomaly; },
          [](PythonBunch& b, double anomaly) { b.bunch.anomaly = anomaly; })
      .def("spin_moments", &spin_moments)
      .def_property_readonly("n_removed", [](const PythonBunch& b) { return b.bunch.n_removed(); })
      .def_property_readonly("size_with_lost",
                             [](const PythonBunch& b) { return b.bunch.size_with_lost(); })
      .def_property_readonly("p0", [](const PythonBunch& b) { return b.bunch.reference.p0; })
      .def_property(
          "path_length", [](const PythonBunch& b) { return b.bunch.reference.path_length; },
          [](PythonBunch& b, double length) { b.bunch.reference.path_length = length; })
      .def_property(
          "particle_charge", [](const PythonBunch& b) { return b.bunch.particle_charge; },
          [](PythonBunch& b, double charge) { b.bunch.particle_charge = charge; })
      .def_property(
          "seed", [](const PythonBunch& b) { return b.bunch.seed; },
          [](PythonBunch& b, std::uint64_t seed) { b.bunch.seed = seed; })
      .def_readwrite("turn", &PythonBunch::turn)
      .def_property(
          "mass", [](const PythonBunch& b) { return b.bunch.reference.mass; },
          [](PythonBunch& b, double mass) {
            if (!(mass > 0.)) throw py::value_error("mass: it is not above 0");
            b.bunch.reference.mass = mass;
          })
      .def_property(
          "charge_number", [](const PythonBunch& b) { return b.bunch.reference.charge; },
          [](PythonBunch& b, double number) {
            if (!(number >= 0.)) throw py::value_error("charge_number: it is below 0");
            b.bunch.reference.charge = number;
          })
      .def_property(
          "species", [](const PythonBunch& b) { return b.species; }, &set_species)
      .def("moments", &moments)
      .def("canonical_moments", &canonical_moments)
      .def("remove_lost", &remove_lost)
      .def("fingerprint", &fingerprint)
      .def(py::pickle(&state_of, &from_state));
}

}  // namespace trackplex::python
