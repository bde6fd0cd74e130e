// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lines.hpp"
#include "session.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <trackplex/core/files.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>
#include <trackplex/io/pals/pals_lattice.hpp>
#include <trackplex/io/pals/pals_writer.hpp>
#include <trackplex/io/xsuite/xsuite_line.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex::python {

namespace {

using Path = std::filesystem::path;
using LinePointer = std::shared_ptr<Line>;
/// New values of parameters of elements, by "ELEMENT.PARAMETER".
using Changes = std::map<std::string, std::variant<double, std::string>>;

io::ElegantChange change_of(const std::string& what,
                            const std::variant<double, std::string>& value) {
  const std::size_t dot = what.rfind('.');
  if (dot == what.npos || dot == 0 || dot + 1 == what.size())
    throw UsageError("changes", "'" + what + "' is not ELEMENT.PARAMETER");
  io::ElegantChange change;
  change.name = what.substr(0, dot);
  change.parameter = what.substr(dot + 1);
  change.place = "changes";
  if (const auto* number = std::get_if<double>(&value)) change.value = *number;
  if (const auto* text = std::get_if<std::string>(&value)) change.text = *text;
  return change;
}

/// A line of a lattice of elegant; what is before its last RECIRC is its injection.
LinePointer line_of(const io::ElegantLattice& file, const std::string& name, double p0) {
  const std::string used = name.empty() ? file.line : name;
  auto line = std::make_shared<Line>();
  line->name = used;
  line->p0 = p0;
  line->elements = name.empty() ? file.expand() : file.expand(name);
  const auto before = std::ptrdiff_t(file.before_recirculation(line->elements));
  if (before > 0) {
    line->injection = std::make_shared<Line>();
    line->injection->name = used;
    line->injection->elements.assign(line->elements.begin(), line->elements.begin() + before);
    line->elements.erase(line->elements.begin(), line->elements.begin() + before);
  }
  line->remarks = file.remarks;
  if (!file.skipped.empty()) line->remarks.push_back("without effect: " + file.skipped);
  if (!file.drifts.empty()) line->remarks.push_back("became drifts: " + file.drifts);
  return line;
}

LinePointer read_elegant(const Path& path, const std::string& line, double p0, bool skip_unknown,
                         const std::map<std::string, double>& numbers, const Changes& changes,
                         bool exact_edges) {
  io::ElegantLatticeOptions options;
  options.skip_unknown = skip_unknown;
  options.p0 = p0;
  options.numbers = numbers;
  options.exact_edges = exact_edges;
  for (const auto& [what, value] : changes) options.changes.push_back(change_of(what, value));
  return line_of(io::read_elegant_lattice(path, options), line, p0);
}

LinePointer parse_elegant(const std::string& text, const std::string& line, double p0) {
  io::ElegantLatticeOptions options;
  options.p0 = p0;
  return line_of(io::parse_elegant_lattice(text, "text", options), line, p0);
}

io::MadxOptions madx_options(bool exact, int slices, bool apertures, bool skip_unknown,
                             const std::map<std::string, double>& variables) {
  io::MadxOptions options;
  options.exact = exact;
  options.slices = slices;
  options.apertures = apertures;
  options.skip_unknown = skip_unknown;
  for (const auto& variable : variables) options.variables.push_back(variable);
  return options;
}

/// A sequence or line of a file of MAD-X, by default that of USE.
LinePointer line_of(const io::MadxFile& file, const std::string& name) {
  auto line = std::make_shared<Line>();
  line->name = name.empty() ? file.used() : name;
  if (line->name.empty()) throw UsageError("MadxFile", "the files have no sequence");
  auto expansion = file.expansion(line->name);
  line->elements = std::move(expansion.line);
  line->remarks = file.remarks();
  line->remarks.insert(line->remarks.end(), expansion.remarks.begin(), expansion.remarks.end());
  if (!expansion.drifts.empty()) line->remarks.push_back("became drifts: " + expansion.drifts);
  for (const auto& variable : expansion.undefined)
    line->remarks.push_back("variable '" + variable + "' has no value and counts as 0");
  if (const auto beam = file.beam(line->name)) line->p0 = beam->p0();
  return line;
}

/// A line of Xsuite or PALS.
template <class FileLine>
LinePointer line_of(FileLine&& file) {
  auto line = std::make_shared<Line>();
  line->name = std::move(file.name);
  line->elements = std::move(file.line);
  line->remarks = std::move(file.remarks);
  if (!file.drifts.empty()) line->remarks.push_back("became drifts: " + file.drifts);
  if (file.particle) line->p0 = file.particle->p0();
  return line;
}

LinePointer read_xsuite(const Path& path, const std::string& line, bool skip_unknown,
                        bool apertures, int slices) {
  io::XsuiteOptions options;
  options.line = line;
  options.skip_unknown = skip_unknown;
  options.apertures = apertures;
  options.slices = slices;
  return line_of(io::read_xsuite(path, options));
}

LinePointer read_pals(const Path& path, const std::string& branch, bool exact, bool skip_unknown,
                      bool apertures, int slices) {
  io::PalsOptions options;
  options.branch = branch;
  options.exact = exact;
  options.skip_unknown = skip_unknown;
  options.apertures = apertures;
  options.slices = slices;
  return line_of(io::read_pals(path, options));
}

std::vector<std::string> write_pals(const Path& path, const Line& line, double p0, double mass,
                                    double charge, bool skip_unknown) {
  const io::PalsLine of_pals{.name = line.name,
                             .line = line.elements,
                             .particle = io::pals_particle_of(mass, charge, p0 * mass)};
  return io::write_pals(path, of_pals, skip_unknown);
}

}  // namespace

void add_line_files(py::module_ module) {
  module.def("read_xsuite", &read_xsuite);
  module.def("read_pals", &read_pals);
  module.def("write_pals", &write_pals);
  module.def("read_elegant", &read_elegant);
  module.def("parse_elegant", &parse_elegant);
  py::class_<io::MadxFile>(module, "MadxFile")
      .def(py::init([](bool exact, int slices, bool apertures, bool skip_unknown,
                       const std::map<std::string, double>& variables) {
        return io::MadxFile(madx_options(exact, slices, apertures, skip_unknown, variables));
      }))
      .def("read_file",
           [](io::MadxFile& file, const Path& path) {
             const auto session = Session::get();  // values of tables are computed with it
             file.read(read_file(path), path.string());
           })
      .def("read",
           [](io::MadxFile& file, const std::string& text) {
             const auto session = Session::get();
             file.read(text);
           })
      .def("get", [](const io::MadxFile& file, const std::string& name) { return file.get(name); })
      .def("get", [](const io::MadxFile& file, const std::string& element,
                     const std::string& attribute) { return file.get(element, attribute); })
      .def("set",
           [](io::MadxFile& file, const std::string& name, double value) { file.set(name, value); })
      .def("has", [](const io::MadxFile& file, const std::string& name) { return file.has(name); })
      .def_property_readonly("sequences", &io::MadxFile::sequences)
      .def_property_readonly("used", &io::MadxFile::used)
      .def_property_readonly("remarks", &io::MadxFile::remarks)
      .def("line", [](const io::MadxFile& file, const std::string& sequence) {
        return line_of(file, sequence);
      });
}

}  // namespace trackplex::python
