// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/counted.hpp>
#include <trackplex/perfmodel/operations.hpp>

namespace trackplex::perfmodel {

TRACKPLEX_INLINE Operations& Operations::operator+=(const Operations& o) {
  add += o.add, multiply += o.multiply, fma += o.fma, divide += o.divide, sqrt += o.sqrt;
  special += o.special, logic += o.logic, integer += o.integer, load += o.load, store += o.store;
  return *this;
}

TRACKPLEX_INLINE double instructions(const Operations& o, double per_special) {
  return o.arithmetic() + o.divisions() + per_special * o.special + o.logic + o.integer + o.load +
         o.store;
}

TRACKPLEX_INLINE Operations operations_of(const OperationCounts& counts) {
  return {.add = double(counts.add),
          .multiply = double(counts.multiply),
          .fma = double(counts.fma),
          .divide = double(counts.divide),
          .sqrt = double(counts.sqrt),
          .logic = double(counts.compare + counts.select + counts.sign + counts.convert),
          .load = double(counts.load),
          .store = double(counts.store)};
}

}  // namespace trackplex::perfmodel
