// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kalman_fits.hpp"

#include <utility>

namespace trackplex::python {

/// Hits on cylinders, all with the same layer of silicon.
class CylinderHits {
 public:
  using Hits = kalman::CylinderMeasurements<double, FitMemory>;

  /// Uses hits where they are.
  CylinderHits(Hits hits, double thickness);
  /// Copies points (layers, n, 3) and covariances (layers, n, 6).
  CylinderHits(const py::object& points, const py::object& covariances, double thickness);

  int layers() const { return hits_.layers; }
  int tracks() const { return hits_.tracks; }
  auto view() const {
    return kalman::HitsInMaterial{hits_.view(), kalman::ThinLayer{kalman::silicon, thickness_}};
  }

 private:
  SessionPointer session_ = Session::get();
  Hits hits_;
  double thickness_;
};

}  // namespace trackplex::python
