// The part of a certificate's page about the components: their claims, planted faults and orders.
#pragma once

#include <cstdint>
#include <string>

#include "evidence/certificate.hpp"

namespace fencepost::cli {

// How much a page shows.
enum class extent : std::uint8_t { whole, summary };

// `folder`: the folder of the headers.
void add_component(page&, const certified_component&, const std::string& folder, extent);

// Adds the atomic accesses that belong to no component.
void add_outside(page&, const certificate&);

// Returns the label, or the line of an operation without one.
std::string name_of(const operation_report&);

}  // namespace fencepost::cli
