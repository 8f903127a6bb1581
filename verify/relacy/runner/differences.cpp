#include "differences.hpp"

#include <algorithm>

namespace fencepost::relacy {
namespace {

// The keys are headings of docs/second-opinion.md.
constexpr rule all_rules[] = {
    {"modification order",
     "Relacy's modification order is the order in which its threads ran, and a read-modify-write "
     "or a failed exchange reads the newest value"},
    {"old values", "Relacy remembers three stores of a place, and shows at most the third newest"},
    {"sequentially consistent loads",
     "in Relacy a sequentially consistent load sees nothing older than the newest store, if that "
     "is sequentially consistent as well; the model demands it only within the single order"},
    {"fences and accesses",
     "in Relacy a sequentially consistent fence orders nothing against a sequentially consistent "
     "access; in the model both are in one order"},
    {"fences and happens-before",
     "in Relacy a later sequentially consistent fence happens after an earlier one; in the model "
     "their order alone is no happens-before"},
    {"release sequences",
     "Relacy has those of C++11, with later stores of the same thread; C++20 has "
     "read-modify-writes only"},
    {"failure orders",
     "Relacy takes no order for a failed exchange that is stronger than the one for success; since "
     "C++17 it may be"},
    {"destruction",
     "Relacy finds an access that comes after the destruction; the model asks that each access "
     "happens before it"},
    {"construction",
     "in Relacy the construction of an atomic is an atomic store; in the model it is none, and an "
     "access that does not happen after it races"},
    {"addresses",
     "Relacy gives a freed address out again, to any thread; the checker to the thread that "
     "released it, in a scenario that asks for it"},
};

constexpr difference all_differences[] = {
    {"second_opinion/stores_cross", "modification order"},
    {"task_runner/relaxed_claim", "modification order"},
    {"task_runner/relaxed_up", "modification order"},
    {"second_opinion/store_goes_before", "modification order"},
    {"second_opinion/exchanges_of_the_past", "modification order"},
    {"second_opinion/failed_exchange_of_the_past", "modification order"},
    {"second_opinion/three_stores_old", "old values"},
    {"second_opinion/seq_cst_load_of_the_past", "sequentially consistent loads"},
    {"second_opinion/acquire_readers_disagree", "sequentially consistent loads"},
    {"chase_lev/relaxed_pop_exchange", "sequentially consistent loads"},
    {"chase_lev/relaxed_pop_exchange_is_not_linearizable", "sequentially consistent loads"},
    {"chase_lev/acquire_steal_front", "sequentially consistent loads"},
    {"second_opinion/fence_against_accesses", "fences and accesses"},
    {"second_opinion/fences_do_not_synchronize", "fences and happens-before"},
    {"second_opinion/release_sequence", "release sequences"},
    {"chase_lev/relaxed_pop", "release sequences"},
    {"published/phanes_pop_publishes", "release sequences"},
    {"second_opinion/failed_exchange_acquires", "failure orders"},
    {"second_opinion/destroyed_after_use", "destruction"},
    {"barrier/relaxed_leave", "destruction"},
    {"barrier/relaxed_destruction", "destruction"},
    {"completion/record_dies_in_the_wake", "destruction"},
    {"private_deque/request_dies_in_the_answer", "destruction"},
    {"call_stack_deque/thief_looks_back", "destruction"},
    {"rundown/destroyed_early", "destruction"},
    {"slab_queue/relaxed_idle", "destruction"},
    {"thread_pool/relaxed_rundown", "destruction"},
    {"thread_pool/relaxed_release", "destruction"},
    {"thread_pool/all_arrive_without_acquire", "destruction"},
    {"thread_pool/all_arrive_without_release", "destruction"},
    {"second_opinion/used_after_construction", "construction"},
    {"known_bugs/libcds_acquired_head", "construction"},
    {"ticket_queue/release_append", "construction"},
    {"slab_queue/append_unheld_seq_cst", "addresses"},
    {"published/perfetto_tail_then_refcount", "addresses"},
    {"published/perfetto_second_look", "addresses"},
    {"published/perfetto_acquire_release", "addresses"},
    {"published/perfetto_global_count", "addresses"},
    {"published/perfetto_global_count_acquire_release", "addresses"},
};

}  // namespace

std::span<const rule> rules() noexcept { return all_rules; }
std::span<const difference> differences() noexcept { return all_differences; }

const rule* rule_for(std::string_view scenario) noexcept {
  const auto* const known = std::ranges::find(all_differences, scenario, &difference::scenario);
  if (known == std::end(all_differences)) return nullptr;
  const auto* const found = std::ranges::find(all_rules, known->rule, &rule::key);
  return found == std::end(all_rules) ? nullptr : found;
}

}  // namespace fencepost::relacy
