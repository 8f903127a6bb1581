#include "execute/machinery.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::verify {

namespace {

// A compare-exchange that is made weak may fail, even if the bound on spurious failures is 0.
options within_limits(options o) {
  for (const order_change& c : o.changes)
    if (c.which == order_change::part::strength)
      o.spurious_failures = std::max(o.spurious_failures, 1U);
  o.max_events = std::min<std::size_t>(o.max_events, most_events);
  o.graphs_apart = std::max<std::uint64_t>(o.graphs_apart, 1);
  return o;
}

bool looks_at_places(const options& o) { return o.list_places || !o.changes.empty(); }

}  // namespace

machinery::machinery(const options& o, std::function<void()> body, bool& frames_are_compared,
                     foreign_memory::range own)
    : asked(within_limits(o)),
      model(events_so_far, asked.model),
      preferred(asked),
      symmetric(events_so_far, asked, preferred.all()),
      tree(events_so_far, model, symmetric, asked),
      samples(events_so_far, model, asked),
      contended(events_so_far),
      bound(events_so_far, tree, sites, preferred.used(), asked),
      objects(events_so_far, ending, asked),
      table(asked.changes),
      orders(looks_at_places(asked) ? &table : nullptr),
      stacks(&thread_runner::program, &program_threads),
      trace(
          events_so_far, objects, wide, memory,
          [this](const void* p) { return stacks.on_a_stack(p); }, asked.name_of),
      threads(events_so_far),
      ending({stacks, threads, trace, asked}),
      comparison({recording, objects, memory, stacks, threads, ending}),
      watch({stacks, threads, progress, ending, asked}),
      limits({events_so_far, stacks, threads, loops, progress, watch, ending, asked}),
      loops({events_so_far, tree, samples, symmetric, sites, contended, preferred, memory, objects,
             trace, recording, stacks, threads, ending, asked}),
      history({events_so_far, stacks, threads, loops, recorded, comparison, ending}),
      symmetric_group({symmetric, stacks, threads, loops, trace, ending}),
      schedule(events_so_far, threads, loops, samples, sites, preferred),
      points({events_so_far, tree, symmetric, memory, objects, waiting, loops, recorded, stacks,
              threads}),
      resumption({points, recording, trace, samples, bound, sites, ending, asked}, own),
      program_threads({events_so_far, preferred, sites, memory, stacks, threads, loops, recording,
                       comparison, symmetric_group, resumption, ending, trace, asked}),
      follower({events_so_far, stacks, threads, loops, trace, recording, limits, comparison}),
      performer({events_so_far, model, tree, samples, sites, stacks, threads, objects, loops,
                 schedule, follower, symmetric_group, resumption, ending, limits, comparison, trace,
                 orders, asked}),
      requests({events_so_far, symmetric, sites, stacks, threads, schedule, follower, performer,
                program_threads, trace, ending}),
      objects_of_program({events_so_far, model, sites, memory, objects, waiting, stacks, threads,
                          loops, trace, limits, comparison, requests, asked}),
      allocated({memory, objects, stacks, threads, loops, history, trace, limits, comparison,
                 requests, objects_of_program, ending, asked}),
      judge({events_so_far, tree, symmetric, memory, objects, threads, loops, trace, recorded,
             ending, asked}),
      learned({tree, samples, contended, resumption, ending, asked}),
      runner({events_so_far,
              symmetric,
              tree,
              samples,
              contended,
              bound,
              memory,
              objects,
              waiting,
              recording,
              recorded,
              trace,
              threads,
              schedule,
              program_threads,
              history,
              limits,
              ending,
              judge,
              resumption,
              learned,
              frames_are_compared},
             std::move(body)),
      repeated({memory, stacks, recording, recorded, ending, resumption, learned, runner, asked}),
      writer({trace, threads, ending, runner}),
      counting({events_so_far, model,      symmetric, tree,     samples,   bound,  contended,
                objects,       threads,    loops,     recorded, recording, ending, limits,
                watch,         resumption, learned,   runner,   repeated,  writer, asked}),
      navigation({tree, samples, contended, resumption, learned, runner, asked}),
      probes({tree, contended, resumption, learned, runner}),
      main_search({tree, samples, symmetric, contended, ending, resumption, learned, runner,
                   counting, navigation, probes, writer, orders, asked}) {
  memory.reserve(asked.memory_size);
}

}  // namespace fencepost::verify
