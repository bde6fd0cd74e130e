// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/counted.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/perfmodel/application.hpp>

#include <string>
#include <vector>

namespace forecast {

using namespace trackplex;

/// SIMD lanes of the host's kernels, in single precision.
inline constexpr int lanes = default_lane_width<HostExecutor, float>;

/// Numbers in the host's memory, at the beginning of a cache line.
using Buffer = Kokkos::View<float*, Kokkos::HostSpace>;

/// The numbers of one work item, or of one per lane: number i of all lanes is in one piece.
template <class Real>
struct Numbers {
  const float* in;
  float* out;

  Real operator[](int i) const { return load<Real>(in + i * width_of<Real>); }
  void set(int i, const Real& value) const { trackplex::store(out + i * width_of<Real>, value); }
};

/// A kernel of the library on numbers in memory.
struct Kernel {
  std::string name;
  std::string description;
  int inputs = 0, outputs = 0;                                    ///< numbers of a work item
  perfmodel::Operations counts;                                   ///< of a work item
  std::vector<float> typical;                                     ///< inputs of a work item
  void (*run)(const float* in, float* out, int tiles) = nullptr;  ///< `lanes` items in each tile
};

namespace detail {

template <class K, class Real>
void run_tiles(const float* in, float* out, int tiles) {
  constexpr int width = width_of<Real>;
  for (int tile = 0; tile < tiles; ++tile)
    K::template item<Real>(
        Numbers<Real>{in + tile * (K::inputs * width), out + tile * (K::outputs * width)});
}

}  // namespace detail

/// A kernel out of a struct: `name`, `description`, `inputs`, `outputs`, `typical(i)` for input i,
/// and `item<Real>(numbers)`, which is run on lanes, and once on the counting number type.
/// `scalar`, if there is such a member, are operations of each lane by itself, which the counting
/// type does not see. Each takes the place of one of all lanes.
template <class K>
Kernel kernel_of() {
  Kernel kernel;
  kernel.name = K::name;
  kernel.description = K::description;
  kernel.inputs = K::inputs;
  kernel.outputs = K::outputs;
  for (int i = 0; i < K::inputs; ++i) kernel.typical.push_back(K::typical(i));
  kernel.run = detail::run_tiles<K, LanesOf<float, lanes>>;
  std::vector<float> out(K::outputs + 1);
  kernel.counts = perfmodel::operations_of(count_operations(
      [&] { detail::run_tiles<K, Counted<float>>(kernel.typical.data(), out.data(), 1); }));
  if constexpr (requires { K::scalar; }) kernel.counts += double(lanes) * K::scalar;
  return kernel;
}

/// All kernels that are measured.
std::vector<Kernel> library_kernels();

/// A kernel as an application of so many work items, with its data from memory, or none where it
/// is in the first cache.
perfmodel::Application application_of(const Kernel& kernel, double items, bool from_memory);

}  // namespace forecast
