// Translates the order of an access of a litmus test to the type that the axioms use.
#pragma once

#include "axioms/axioms.hpp"
#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus {

inline axioms::strength to_strength(access_order o) {
  switch (o) {
    case access_order::plain: return axioms::strength::plain;
    case access_order::relaxed: return axioms::strength::relaxed;
    case access_order::acquire: return axioms::strength::acquire;
    case access_order::release: return axioms::strength::release;
    case access_order::acq_rel: return axioms::strength::acq_rel;
    case access_order::seq_cst: break;
  }
  return axioms::strength::seq_cst;
}

}  // namespace fencepost::litmus
