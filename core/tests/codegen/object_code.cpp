#include "object_code.hpp"

#include <regex>

namespace codegen {
namespace {

std::string squeezed(const std::string& text) {
  static const std::regex comment{R"(\s+(//|#\s).*$)"}, spaces{R"(\s+)"};
  return std::regex_replace(std::regex_replace(text, comment, ""), spaces, " ");
}

// ".cold" and the like are parts of the function.
std::string whole_function(const std::string& name) {
  const auto part = name.find(".cold");
  return part == std::string::npos ? name : name.substr(0, part);
}

}  // namespace

object_code read_objdump(std::istream& listing) {
  static const std::regex function{R"(^[0-9a-f]+ <(.+)>:$)"};
  static const std::regex instruction_line{R"(^\s+[0-9a-f]+:\t(.*)$)"};
  static const std::regex relocation{
      R"(^\s+[0-9a-f]+: (R_X86_64_PLT32|R_AARCH64_CALL26|R_AARCH64_JUMP26)\s+([\w.$]+))"};
  static const std::regex place{R"(^(inlined by )?(\S.*):([0-9]+)( \(.*)?$)"};
  static const std::regex branch{R"(^(call|j|b).*<([\w.$]+)(\+0x[0-9a-f]+)?>$)"};

  object_code code;
  object_function* body = nullptr;
  std::string name;
  std::vector<source_place> places;
  bool fresh = false;       // the places belong to the next instruction, not to the previous one
  std::string branches_to;  // as the instruction names it; a relocation is more precise
  const auto end_of_instruction = [&] {
    if (!branches_to.empty() && branches_to != name) body->calls.insert(branches_to);
    branches_to.clear();
  };
  std::smatch found;
  for (std::string line; std::getline(listing, line);) {
    if (std::regex_match(line, found, function)) {
      if (body != nullptr) end_of_instruction();
      name = whole_function(found[1]);
      body = &code[name];
      places.clear();
    } else if (body == nullptr) {
      continue;
    } else if (std::regex_search(line, found, relocation)) {
      branches_to = whole_function(found[2]);
    } else if (std::regex_match(line, found, instruction_line)) {
      const std::string text = squeezed(found[1]);
      end_of_instruction();
      if (!fresh && places.size() > 1) places.resize(1);  // no longer in an inlined function
      body->instructions.push_back({text, places});
      fresh = false;
      if (std::regex_search(text, found, branch)) branches_to = whole_function(found[2]);
    } else if (std::regex_match(line, found, place)) {
      // objdump omits the innermost place if it is that of the previous instruction.
      const bool inlined = found[1].matched;
      if (!inlined) places.clear();
      if (inlined && !fresh && places.size() > 1) places.resize(1);
      places.push_back({found[2], std::stoul(found[3])});
      fresh = true;
    }
  }
  if (body != nullptr) end_of_instruction();
  return code;
}

std::string order_of(const std::string& instruction) {
  static const std::regex locked{R"(^lock (cmpxchg|xadd|add|sub|or|and|xor|inc|dec|bts|btr|btc))"};
  static const std::regex fences{R"(^(mfence|lfence|sfence|isb|ssbb|(dmb|dsb) \w+))"};
  static const std::regex exchange{R"(^xchg .*\()"};  // with memory; with a register it is a nop
  static const std::regex arm{
      R"(^(ldapr|ldar|stlr|ldlar|stllr|ldaxr|ldxr|stxr|stlxr|ldaxp|ldxp|stxp|stlxp)"
      R"(|cas(?:al|a|l)?|swp(?:al|a|l)?|(?:ld|st)(?:add|clr|set|eor)(?:al|a|l)?)[bh]? )"};
  std::smatch found;
  if (std::regex_search(instruction, found, locked)) return "lock " + found[1].str();
  if (std::regex_search(instruction, found, fences)) return found[1];
  if (std::regex_search(instruction, exchange)) return "xchg";
  if (std::regex_search(instruction, found, arm)) return found[1];
  if (instruction.find("__aarch64_") != std::string::npos) return "a call for an atomic operation";
  return {};
}

}  // namespace codegen
