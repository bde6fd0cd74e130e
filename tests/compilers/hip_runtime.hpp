// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// A stand-in for the headers of HIP, which clang includes before a source: what device code of the
/// library and of Kokkos' stand-in uses.

#include <stdlib.h>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __forceinline__ inline __attribute__((always_inline))

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
};
unsigned __hipPushCallConfiguration(dim3 blocks, dim3 threads, unsigned long shared = 0,
                                    void* stream = nullptr);

#if defined(__HIP_DEVICE_COMPILE__)
#define blockIdx dim3(__builtin_amdgcn_workgroup_id_x())
#define threadIdx dim3(__builtin_amdgcn_workitem_id_x())
#define blockDim dim3(__builtin_amdgcn_workgroup_size_x())
__device__ inline void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  __builtin_amdgcn_s_barrier();
}
#endif

// For clang's own <new>.
extern "C" {
__device__ void* malloc(__SIZE_TYPE__ bytes);
__device__ void free(void* memory);
}

// Those of <cmath> for doubles are functions of the C library; for floats they are constexpr.
extern "C++" {
__device__ inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__device__ inline double sqrt(double a) { return __builtin_sqrt(a); }
__device__ inline double fabs(double a) { return __builtin_fabs(a); }
__device__ inline double copysign(double a, double b) { return __builtin_copysign(a, b); }
}

template <class T>
__device__ T atomicAdd(T* to, T value) {
  return __hip_atomic_fetch_add(to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ T atomicOr(T* to, T value) {
  return __hip_atomic_fetch_or(to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
__device__ T atomicMin(T* to, T value) {
  return __hip_atomic_fetch_min(to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
