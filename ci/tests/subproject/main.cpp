#include "fencepost/scenario.hpp"

int main() { return fencepost::to_string(fencepost::violation::none) == "none" ? 0 : 1; }
