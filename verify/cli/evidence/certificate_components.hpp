// The part of a certificate's page that has the components: their claims, planted faults and
// orders.
#pragma once

#include <cstdint>
#include <string>

#include "evidence/certificate.hpp"

namespace fencepost::cli {

// How much of it a page shows.
enum class extent : std::uint8_t { whole, summary };

// `folder`: that of the headers.
void add_component(page&, const certified_component&, const std::string& folder, extent);

// Atomic accesses that are no component's.
void add_outside(page&, const certificate&);

// By its label, or by its line where it has none.
std::string name_of(const operation_report&);

}  // namespace fencepost::cli
