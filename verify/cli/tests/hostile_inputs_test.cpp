// Hostile inputs to the command line: files that are not what they should be, full disks, readers
// that have closed their end, numbers out of range. In each case the program ends soon, with the
// status in the table and a message that a person can read, and leaves no file half written.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <regex>
#include <sstream>
#include <string>

#include "base/printable.hpp"

namespace fencepost::cli {
namespace {

namespace fs = std::filesystem;

struct hostile {
  const char* name;
  const char* command;    // for bash, in a folder of its own; $F and $N are programs
  int status;             // as a shell reports it: 128 + the number of a signal
  const char* says = "";  // a regular expression for standard error
  const char* makes = "";
};

std::ostream& operator<<(std::ostream& out, const hostile& h) { return out << h.command; }

constexpr hostile table[] = {
    // ---- standard output that cannot be written ----
    {"list_to_a_full_disk", "$F list >/dev/full", 2, "standard output: .*No space left on device"},
    {"verify_to_a_full_disk", "$F verify sample >/dev/full", 2, "standard output: .*No space"},
    {"explain_to_a_full_disk", "$F explain 'sample/m*' >/dev/full", 2, "standard output"},
    {"litmus_to_a_full_disk", "$F litmus SB.litmus >/dev/full", 2, "standard output"},
    {"many_litmus_tests_to_a_full_disk",
     "eight_tests; $F litmus --jobs 4 many >/dev/full; s=$?; rm -r many; exit $s", 2,
     "standard output: .*No space"},
    {"labels_to_a_full_disk", "$F labels --headers src >/dev/full", 2, "standard output"},
    {"necessity_to_a_full_disk", "$N necessity --headers tests/certified --cache '' >/dev/full", 2,
     "standard output"},
    {"certificate_to_a_full_disk", "$N certificate --headers tests/certified --cache '' >/dev/full",
     2, "standard output"},
    {"stress_to_a_full_disk", "$F stress --merge results.json >/dev/full", 2, "standard output"},
    {"help_to_a_full_disk", "$F --help >/dev/full", 2, "standard output"},
    {"help_of_a_command_to_a_full_disk", "$F verify --help >/dev/full", 2, "standard output"},
    {"version_to_a_full_disk", "$F --version >/dev/full", 2, "standard output"},
    {"json_to_a_full_disk", "$F list --json - >/dev/full", 2, "--json: .*No space"},
    {"junit_to_a_full_disk", "$F verify sample --junit - >/dev/full", 2, "--junit: .*No space"},
    {"list_to_nowhere", "$F list >&-", 2, "standard output is closed"},
    {"verify_to_nowhere", "$F verify sample >&-", 2, "standard output is closed"},
    {"explain_to_nowhere", "$F explain 'sample/m*' >&-", 2, "standard output is closed"},
    {"litmus_to_nowhere", "$F litmus SB.litmus >&-", 2, "standard output is closed"},
    {"labels_to_nowhere", "$F labels --headers src >&-", 2, "standard output is closed"},
    {"stress_to_nowhere", "$F stress --merge results.json >&-", 2, "standard output is closed"},
    {"help_to_nowhere", "$F --help >&-", 2, "standard output is closed"},
    {"version_to_nowhere", "$F --version >&-", 2, "standard output is closed"},
    {"a_file_is_not_opened_as_standard_output", "$F list --json kept >&-", 2, "is closed"},
    {"a_file_is_not_opened_as_standard_error", "$F verify 'bad/cr*' --json new 2>&-", 1, "", "new"},
    {"nothing_open_at_all", "$F list <&- >&- 2>&-", 2},
    {"a_reader_that_has_gone", "(sleep 0.3; $F list) | true; exit ${PIPESTATUS[0]}", 141},
    {"a_reader_that_has_gone_from_many_litmus_tests",
     "eight_tests; (sleep 0.3; $F litmus --jobs 4 many) | true; s=${PIPESTATUS[0]}; rm -r many; "
     "exit $s",
     141},
    {"a_reader_that_has_gone_keeps_files",
     "(sleep 0.3; $F verify sample --json kept) | true; exit ${PIPESTATUS[0]}", 141},
    {"a_reader_that_has_gone_where_that_is_ignored",
     "trap '' PIPE; (sleep 0.3; $F list) | true; exit ${PIPESTATUS[0]}", 2,
     "standard output: .*Broken pipe"},
    {"more_than_a_file_may_have", "ulimit -f 1; $F list >big", 2,
     "standard output: .*File too large", "big"},

    // ---- files that cannot be written ----
    {"a_folder_as_a_file", "$F list --json src", 2, "--json: cannot write 'src': Is a directory"},
    {"a_file_in_no_folder", "$F list --json none/x", 2, "--json: cannot write 'none/x': No such"},
    {"a_file_in_a_file", "$F list --json kept/x", 2, "--json: cannot write 'kept/x': Not a dir"},
    {"a_file_without_a_name", "$F list --json ''", 2, "--json: .*empty"},
    {"junit_without_a_name", "$F verify sample --junit ''", 2, "--junit: .*empty"},
    {"sarif_without_a_name", "$F verify sample --sarif ''", 2, "--sarif: .*empty"},
    {"a_page_without_a_name", "$F verify sample --html ''", 2, "--html: .*empty"},
    {"a_picture_without_a_name", "$F explain 'sample/m*' --svg ''", 2, "--svg: .*empty"},
    {"a_graph_without_a_name", "$F explain 'sample/m*' --dot ''", 2, "--dot: .*empty"},
    {"a_saved_one_without_a_name", "$F explain 'sample/m*' --save ''", 2, "--save: .*empty"},
    {"a_replayed_one_without_a_name", "$F explain 'sample/m*' --replay ''", 2, "--replay: .*empty"},
    {"results_without_a_name", "$F stress --merge ''", 2, "--merge: .*empty"},
    {"a_certificate_without_a_name", "$F certificate --check ''", 2, "--check: .*empty"},
    {"two_results_in_one_file", "$F verify sample --json x --junit x", 2,
     "--json and --junit .*'x'"},
    {"two_results_in_one_file_by_two_names", "$F verify sample --json x --html src/../x", 2,
     "--json and --html"},
    {"two_results_in_one_file_by_a_link", "$F verify sample --json link --html kept", 2,
     "--json and --html"},
    {"two_pictures_in_one_file", "$F explain 'sample/m*' --svg x --dot ./x", 2, "both write to"},
    {"two_results_to_standard_output", "$F verify sample --json - --sarif -", 2, "only one file"},
    {"results_in_the_store", "$F necessity --headers src --cache x --json x", 2, "both write to"},
    {"too_large_for_a_file", "ulimit -f 1; $F list --json kept >/dev/null", 2,
     "--json: cannot write 'kept': File too large"},
    {"too_large_for_one_of_two_files",
     "ulimit -f 1; $F verify sample --html x --json kept >/dev/null", 2, "too large"},
    {"a_full_disk_as_a_file", "$F list --json /dev/full", 2, "--json: .*No space"},
    {"a_file_that_may_not_be_written", "chmod a-w kept; as_nobody $F list --json kept", 2,
     "--json: cannot write 'kept': Permission denied"},
    {"a_folder_that_may_not_be_written",
     "chmod a-w .; as_nobody $F list --json new; s=$?; chmod u+w .; exit $s", 2,
     "--json: cannot write 'new': .*Permission denied"},
    {"nothing_to_save_keeps_what_is_there", "$F explain 'sample/m*' --save kept", 2,
     "no counterexample"},
    {"a_crash_keeps_what_is_there", "$F explain 'sample/m*' --save kept --json kept2", 2, ""},
    {"a_link_stays_a_link",
     "$F list --json link_to_target >/dev/null && test -L link_to_target && grep -q format target",
     0, "", "target link_to_target"},
    {"a_mode_stays_a_mode",
     "touch new; chmod 640 new; $F list --json new && test $(stat -c %a new) = 640", 0, "", "new"},
    {"a_device_is_written_as_it_is", "$F list --json /dev/null --color never", 0},
    {"a_pipe_of_the_shell", "$F list --json >(cat >new); sleep 0.3; grep -q format new", 0, "",
     "new"},
    {"standard_output_by_its_path", "$F list --json /dev/stdout >new && head -c1 new | grep -q {",
     0, "", "new"},

    // ---- files that cannot be read ----
    {"a_checkpoint_on_standard_output", "$F verify slow/endless --checkpoint -", 2,
     "--checkpoint: '-' is standard output"},
    {"a_folder_to_replay", "$F explain bad/unexpected --replay src", 2, "--replay: .*directory"},
    {"zeros_to_replay", "$F explain bad/unexpected --replay /dev/zero", 2, "--replay: .*larger"},
    {"noise_to_replay", "$F explain bad/unexpected --replay noise", 2, "is not a counterexample"},
    {"nothing_to_replay", "$F explain bad/unexpected --replay empty", 2, "is not a counterexample"},
    {"half_a_file_to_replay", "head -c 60 saved >half; $F explain bad/unexpected --replay half", 2,
     "is not a counterexample", "half"},
    {"brackets_to_replay",
     "yes '[' | head -c 3000000 >deep; $F explain bad/unexpected --replay deep", 2,
     "is not a counterexample", "deep"},
    {"numbers_to_replay",
     "sed 's/: 2/: 1e999/' saved >huge; $F explain bad/unexpected --replay huge", 2,
     "is not a counterexample", "huge"},
    {"a_model_there_is_not",
     "sed s/rc20/rc99/ saved >other; $F explain bad/unexpected --replay other", 2, "model 'rc99'",
     "other"},
    {"a_model_that_is_no_text",
     "sed 's/\"rc20\"/[1]/' saved >other; $F explain bad/unexpected --replay other", 2,
     "cannot be parsed", "other"},
    {"a_kind_there_is_not",
     "sed s/assertion/blunder/ saved >other; $F explain bad/unexpected --replay other", 2,
     "cannot be parsed", "other"},
    {"a_later_format",
     "sed 's/\"format\": 1/\"format\": 2/' saved >other; $F explain bad/unexpected --replay other",
     2, "format 2.*format 1", "other"},
    {"a_folder_of_parts_that_may_not_be_read",
     "mkdir -m 0 shut; as_nobody $F merge shut; s=$?; rmdir shut; exit $s", 2,
     "merge: cannot read 'shut/manifest.json': Permission denied"},
    {"a_folder_for_parts_that_may_not_be_read",
     "mkdir -m 0 shut; as_nobody $F shard slow/endless --into 2 --output shut; s=$?; rmdir shut; "
     "exit $s",
     2, "--output: cannot read the folder 'shut': Permission denied"},
    {"something_that_may_not_be_read",
     "chmod a-r saved; as_nobody $F explain bad/unexpected --replay saved", 2,
     "--replay: cannot read 'saved': Permission denied", "saved"},
    {"a_pipe_that_nobody_writes",
     "mkfifo pipe; timeout -s INT 2 $F explain bad/unexpected --replay pipe", 124,
     "'pipe'.*a pipe.*waiting", "pipe"},
    {"a_folder_to_merge", "$F stress --merge src", 2, "--merge: .*directory"},
    {"zeros_to_merge", "$F stress --merge /dev/zero", 2, "--merge: .*larger"},
    {"noise_to_merge", "$F stress --merge noise", 2, "is not what 'fencepost stress --json FILE'"},
    {"brackets_to_merge", "yes '[' | head -c 3000000 >deep; $F stress --merge deep", 2,
     "is not what", "deep"},
    {"numbers_to_merge",
     "sed 's/\"seconds\": 1/\"seconds\": 1e999/' results.json >huge; $F stress --merge huge", 2,
     "is not what", "huge"},
    {"negative_numbers_to_merge",
     "sed 's/\"processors\": 2/\"processors\": -2/' results.json >other; $F stress --merge other",
     2, "is not what", "other"},
    {"fractions_to_merge",
     "sed 's/\"processors\": 2/\"processors\": 1e99/' results.json >other; $F stress --merge other",
     2, "is not what", "other"},
    {"a_later_format_to_merge",
     "sed 's/\"format\": 1/\"format\": 7/' results.json >other; $F stress --merge other", 2,
     "format 7.*format 1", "other"},
    {"a_folder_to_check", "$F certificate --headers src --cache '' --check src", 2,
     "--check: cannot read 'src': Is a directory"},
    {"zeros_to_check", "$F certificate --headers src --cache '' --check /dev/zero", 2,
     "--check: .*larger"},
    {"a_folder_as_a_store", "$F necessity --headers src --cache src", 2, "--cache: .*'src'"},
    {"noise_as_a_store", "$F necessity --headers src --cache noise", 2, "--cache: 'noise' is not"},
    {"zeros_as_a_store", "$F necessity --headers src --cache /dev/zero", 2, "--cache: '/dev/zero'"},
    {"a_pipe_as_a_store", "mkfifo pipe; timeout 5 $F necessity --headers src --cache pipe", 2,
     "--cache: 'pipe'", "pipe"},
    {"no_room_for_a_store",
     "(ulimit -f 0; $F necessity --headers src --cache new) 2>&1 | cat >&2; exit ${PIPESTATUS[0]}",
     2, "--cache: cannot write 'new': File too large"},
    {"a_store_in_no_folder", "$F necessity --headers src --cache none/x", 2, "--cache: .*none/x"},
    {"no_folder_of_headers", "$F labels --headers none", 2, "no folder 'none'"},
    {"an_empty_folder_of_headers", "$F labels --headers ''", 2, "no folder ''"},
    {"a_file_as_a_folder_of_headers", "$F labels --headers kept", 2, "no folder 'kept'"},

    // ---- litmus ----
    {"no_litmus_file", "$F litmus none", 2, "none: no such file"},
    {"a_litmus_file_without_a_name", "$F litmus ''", 2, "no such file"},
    {"a_folder_without_litmus_files", "$F litmus src", 2, "src: has no .litmus file"},
    {"an_empty_litmus_file", "$F litmus empty", 2, "^empty:1:1: expected the header"},
    {"noise_as_litmus", "$F litmus noise", 2, "^noise:"},
    {"zeros_as_litmus", "$F litmus /dev/zero", 2, "^/dev/zero: .*larger than"},
    {"escapes_as_litmus", "printf 'C x {} \\033]0;owned\\a' >escapes; $F litmus escapes", 2,
     "^escapes:", "escapes"},
    {"escapes_as_the_name_of_a_test",
     "sed '1s/.*/C S\\x1b[31mB\\xff/' SB.litmus >x.litmus; $F litmus x.litmus", 0, "", "x.litmus"},
    {"escapes_as_the_name_of_a_file",
     "cp SB.litmus $'x\\033[31m.litmus'; $F litmus $'x\\033[31m.litmus'; rm -f x*", 0},
    {"a_name_that_is_not_utf8_in_json",
     "sed '1s/.*/C S\\xffB/' SB.litmus >x.litmus; $F litmus x.litmus --json - 2>&1 >new && "
     "iconv -f utf8 new >/dev/null",
     0, "", "x.litmus new"},
    {"deep_litmus",
     "(echo 'C deep {} P0(atomic_int* x) { int r = '; yes '(' | head -n 100000; echo '1; }') "
     ">deep; $F litmus deep",
     2, "^deep:", "deep"},
    {"deep_blocks_of_litmus",
     "(echo 'C deep {} P0(atomic_int* x) { '; yes 'if (1) {' | head -n 100000) >deep; $F litmus "
     "deep",
     2, "^deep:", "deep"},
    {"huge_numbers_in_litmus",
     "sed s/1/99999999999999999999/ SB.litmus >x.litmus; $F litmus x.litmus", 2,
     "^x.litmus:[0-9]+:[0-9]+: ", "x.litmus"},
    {"a_litmus_file_that_may_not_be_read", "chmod a-r SB.litmus; as_nobody $F litmus SB.litmus", 2,
     "^SB.litmus: .*Permission denied", "SB.litmus"},
    {"a_folder_that_may_not_be_read",
     "mkdir -m 0 shut; as_nobody $F litmus shut; s=$?; rmdir shut; exit $s", 2,
     "shut: .*Permission denied"},
    {"one_bad_litmus_file_of_two", "$F litmus noise SB.litmus", 2, "^noise:"},
    {"turns_of_a_loop", "$F litmus SB.litmus --unroll 1e99", 2, "--unroll"},

    // ---- words and numbers ----
    {"nothing", "$F", 2, "subcommand|command"},
    {"an_empty_command", "$F ''", 2, "command"},
    {"an_empty_option", "$F list --", 0},
    {"only_dashes", "$F list ---", 2, "---"},
    {"jobs_none", "$F verify --jobs 0", 2, "--jobs"},
    {"jobs_negative", "$F verify --jobs -1", 2, "--jobs"},
    {"jobs_a_million", "$F verify --jobs 1000000", 2, "--jobs: '1000000' is not .* 1 to 1024"},
    {"jobs_hexadecimal", "$F verify --jobs 0x2", 2, "--jobs"},
    {"a_huge_limit", "$F verify --max-executions 18446744073709551616", 2, "--max-executions"},
    {"a_time_out_of_this_world", "$F verify --timeout 1e99", 2, "--timeout"},
    {"steps_negative", "$F explain 'sample/m*' --steps -1", 2, "--steps"},
    {"steps_out_of_this_world", "$F explain 'sample/m*' --steps 1e99", 2, "--steps"},
    {"an_option_twice", "$F list --color never --color always", 2, "--color: .*(twice|2 times)"},
    {"a_file_twice", "$F list --json a --json b", 2, "--json: .*(twice|2 times)"},
    {"an_option_without_its_value", "$F list --json", 2, "--json: .*FILE"},
    {"an_option_that_takes_no_value", "$F verify --nightly=3", 2, "--nightly"},
    {"random_runs_of_a_replay", "$F explain bad/unexpected --replay saved --random 3", 2,
     "explain: --replay repeats .*; omit --random and --bound"},
    {"parts_without_a_folder", "$F merge src --into 3", 2, "merge: --into needs --next"},
    {"results_of_what_only_divides", "$F shard slow/endless --into 2 --output new --json new2", 2,
     "shard: there is no option '--json'"},
    {"a_time_limit_of_the_enumerator", "$F litmus --enumerate --timeout 1 SB.litmus", 2,
     "litmus: --timeout cannot be used with --enumerate"},
    {"a_change_without_a_line", "$F verify sample --weaken =", 2, "for a label, FILE:LABEL=ORDER"},
    {"random_and_bound", "$F verify part --random 10 --bound 2", 2,
     "--random and --bound cannot be combined"},
    {"a_pattern_that_matches_nothing", "$F verify nowhere", 2, "no scenario matches 'nowhere'"},
    {"a_pattern_that_is_not_utf8", "$F verify $'sample/\\xff\\xfe'", 2, "no scenario matches"},
    {"a_pattern_with_escapes", "$F verify $'\\033[31mred'", 2, "no scenario matches"},
    {"a_long_pattern", "$F verify $(head -c 100000 /dev/zero | tr '\\0' x)", 2, "no scenario"},
    {"a_pattern_of_stars",
     "timeout 10 $F verify '*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b'", 2,
     "no scenario"},
    {"an_open_bracket", "$F verify 'sample/['", 2, "no scenario matches"},
    {"a_long_option", "$F list --$(head -c 100000 /dev/zero | tr '\\0' x)", 2, "no option"},
    {"a_change_without_a_place", "$F verify sample --weaken relaxed", 2, "--weaken"},
    {"a_change_of_a_huge_line", "$F verify sample --weaken x.hpp:99999999999=relaxed", 2,
     "--weaken"},
    {"a_command_misspelt", "$F verfy", 2, "no command 'verfy'; did you mean 'verify'\\?"},
    {"an_option_misspelt", "$F verify --jonit x", 2, "no option '--jonit'; did you mean '--junit'"},
    {"an_option_misspelt_with_its_value", "$F verify --jsno=x", 2, "did you mean '--json'"},
    {"a_model_misspelt", "$F verify --model rc02", 2, "did you mean 'rc20'"},
    {"a_folder_misspelt", "$F verify sampel", 2, "did you mean 'sample'"},
    {"an_option_before_the_command", "$F --json x list", 2, "'--json' .*after the command"},
    {"litmus_of_nothing", "$F litmus", 2, "litmus: no files"},
    {"help_of_a_command_misspelt", "$F help verfy", 2, "did you mean 'verify'"},

    // ---- an environment with holes, and ends before the end ----
    {"no_environment", "env -i $F list", 0},
    {"no_home", "HOME=/none TMPDIR=/none $F list", 0},
    {"a_strange_terminal", "TERM=$'\\033[31m' COLUMNS=0 LINES=-1 $F list", 0},
    {"a_folder_that_is_gone", "mkdir gone; cd gone; rmdir ../gone; $F list", 0},
    {"an_interrupt_keeps_files", "timeout -s INT 1 $F explain slow/endless --svg kept --json new",
     124, "", "new kept link"},
    {"the_end_of_a_list_keeps_files",
     "timeout -s KILL 1 $F verify slow/endless --json kept --junit new", 137},
};

std::map<std::string, std::string> contents_of(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const fs::directory_entry& e : fs::directory_iterator(folder)) {
    std::string text;
    if (e.is_regular_file()) {
      std::ostringstream read;
      read << std::ifstream(e.path(), std::ios::binary).rdbuf();
      text = read.str();
    }
    all[e.path().filename().string()] = text;
  }
  return all;
}

class hostile_input : public testing::TestWithParam<hostile> {
 protected:
  hostile_input() {
    char name[] = "/tmp/fencepost_hostile_XXXXXX";
    root_ = ::mkdtemp(name);
    fs::permissions(root_, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec |
                               fs::perms::group_read | fs::perms::others_read);
    folder_ = root_ / "in";
    fs::create_directories(folder_ / "src");
    put("kept", "what was there");
    put("kept2", "and this");
    put("target", "what the link leads to");
    fs::create_symlink("target", folder_ / "link_to_target");
    fs::create_symlink("kept", folder_ / "link");
    put("empty", "");
    std::string noise;
    for (unsigned i = 0; i < 4000; ++i) noise += static_cast<char>(i * 2654435761U >> 7U);
    put("noise", noise);
    put("src/one.hpp",
        "// [put] release, alone: for the test.\nx.store(1, std::memory_order_release);\n");
    put("SB.litmus",
        "C SB\n{}\nP0(atomic_int* x, atomic_int* y) {\n"
        "  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
        "  int r0 = atomic_load_explicit(y, memory_order_relaxed);\n}\n"
        "P1(atomic_int* x, atomic_int* y) {\n"
        "  atomic_store_explicit(y, 1, memory_order_relaxed);\n"
        "  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n}\n"
        "exists (0:r0=0 /\\ 1:r0=0)\n");
    put("saved",
        R"({"format": 1, "command": "explain --save", "scenario": "bad/unexpected", )"
        R"("model": "rc20", "violation": {"kind": "assertion", "message": "", "thread": 1, )"
        R"("threads": 2, "path": "77", "steps": [], "edges": []}})");
    put("results.json",
        R"({"format": 1, "command": "stress", "seconds": 1, "seeds": [1], "interrupted": false, )"
        R"("machines": [{"architecture": "a", "processor": "b", "processors": 2, )"
        R"("emulator": "", "calibration": []}], "scenarios": []})");
  }
  ~hostile_input() override {
    std::error_code error;
    fs::remove_all(root_, error);
  }

  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string output(const char* name) const {
    std::ostringstream text;
    text << std::ifstream(root_ / name, std::ios::binary).rdbuf();
    return text.str();
  }

  int run(const std::string& command) const {
    std::ofstream(root_ / "command")
        << "as_nobody() { if [ $(id -u) = 0 ]; then setpriv --reuid=65534 --clear-groups \"$@\"; "
           "else \"$@\"; fi; }\n"
           "eight_tests() { mkdir many; for i in 1 2 3 4 5 6 7 8; do cp SB.litmus "
           "many/$i.litmus; done; }\nF="
        << FENCEPOST_CLI_FIXTURE << "\nN='env FIXTURE_CERTIFIED=1 " << FENCEPOST_NECESSITY_FIXTURE
        << "'\ncd " << folder_.string() << "\n"
        << command << "\n";
    const std::string line = "timeout 60 bash " + (root_ / "command").string() + " >" +
                             (root_ / "out").string() + " 2>" + (root_ / "err").string() +
                             " </dev/null";
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  fs::path root_;
  fs::path folder_;
};

TEST_P(hostile_input, ends_with_a_message) {
  const hostile& h = GetParam();
  const auto before = contents_of(folder_);
  const int status = run(h.command);
  const std::string out = output("out");
  const std::string err = output("err");
  const std::string shown = "\nstandard output: " + printable(out.substr(0, 2000)) +
                            "\nstandard error: " + printable(err.substr(0, 2000));
  EXPECT_EQ(status, h.status) << shown;
  EXPECT_TRUE(
      std::regex_search(err, std::regex(h.says, std::regex::ECMAScript | std::regex::multiline)))
      << h.says << shown;
  if (status == 2 && *h.says != '\0' && *h.says != '^') {
    EXPECT_NE(("\n" + err).find("\nfencepost: "), std::string::npos) << shown;
  }
  EXPECT_LT(err.size(), 4000u) << "a message for a person" << shown;

  // No internal names, and nothing that a terminal interprets as a command.
  const std::regex inside(
      "basic_|json\\.exception|terminate called|std::|vector::|stoi|bad_alloc|CLI::|filesystem "
      "error|Sanitizer");
  EXPECT_FALSE(std::regex_search(err, inside)) << shown;
  EXPECT_FALSE(std::regex_search(out, inside)) << shown;
  EXPECT_EQ(printable(out), out) << shown;
  EXPECT_EQ(printable(err), err) << shown;

  // Existing files are unchanged, and there are no new ones.
  auto after = contents_of(folder_);
  std::istringstream made(h.makes);
  for (std::string name; made >> name;) after.erase(name);
  for (const auto& [name, text] : before) {
    if (std::string(" ").append(h.makes).append(" ").find(" " + name + " ") != std::string::npos) {
      continue;
    }
    ASSERT_TRUE(after.contains(name)) << name << " is gone";
    EXPECT_TRUE(after[name] == text) << name << " is another";
    after.erase(name);
  }
  for (const auto& [name, text] : after) ADD_FAILURE() << printable(name) << " is left behind";
}

INSTANTIATE_TEST_SUITE_P(all, hostile_input, testing::ValuesIn(table),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace fencepost::cli
