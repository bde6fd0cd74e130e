// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lines.hpp"

#include "element_values.hpp"
#include "module.hpp"

#include <trackplex/beam/add_space_charge.hpp>
#include <trackplex/beam/lattice.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/beam/split_line.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace trackplex::python {

void add_line_files(py::module_ module);

namespace {

using beam::Element;
using beam::ElementKind;

/// Type of elements that has a class in Python.
struct ElementType {
  const char* name;
  ElementKind (*make)(const py::dict& fields, const std::string& where);
  bool (*read)(const ElementKind& kind, py::dict& fields);  ///< false if it is another type
};

template <class E>
ElementKind make_element(const py::dict& fields, const std::string& where) {
  E element;
  from_python(fields, where, element);
  return element;
}

template <class E>
bool read_element(const ElementKind& kind, py::dict& fields) {
  const auto* const element = kind.as<E>();
  if (element) add_fields(fields, *element);
  return element != nullptr;
}

#define TRACKPLEX_TYPE(TYPE) {#TYPE, &make_element<beam::TYPE>, &read_element<beam::TYPE>},
constexpr ElementType element_types[] = {TRACKPLEX_ELEMENT_TYPES(TRACKPLEX_TYPE)};
#undef TRACKPLEX_TYPE

/// An element from its type, name and fields.
Element element_of(const std::string& type, const std::string& name, const py::dict& fields) {
  for (const auto& known : element_types)
    if (type == known.name) return {name, known.make(fields, type + " '" + name + "'")};
  throw py::type_error("there is no type of elements '" + type + "'");
}

/// Type, name and fields of an element; of those without a class the family, and None.
py::tuple parts_of(const Element& element) {
  py::dict fields;
  for (const auto& known : element_types)
    if (known.read(element.kind, fields)) return py::make_tuple(known.name, element.name, fields);
  return py::make_tuple(element.kind.family(), element.name, py::none());
}

py::dict defaults_of_types() {
  py::dict all;
  for (const auto& known : element_types) {
    py::dict fields;
    known.read(known.make({}, known.name), fields);
    all[known.name] = fields;
  }
  return all;
}

/// A line of parts: tuples of type, name and fields, and other lines.
std::shared_ptr<Line> line_of_parts(const py::list& parts, const std::string& name) {
  auto line = std::make_shared<Line>();
  line->name = name;
  for (const auto& part : parts) {
    if (py::isinstance<Line>(part)) {
      const auto& other = part.cast<const Line&>().elements;
      line->elements.insert(line->elements.end(), other.begin(), other.end());
      continue;
    }
    const auto tuple = part.cast<py::tuple>();
    line->elements.push_back(element_of(tuple[0].cast<std::string>(), tuple[1].cast<std::string>(),
                                        tuple[2].cast<py::dict>()));
    beam::check_element(line->elements.back());
  }
  return line;
}

std::shared_ptr<Line> with_elements(const Line& line, beam::BeamLine elements) {
  auto other = std::make_shared<Line>();
  other->elements = std::move(elements);
  other->name = line.name;
  other->p0 = line.p0;
  return other;
}

std::shared_ptr<Line> slice_of(const Line& line, std::size_t begin, std::size_t end) {
  const auto first = line.elements.begin();
  end = std::min(end, line.elements.size());
  begin = std::min(begin, end);
  return with_elements(line, {first + std::ptrdiff_t(begin), first + std::ptrdiff_t(end)});
}

std::shared_ptr<Line> reversed_line(const Line& line) {
  beam::BeamLine elements;
  for (auto element = line.elements.rbegin(); element != line.elements.rend(); ++element)
    elements.push_back(beam::reversed(*element));
  return with_elements(line, std::move(elements));
}

std::vector<std::string> names_of(const Line& line) {
  std::vector<std::string> names;
  for (const auto& element : line.elements) names.push_back(element.name);
  return names;
}

}  // namespace

void add_lines(py::module_ module) {
  py::class_<Line, std::shared_ptr<Line>>(module, "Line")
      .def(py::init(&line_of_parts), py::arg("parts"), py::arg("name") = "")
      .def_readwrite("name", &Line::name)
      .def_readwrite("p0", &Line::p0)
      .def_readonly("remarks", &Line::remarks)
      .def_readonly("injection", &Line::injection)
      .def_property_readonly("names", &names_of)
      .def_property_readonly("length",
                             [](const Line& line) { return beam::length_of(line.elements); })
      .def("__len__", [](const Line& line) { return line.elements.size(); })
      .def("element", [](const Line& line, std::size_t i) { return parts_of(line.elements.at(i)); })
      .def("slice", &slice_of)
      .def("reversed", &reversed_line)
      .def("with_space_charge",
           [](const Line& line, const py::dict& kick, double max_length, bool kick_first) {
             beam::SpaceChargeSteps steps{.max_length = max_length, .kick_first = kick_first};
             from_python(kick, "kick", steps.kick);
             return with_elements(line, beam::with_space_charge(line.elements, steps));
           })
      .def("split", [](const Line& line, int parts) {
        return with_elements(line, beam::split(line.elements, parts));
      });
  module.def("defaults", &defaults_of_types);
  add_line_files(module);
}

}  // namespace trackplex::python
