// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arrays.hpp"
#include "module.hpp"

#include <pybind11/stl.h>
#include <trackplex/core/random.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace trackplex::python {

namespace {

/// The array that is filled, in place, or a new one of n numbers.
template <class T>
py::array_t<T> target_of(const std::optional<py::array>& out, py::ssize_t n) {
  if (n < 0) throw py::value_error("n is negative");
  if (!out) return py::array_t<T>(n);
  if (!py::isinstance<py::array_t<T, py::array::c_style>>(*out) || out->ndim() != 1)
    throw py::type_error("out is no contiguous array of " +
                         py::cast<std::string>(py::str(py::dtype::of<T>())) + " of one dimension");
  if (n > 0 && out->size() != n)
    throw py::value_error("out has " + std::to_string(out->size()) + " values instead of " +
                          std::to_string(n));
  if (!out->writeable()) throw py::value_error("out cannot be written to");
  return py::array_t<T>(*out);
}

/// Draws from a stream of one precision.
template <class T>
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t stream, std::uint32_t substream)
      : stream_(seed, stream, substream) {}

  auto uniform(py::ssize_t n, const std::optional<py::array>& out) {
    return fill<T>(n, out, [&] { return stream_.uniform(); });
  }
  auto normal(py::ssize_t n, const std::optional<py::array>& out) {
    return fill<T>(n, out, [&] { return stream_.normal(); });
  }
  auto exponential(py::ssize_t n, const std::optional<py::array>& out) {
    return fill<T>(n, out, [&] { return stream_.exponential(); });
  }
  auto bits(py::ssize_t n, const std::optional<py::array>& out) {
    return fill<std::uint32_t>(n, out, [&] { return stream_.bits(); });
  }

 private:
  template <class Value, class Draw>
  py::array_t<Value> fill(py::ssize_t n, const std::optional<py::array>& out, const Draw& draw) {
    auto array = target_of<Value>(out, n);
    auto* const values = array.mutable_data();
    for (py::ssize_t i = 0; i < array.size(); ++i) values[i] = draw();
    return array;
  }

  RandomStream<T> stream_;
};

template <class T>
void add_stream(py::module_& module, const char* name) {
  using S = Stream<T>;
  const auto n = py::arg("n") = 0;
  const auto out = py::arg("out") = py::none();
  py::class_<S>(module, name)
      .def(py::init<std::uint64_t, std::uint64_t, std::uint32_t>(), py::arg("seed"),
           py::arg("stream") = 0, py::arg("substream") = 0)
      .def("uniform", &S::uniform, n, out)
      .def("normal", &S::normal, n, out)
      .def("exponential", &S::exponential, n, out)
      .def("bits", &S::bits, n, out);
}

py::array_t<std::uint32_t> philox(py::handle counters, std::uint64_t key) {
  const auto from = numbers_of<std::uint32_t>("counters", counters, 2);
  if (from.shape(1) != 4) throw py::value_error("counters have no 4 words each");
  py::array_t<std::uint32_t> to({from.shape(0), py::ssize_t(4)});
  for (py::ssize_t i = 0; i < from.shape(0); ++i) {
    PhiloxBlock<std::uint32_t> block;
    for (int w = 0; w < 4; ++w) block.word[w] = from.at(i, w);
    block = philox4x32_10(block, PhiloxKey(key));
    for (int w = 0; w < 4; ++w) to.mutable_at(i, w) = block.word[w];
  }
  return to;
}

}  // namespace

void add_random(py::module_ module) {
  add_stream<float>(module, "Stream32");
  add_stream<double>(module, "Stream64");
  module.def("philox4x32_10", &philox, py::arg("counters"), py::arg("key") = 0);
}

}  // namespace trackplex::python
