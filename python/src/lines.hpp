// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>

#include <memory>
#include <string>
#include <vector>

namespace trackplex::python {

/// Line as Python has it; it does not change once it is made.
struct Line {
  beam::BeamLine elements;
  std::string name{};
  double p0 = 0.;                      ///< momentum beta gamma of the file's beam; 0: it has none
  std::vector<std::string> remarks{};  ///< of the reader of its file
  std::shared_ptr<Line> injection{};   ///< passed once, before the turns; or none
};

}  // namespace trackplex::python
