// Every labelled operation compiles to the instructions that docs/generated-code.md lists, and no
// other instruction orders memory accesses. audit.hpp says how they are found.
//
//   core_codegen_audit_test --update    writes what is found to the page: review the difference
//
// A target is skipped, with a message, if its compiler, its headers or objdump is missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <sstream>
#include <string_view>

#include "codegen_table.hpp"
#include "object_code.hpp"

namespace {

using namespace codegen;
namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path include = FENCEPOST_CORE_INCLUDE;

std::string text_of(const fs::path& file) {
  std::ifstream in{file};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

const target& target_named(std::string_view name) {
  for (const target& t : audited_targets) {
    if (name == t.name) return t;
  }
  throw std::logic_error("no such target");
}

column column_of(const table& all, const target& t) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (audited_targets[i].name == t.name) return all[i];
  }
  throw std::logic_error("no such column");
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& each : texts) all += "\n" + each;
  return all;
}

bool can_be_audited(const target& t) { return !compiler_for(t).empty() && !objdump_for(t).empty(); }

class generated_code : public testing::TestWithParam<target> {
 protected:
  void SetUp() override {
    if (!can_be_audited(GetParam())) GTEST_SKIP() << how_to_install(GetParam());
  }
};

TEST_P(generated_code, is_what_the_page_says) {
  const table expected = read_table(text_of(FENCEPOST_CODEGEN_PAGE));
  const column own = column_of(expected, GetParam());
  const audited found = audit(GetParam(), "all", include);
  EXPECT_TRUE(found.errors.empty()) << joined(found.errors);
  const auto different = differences(GetParam(), own, found);
  EXPECT_TRUE(different.empty())
      << joined(different)
      << "\nWhere this is as it should be: core_codegen_audit_test --update, and look at the page.";
  // Otherwise assembly that was not understood would pass.
  EXPECT_GT(found.found.size(), 40u);
}

INSTANTIATE_TEST_SUITE_P(all, generated_code, testing::ValuesIn(audited_targets),
                         [](const auto& each) { return std::string(each.param.name); });

// Checks the page's column of sources, its list of operations without a row, and its form.
TEST(generated_code_page, names_the_operations_of_the_headers) {
  const std::string page = text_of(FENCEPOST_CODEGEN_PAGE);
  const header_labels headers = labels_of_headers(include);
  for (const auto& [file, header] : headers) {
    EXPECT_TRUE(header.errors.empty()) << file << joined(header.errors);
  }
  EXPECT_GT(headers.size(), 15u);
  const std::string differs =
      different_lines(page, with_table(page, write_table(read_table(page), headers)));
  EXPECT_TRUE(differs.empty()) << FENCEPOST_CODEGEN_PAGE << " should be changed by\n" << differs;
}

TEST(generated_code_page, is_compared_line_by_line) {
  const std::string page = "# A\n| one | `dmb ish` |\n| two | - |\nend\n";
  EXPECT_EQ(different_lines(page, page), "");
  EXPECT_EQ(different_lines(page, "# A\n| one | `xchg` |\n| two | - |\nend\n"),
            "2: - | one | `dmb ish` |\n3: + | one | `xchg` |\n");
  EXPECT_EQ(different_lines(page, "# A\n| one | `dmb ish` |\nend\n"), "3: - | two | - |\n");
  EXPECT_EQ(different_lines(page, page + "more\n"), "5: + more\n");
  EXPECT_NE(different_lines(page, page.substr(0, page.size() - 1)), "");
}

TEST(source_labels, are_those_of_the_operations_that_follow) {
  const labelled_header header = labels_of(
      "// [one] acquire, with [two]: why. More,\n"
      "// [two] relaxed, alone: in the same comment.\n"
      "return a.load(std::memory_order_acquire) == b.load(\n"
      "  std::memory_order_relaxed);\n"
      "c.store(1, std::memory_order_release);\n"
      "assert(d.load(std::memory_order_relaxed));\n"
      "// [gone] release, with [one]: its fence is not there.\n"
      "x = 1;\n"
      "// [four] seq_cst, with [one]: why.\n"
      "P::fence(std::memory_order_seq_cst);\n");
  ASSERT_EQ(header.operations.size(), 4u);
  EXPECT_EQ(header.at(3)->label, "one");
  EXPECT_EQ(header.at(4)->label, "two");
  EXPECT_EQ(header.at(5)->label, "");
  EXPECT_EQ(header.at(10)->label, "four");
  EXPECT_EQ(header.at(10)->what, "seq_cst fence");
  EXPECT_EQ(header.at(8), nullptr);
  EXPECT_THAT(header.errors, testing::ElementsAre("label [gone] stands above no operation"));
}

// Like x86-64 on an AArch64 machine: the compiler supports the machine, but lacks its headers.
TEST(targets, a_machine_without_headers_is_skipped_by_name) {
  constexpr target foreign{
      "clang_riscv32", "clang++", "riscv32", {"clang++ --target=riscv32-linux-gnu", "clang++"}, ""};
  EXPECT_EQ(compiler_for(foreign), "");
  EXPECT_EQ(objdump_for(foreign), "");
  EXPECT_EQ(how_to_install(foreign),
            "no compiler, headers and objdump for clang_riscv32: install clang++ and (Debian) "
            "g++-riscv32-linux-gnu");
}

TEST(order_of, knows_what_orders_or_is_atomic) {
  EXPECT_EQ(order_of("lock orq $0x0,(%rsp)"), "lock or");
  EXPECT_EQ(order_of("lock cmpxchg %rcx,(%rdi)"), "lock cmpxchg");
  EXPECT_EQ(order_of("xchg %rcx,(%rax)"), "xchg");
  EXPECT_EQ(order_of("xchg %ax,%ax"), "");
  EXPECT_EQ(order_of("mov (%rax),%rcx"), "");
  EXPECT_EQ(order_of("dmb ishld"), "dmb ishld");
  EXPECT_EQ(order_of("ldarb w0, [x1]"), "ldar");
  EXPECT_EQ(order_of("casal x3, x4, [x1]"), "casal");
  EXPECT_EQ(order_of("stlxrb w2, w0, [x1]"), "stlxr");
  EXPECT_EQ(order_of("ldr x0, [x1]"), "");
  EXPECT_EQ(order_of("bl 0 <__aarch64_cas8_acq>"), "a call for an atomic operation");
}

// A change to a header, as might be made by mistake, and what the audit reports then.
struct planted_fault {
  const char* name;
  const char* target;
  const char* header;
  const char* before;
  const char* after;
  const char* says;
};
std::ostream& operator<<(std::ostream& out, const planted_fault& f) { return out << f.name; }

constexpr planted_fault planted_faults[] = {
    {"tail_split_s_push_without_its_fence", "gcc_aarch64_lse", "tail_split.hpp",
     "  P::fence(std::memory_order_release);\n  owner_.head", "  owner_.head",
     "tail_split push, [tail_split.hpp/push.fence], gcc_aarch64_lse: expected dmb ish, found "
     "nothing"},
    {"tail_split_s_push_without_its_fence", "clang_aarch64_ll_sc", "tail_split.hpp",
     "  P::fence(std::memory_order_release);\n  owner_.head", "  owner_.head",
     "tail_split push, [tail_split.hpp/push.fence], clang_aarch64_ll_sc: expected dmb ish, found "
     "nothing"},
    {"chase_lev_s_push_without_its_release", "gcc_aarch64_ll_sc", "chase_lev.hpp",
     "back_.store(at + 1, std::memory_order_release)",
     "back_.store(at + 1, std::memory_order_relaxed)",
     "chase_lev try_push, [chase_lev.hpp/put], gcc_aarch64_ll_sc: expected stlr, found nothing"},
    {"chase_lev_s_push_stronger_than_it_needs", "gcc_x86_64", "chase_lev.hpp",
     "back_.store(at + 1, std::memory_order_release)",
     "back_.store(at + 1, std::memory_order_seq_cst)",
     "chase_lev try_push, [chase_lev.hpp/put], gcc_x86_64: expected nothing, found xchg"},
    {"tail_split_s_push_with_a_full_fence", "clang_x86_64", "tail_split.hpp",
     "P::fence(std::memory_order_release)", "P::fence(std::memory_order_seq_cst)",
     "tail_split push, [tail_split.hpp/push.fence], clang_x86_64: expected nothing, found mfence"},
    {"lace_s_split_lowered_without_a_fence", "gcc_x86_64", "split_word.hpp",
     "    P::fence(std::memory_order_seq_cst);\n", "",
     "tail_split_lace pop_slow, [split_word.hpp/lace.lower.fence], gcc_x86_64: expected lock or, "
     "found nothing"},
    {"a_locked_instruction_without_a_label", "gcc_x86_64", "tail_split.hpp",
     "  owner_.head = at + 1;\n",
     "  owner_.head = at + 1;\n  allstolen_.exchange(false, std::memory_order_relaxed);\n",
     "belongs to no label"},
};

class planted : public testing::TestWithParam<planted_fault> {};

TEST_P(planted, fault_is_reported) {
  const planted_fault& f = GetParam();
  const target& t = target_named(f.target);
  if (!can_be_audited(t)) GTEST_SKIP() << how_to_install(t);

  const temporary_file folder{"include"};
  fs::copy(include, folder.path(), fs::copy_options::recursive);
  const fs::path header = folder.path() / "fencepost/deque" / f.header;
  std::string text = text_of(header);
  const auto at = text.find(f.before);
  ASSERT_NE(at, std::string::npos) << f.header << " has changed: plant the fault again";
  text.replace(at, std::string_view(f.before).size(), f.after);
  std::ofstream{header} << text;

  const audited found = audit(t, "deques", folder.path());
  const column expected = column_of(read_table(text_of(FENCEPOST_CODEGEN_PAGE)), t);
  EXPECT_THAT(joined(differences(t, expected, found)) + joined(found.errors), HasSubstr(f.says));
}

INSTANTIATE_TEST_SUITE_P(all, planted, testing::ValuesIn(planted_faults), [](const auto& each) {
  return std::string(each.param.name) + "_on_" + each.param.target;
});

int update() {
  for (const target& t : audited_targets) {
    if (can_be_audited(t)) continue;
    std::cerr << "core_codegen_audit_test: " << how_to_install(t)
              << "; the table is of all targets, and was not written\n";
    return 2;
  }
  table all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    audited found = audit(audited_targets[i], "all", include);
    if (!found.errors.empty()) {
      std::cerr << audited_targets[i].name << ": " << joined(found.errors) << '\n';
      return 1;
    }
    all[i] = std::move(found.found);
  }
  const std::string page = text_of(FENCEPOST_CODEGEN_PAGE);
  const std::string changed = with_table(page, write_table(all, labels_of_headers(include)));
  std::ofstream{FENCEPOST_CODEGEN_PAGE} << changed;
  std::cerr << FENCEPOST_CODEGEN_PAGE << (changed == page ? " is as it was\n" : " has changed\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--update") return update();
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
