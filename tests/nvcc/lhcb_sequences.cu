// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The sequences of VELO and VELO with UT for TRACKPLEX_SPACE: device code of scalars, or host code
/// of lanes.

#include <trackplex/pipeline/lhcb_velo.hpp>
#include <trackplex/pipeline/lhcb_velo_ut.hpp>

namespace trackplex::pipeline {

template <class Sequence>
void run(Sequence& sequence,
         std::span<const std::shared_ptr<const typename Sequence::Event>> events,
         std::vector<typename Sequence::Result>& results) {
  sequence.stage(events);
  sequence.run();
  sequence.collect(results);
}

using Velo = VeloSequence<float, TRACKPLEX_SPACE>;
using VeloUt = VeloUtSequence<double, TRACKPLEX_SPACE>;

template class VeloSequence<float, TRACKPLEX_SPACE>;
template class VeloUtSequence<double, TRACKPLEX_SPACE>;
template void run(Velo&, std::span<const std::shared_ptr<const lhcb::VeloEvent>>,
                  std::vector<lhcb::VeloResult>&);
template void run(VeloUt&, std::span<const std::shared_ptr<const lhcb::RawEvent>>,
                  std::vector<lhcb::VeloUtResult>&);

}  // namespace trackplex::pipeline
