// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/perfmodel/device.hpp>
#include <trackplex/perfmodel/device_library.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace trackplex::perfmodel {
namespace detail {

/// Computes the rates of a GPU from its multiprocessors: units for special functions and integers.
TRACKPLEX_INLINE Throughput gpu_throughput(double fp32, double fp64, double multiprocessors,
                                           double clock, double special_units,
                                           double integer_units) {
  return {.fp32 = fp32,
          .fp64 = fp64,
          .special = multiprocessors * special_units * clock,
          .integer = multiprocessors * integer_units * clock};
}

TRACKPLEX_INLINE std::vector<Device> gpus() {
  // The start of a GPU is that of its context, which no data sheet gives.
  constexpr double context = 0.3;
  const auto sources = [](const char* sheet) {
    return std::string(sheet) + "; start of 0.3 s assumed";
  };
  return {
      {.name = "V100",
       .kind = DeviceKind::gpu,
       .source =
           sources("NVIDIA V100 data sheet (SXM2 16 GB): 5120 cores, 15.7 and 7.8 Tflop/s, "
                   "900 GB/s HBM2, PCIe 3.0 x16; clock as in the published forecast; 80 "
                   "multiprocessors with 16 special and 64 integer units (Volta white paper)"),
       .clock = 1.455e9,
       .cores = 5120,
       .group = 32,
       .peak = gpu_throughput(15.7e12, 7.8e12, 80, 1.455e9, 16, 64),
       .memory = {.bandwidth = 900e9},
       .link = pcie(3, 16),
       .start = context},
      {.name = "A100",
       .kind = DeviceKind::gpu,
       .source = sources("NVIDIA A100 data sheet (SXM 80 GB): 6912 cores, 1.41 GHz, 19.5 and 9.7 "
                         "Tflop/s, 2039 GB/s, PCIe 4.0 x16; 108 multiprocessors with 16 special "
                         "and 64 integer units (Ampere white paper)"),
       .clock = 1.41e9,
       .cores = 6912,
       .group = 32,
       .peak = gpu_throughput(19.5e12, 9.7e12, 108, 1.41e9, 16, 64),
       .memory = {.bandwidth = 2039e9},
       .link = pcie(4, 16),
       .start = context},
      {.name = "H200",
       .kind = DeviceKind::gpu,
       .source = sources("NVIDIA H200 data sheet (SXM): 67 and 34 Tflop/s, 4.8 TB/s, PCIe 5.0 x16; "
                         "132 multiprocessors with 128 cores, 16 special and 64 integer units, "
                         "1.98 GHz (Hopper white paper)"),
       .clock = 1.98e9,
       .cores = 16896,
       .group = 32,
       .peak = gpu_throughput(67e12, 34e12, 132, 1.98e9, 16, 64),
       .memory = {.bandwidth = 4.8e12},
       .link = pcie(5, 16),
       .start = context},
      {.name = "MI250",
       .kind = DeviceKind::gpu,
       .source = sources("AMD Instinct MI250 data sheet: 13312 stream processors in 208 compute "
                         "units, 1.7 GHz, 45.3 Tflop/s (vector, both precisions), 3.2 TB/s, PCIe "
                         "4.0 x16; special functions at a quarter of the rate (CDNA 2 guide)"),
       .clock = 1.7e9,
       .cores = 13312,
       .group = 64,
       .peak = gpu_throughput(45.3e12, 45.3e12, 208, 1.7e9, 16, 64),
       .memory = {.bandwidth = 3.2768e12},
       .link = pcie(4, 16),
       .start = context},
      {.name = "RTX 3090 Ti",
       .kind = DeviceKind::gpu,
       .source = sources("NVIDIA GeForce RTX 3090 Ti: 10752 cores in 84 multiprocessors, 1.86 GHz, "
                         "40 Tflop/s, fp64 at 1/64, 1008 GB/s (Ampere GA102 white paper); PCIe "
                         "4.0 x16 with 18 GB/s of 31.5 as measured in the published method"),
       .clock = 1.86e9,
       .cores = 10752,
       .group = 32,
       .peak = gpu_throughput(40e12, 0.625e12, 84, 1.86e9, 16, 64),
       .memory = {.bandwidth = 1008e9},
       .link = {.bandwidth = 32e9,
                .encoding = pcie_encoding(4),
                .efficiency = {.points = {{1., 18. / 31.5}}}},
       .start = context}};
}

TRACKPLEX_INLINE std::vector<Device> cpus() {
  return {
      {.name = "EPYC 7551 x2",
       .kind = DeviceKind::cpu,
       .source = "AMD EPYC 7551 product page, two sockets: 2 x 32 cores, 2.55 GHz on all cores, "
                 "8 channels of DDR4-2666 each; 16 flop per core and cycle (Zen)",
       .clock = 2.55e9,
       .cores = 64,
       .peak = {.fp32 = 64 * 2.55e9 * 16, .fp64 = 64 * 2.55e9 * 8},
       .memory = {.bandwidth = 341.2e9},
       .core_cache = 512. * 1024.,
       .shared_cache = 128. * 1048576.},
      {.name = "EPYC 7763",
       .kind = DeviceKind::cpu,
       .source = "AMD EPYC 7763 (Zen 3) product page: 64 cores, 2.45 GHz base clock, 8 "
                 "channels of DDR4-3200; two 256-bit fma per cycle",
       .clock = 2.45e9,
       .cores = 64,
       .peak = {.fp32 = 64 * 2.45e9 * 32, .fp64 = 64 * 2.45e9 * 16},
       .memory = {.bandwidth = 204.8e9},
       .core_cache = 512. * 1024.,
       .shared_cache = 256. * 1048576.},
      {.name = "EPYC 9654",
       .kind = DeviceKind::cpu,
       .source = "AMD EPYC 9654 (Zen 4) product page: 96 cores, 2.4 GHz base clock, 12 channels "
                 "of DDR5-4800; two 256-bit fma per cycle",
       .clock = 2.4e9,
       .cores = 96,
       .peak = {.fp32 = 96 * 2.4e9 * 32, .fp64 = 96 * 2.4e9 * 16},
       .memory = {.bandwidth = 460.8e9},
       .core_cache = 1048576.,
       .shared_cache = 384. * 1048576.}};
}

TRACKPLEX_INLINE std::vector<Device> fpgas() {
  constexpr double word = 64.;  // bytes
  return {{.name = "VU9P",
           .kind = DeviceKind::fpga,
           .source =
               "Xilinx UltraScale+ product table: 6840 DSP, 345 Mb, UltraRAM of 4096 words of "
               "72 bits with 2 ports; 200 MHz, efficiency of DDR4 by transfer length (words "
               "of 64 bytes assumed) and a start of 1 to 100 ms as in the published method; "
               "four channels of DDR4-2400 and PCIe 3.0 x16 as on common boards",
           .clock = 200e6,
           .cores = 1,
           .memory = {.bandwidth = 76.8e9,
                      .efficiency = {.points = {{word, 0.2}, {10 * word, 0.8}, {100 * word, 0.9}}}},
           .link = pcie(3, 16),
           .start = 0.1,
           .fpga = {.dsp = 6840, .memory_bits = 345e6, .block = {72, 4096, 2}}}};
}

}  // namespace detail

TRACKPLEX_INLINE std::vector<Device> device_library() {
  auto devices = detail::cpus();
  for (const auto& more : {detail::gpus(), detail::fpgas()})
    devices.insert(devices.end(), more.begin(), more.end());
  return devices;
}

TRACKPLEX_INLINE Device device_named(const std::vector<Device>& devices, std::string_view name) {
  std::string known;
  for (const auto& device : devices) {
    if (device.name == name) return device;
    known += (known.empty() ? "" : ", ") + device.name;
  }
  throw UsageError("device", "there is none named " + std::string(name), "known: " + known);
}

}  // namespace trackplex::perfmodel
