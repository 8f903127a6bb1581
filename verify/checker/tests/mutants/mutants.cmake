# Faults to plant in the explorer, one at a time: the tests must notice each.
# mutate.cmake explains the calls.

# --- Revisits -------------------------------------------------------------------------------------

mutant(revisits.cpp "a revisit may delete events that were not added maximally"
       [=[else if (@)
      break;]=] [=[!maximal(t, prefix)]=] [=[false]=])
mutant(revisits.cpp "a write may revisit the reads that it depends on"
       [=[if (@) continue;]=] [=[prefix.covers(t.id)]=] [=[false]=])
mutant(revisits.cpp "a write may revisit a read that coherence keeps from reading it"
       [=[if (@) low =]=] [=[w.loc[k] == r.loc[field]]=] [=[false]=])
mutant(revisits.cpp "a read-modify-write may revisit a read that coherence keeps from reading it"
       [=[if (@ &&]=] [=[l == read]=] [=[false]=])
mutant(revisits.cpp "a revisiting read-modify-write ignores that another one has the same source"
       [=[if (@) possible]=] [=[graph_.rmw_after(w.rf[k], l, writer) != 0]=] [=[false]=])
mutant(sources.cpp "the second read-modify-write of a source revisits nothing"
       [=[if (!@) continue;
    hopeless]=] [=[graph_.view(id).porf.covers(other)]=] [=[true]=])
mutant(deletion.cpp "a read-modify-write keeps its write while its read is revisited"
       [=[@;
  delete_unneeded]=] [=[unlink_write(reader)]=] [=[void()]=])
mutant(revisits.cpp "a write is maximal although it does not come last"
       [=[if (@) return false;]=] [=[present(mo[i])]=] [=[false]=])
mutant(revisits.cpp "a read is maximal whatever it reads"
       [=[if (@) return false;]=] [=[mo[i] != e.rf[t.part]]=] [=[false]=])
mutant(revisits.cpp "a second field that is there is revisited"
       [=[waits || (@ &&]=] [=[t.part == 0]=] [=[t.part < 2]=])
mutant(revisits.cpp "a read is revisited although it waits for its second field"
       [=[if (@)
      c.cursor = 0;]=] [=[waits]=] [=[false]=])
mutant(revisits.cpp "a write is maximal although an older read reads it"
       [=[@) return false;]=] [=[reader.rf[f] == t.id && reader.stamp[f] < t.stamp]=] [=[false]=])
mutant(revisits.cpp "a spurious failure is maximal"
       [=[if (@ ||]=] [=[e.spurious]=] [=[false]=])
mutant(revisits.cpp "any choice is maximal"
       [=[return @;]=] [=[e.read == 0]=] [=[true]=])
mutant(deletion.cpp "the readers are not restored when a revisit is undone"
       [=[@;]=] [=[h.readers.swap(d.locations_[i].readers)]=] [=[void()]=])

mutant(revisits.cpp "a lock that has displaced a waiter is maximal"
       [=[|| @) return false;]=] [=[e.displaces]=] [=[false]=])
mutant(revisits.cpp "any location that is waited for is treated as a mutex"
       [=[r.awaits && @ &&]=] [=[r.waits == wait_for::mutex]=] [=[true]=])
mutant(revisits.cpp "a waiter is displaced by a lock that comes before an earlier one"
       [=[@ && graph_]=] [=[w.rf[0] == r.rf[0]]=] [=[true]=])
mutant(exploration.cpp "the executions in which a waiter is displaced are left out"
       [=[displacing: return @ ?]=] [=[std::exchange(c.tried, true)]=] [=[true]=])

# --- Sources and places ---------------------------------------------------------------------------

mutant(sources.cpp "the oldest source of a read is left out"
       [=[|| @) return false;
    } while]=] [=[c.position[0] == c.low[0]]=] [=[c.position[0] <= c.low[0] + 1]=])
mutant(graph.hpp "a write may be placed between a read-modify-write and its source"
       [=[return @;]=] [=[rmw_after(mo[static_cast<std::size_t>(position)], l, 0) == 0]=] [=[true]=])
mutant(sources.cpp "weak compare-exchanges do not fail spuriously"
       [=[if (@) return false;]=] [=[!graph_.at(id).weak || !may_fail_spuriously(graph_, options_)]=] [=[true]=])
mutant(sources.cpp "a spurious failure stays when the source changes"
       [=[@;
    graph_.cut(c.trail_length);
    const bool first]=] [=[graph_.set_spurious(id, false)]=] [=[void()]=])
mutant(sources.cpp "a spurious failure is not checked against the order of seq_cst"
       [=[!consistency_.outdated(id) && @;]=] [=[acyclic(c)]=] [=[true]=])
mutant(sources.cpp "a spurious failure acquires as a success"
       [=[out_of_order(id) && @ &&]=] [=[!consistency_.outdated(id)]=] [=[true]=])
mutant(sources.cpp "a changed source is not checked against the order of seq_cst"
       [=[if (@) {]=] [=[!consistent]=] [=[false]=])
mutant(exploration.cpp "a changed position is not checked against the order of seq_cst"
       [=[out_of_order(c.event) && @) return]=] [=[consistency_.acyclic(c.event)]=] [=[true]=])
mutant(consistency.hpp "a whole-word read may take halves of different writes"
       [=[return graph_.at(id).fields() == 2 && @;]=] [=[fields_torn_by_read(id)]=] [=[false]=])
mutant(consistency.cpp "an acquire by one half of a word does not constrain the source of the other half"
       [=[if (!words_ || @) return false;]=] [=[e.torn || !acquires(e.effective())]=] [=[true]=])
mutant(sources.cpp "no thread waits for a second half"
       [=[graph_.set_torn(c.event, @);]=] [=[!std::exchange(c.tried, true)]=] [=[false]=])
mutant(seq_cst_order.cpp "a second half that a thread waits for counts in the order of seq_cst"
       [=[return @; }]=] [=[!(e.torn && field == 1)]=] [=[true]=])
mutant(exploration.cpp "whole-word writes may be ordered differently in each half"
       [=[if (@) return true;]=] [=[!consistency_.torn_write(id)]=] [=[true]=])
mutant(graph.cpp "two read-modify-writes may read the same write"
       [=[return @;]=] [=[mo[next]]=] [=[event_id{0}]=])
mutant(graph.hpp "a read-modify-write's write comes last, not behind its source"
       [=[@);]=] [=[mo_position(e.rf[k], e.loc[k]) + 1u]=]
       [=[static_cast<unsigned>(histories_[e.loc[k]].mo.size())]=])

# --- The model ------------------------------------------------------------------------------------

mutant(consistency.cpp "a read may read a write overwritten by one that happens before the read"
       [=[if (@) {]=] [=[hb.covers(h.mo[i])]=] [=[false]=])
mutant(consistency.cpp "a read may read older writes than a read that happened before"
       [=[if (@) continue;]=] [=[!hb.covers(r)]=] [=[true]=])
mutant(graph.cpp "of many accesses, those of a thread that write do not count as seen"
       [=[if (@) return e.mo[k];]=] [=[e.write_linked]=] [=[false]=])
mutant(graph.cpp "of many accesses, those of a thread that read do not count as seen"
       [=[return @;
}

void graph::add_last]=] [=[e.reads() ? mo_position(e.rf[k], l) : 0]=] [=[0U]=])
mutant(graph.cpp "of many accesses, the first one tells what a thread has seen"
       [=[make_id(thread, @);]=] [=[std::prev(end)->index]=] [=[all.begin()->index]=])
mutant(graph.cpp "of many reads, none is found that a write might revisit"
       [=[return @;
}

unsigned graph::seen_by]=] [=[all.back().reads - (end == all.begin() ? 0 : std::prev(end)->reads)]=] [=[0U]=])
mutant(event.hpp "a failed compare-exchange has its success order"
       [=[return @;]=] [=[kind == event_kind::rmw && !succeeds() ? failure : success]=] [=[success]=])
mutant(consistency.cpp "an acquire fence does not synchronize"
       [=[@;]=] [=[v.pending.join(source.release)]=] [=[void()]=])
mutant(consistency.cpp "a release fence does not synchronize"
       [=[if (@) e.release_fence]=] [=[releases(e.success)]=] [=[false]=])
mutant(consistency.cpp "a race is seen only from the side of the plain access"
       [=[(plain || @)]=] [=[graph_.at(x).effective() == order::plain]=] [=[false]=])
mutant(consistency.cpp "an atomic access races with the first plain one alone"
       [=[if (!plain && @ &&]=] [=[!h.more_plain]=] [=[true]=])
mutant(consistency.cpp "atomic accesses race"
       [=[const bool plain = @;]=] [=[e.effective() == order::plain]=] [=[true]=])
mutant(consistency.cpp "an access that happens before another one races with it"
       [=[return @ && (]=] [=[!hb.covers(x)]=] [=[true]=])
mutant(consistency.cpp "an access that happens after another one races with it"
       [=[@;]=] [=[!graph_.view(x).hb.covers(id)]=] [=[true]=])
mutant(consistency.cpp "reads do not race"
       [=[if (@) return other = r, true;]=] [=[r != id && races_with(r)]=] [=[false]=])
mutant(consistency.cpp "a release sequence ends at a read-modify-write"
       [=[@;]=] [=[v.release.join(graph_.view(e.rf[k]).release)]=] [=[void()]=])
mutant(consistency.cpp "release sequences are the same in all models"
       [=[if (@) {]=] [=[model_ == memory_model::rc11]=] [=[true]=])
mutant(consistency.cpp "a join does not synchronize"
       [=[@;]=] [=[v.hb.join(child.view.back().hb)]=] [=[void()]=])
mutant(graph.cpp "the creation of a thread does not synchronize"
       [=[@;]=] [=[base.hb = view(creator).hb]=] [=[base.hb]=])

mutant(clock.hpp "synchronization passes on no events of threads with great numbers"
       [=[mine.lanes[i] = @;]=] [=[std::max(mine.lanes[i], other.more_->lanes[i])]=]
       [=[mine.lanes[i]]=])

# --- The order of sequentially consistent events --------------------------------------------------

mutant(seq_cst_order.cpp "a read does not come before the writes that overwrite its source"
       [=[const std::size_t next = @;]=] [=[graph_.mo_position(e.rf[k], e.loc[k]) + 1u]=]
       [=[h.mo.size()]=])
mutant(seq_cst_order.cpp "a write does not come before its readers and the next writes"
       [=[if (@) {]=] [=[e.write_linked]=] [=[false]=])
mutant(seq_cst_order.cpp "a fence after an access does not hand its order on"
       [=[while (first > 0 && @)]=] [=[l.view[l.fences[first - 1]].hb.covers(id)]=] [=[false]=])
mutant(seq_cst_order.cpp "a fence before an access does not hand its order on"
       [=[while (left > 1 && @)]=] [=[l.view[left - 1].hb.covers(fence)]=] [=[false]=])
mutant(seq_cst_order.hpp "reads-from between accesses orders them, as in C++20"
       [=[reads_from_orders_accesses() const noexcept { return @; }]=] [=[standard_]=] [=[true]=])
mutant(seq_cst_order.cpp "no cycle closes at the access that has changed"
       [=[found_ || (@ &&]=] [=[itself_]=] [=[false]=])
mutant(seq_cst_order.cpp "reads of a write that has overwritten a source close no cycle"
       [=[accesses() || @) return true;]=] [=[!behind_fence]=] [=[true]=])
mutant(seq_cst_order.cpp "happens-before between threads does not order accesses"
       [=[while (next != l.accesses.begin() && @)]=]
       [=[l.view[*std::prev(next)].hb.covers(x)]=] [=[false]=])
mutant(seq_cst_order.cpp "strongly-happens-before is replaced by happens-before"
       [=[if (standard_) return @;]=] [=[graph_.before(y).hb.covers(x + 1)]=]
       [=[graph_.view(y).hb.covers(x)]=])
mutant(seq_cst_order.cpp "accesses that happen before each other are ordered only at one location"
       [=[|| @;]=] [=[through_other_locations(x, y)]=] [=[false]=])
mutant(seq_cst_order.cpp "a change behind a fence is not checked"
       [=[const bool behind_fence = @;]=] [=[is_behind_fence(changed)]=] [=[false]=])
mutant(sources.cpp "the events after the write that becomes the source of a read are not checked"
       [=[initial_write || @);]=] [=[consistency_.acyclic(e.rf[k])]=] [=[true]=])

# --- Waiting --------------------------------------------------------------------------------------

mutant(liveness.cpp "a thread that waits on an old value is reported"
       [=[if (e.spurious || (e.reads() && @)) return]=] [=[!loops.read_latest(t, i)]=] [=[false]=])
mutant(spin_loops.cpp "a turn that writes another value is idle"
       [=[(!e.succeeds() || @);]=] [=[e.written == e.read]=] [=[true]=])
mutant(event_performer.cpp "a turn continues after an effect"
       [=[if (@) {
    loops_.settle_overtaking();]=] [=[!removable(done)]=] [=[false]=])
mutant(snapshots.cpp "registers are not compared"
       [=[s.constructed &&
         @;]=] [=[same_bytes(s.stack.data(), s.begin, s.stack.size())]=]
       [=[same_bytes(s.stack.data() + std::min<std::size_t>(256, s.stack.size()),
                     s.begin + std::min<std::size_t>(256, s.stack.size()),
                     s.stack.size() - std::min<std::size_t>(256, s.stack.size()))]=])
mutant(snapshots.cpp "the stack is not compared"
       [=[append_bytes(s.stack, s.begin, @);]=] [=[size_above(s.begin, fibers_.stack(self))]=] [=[std::size_t{0}]=])
mutant(snapshots.cpp "the stacks of other threads are not compared"
       [=[f(piece{kind::stack, u, 0, live, @})]=] [=[size_above(live, fibers_.stack(u))]=] [=[std::size_t{0}]=])
mutant(snapshots.cpp "blocks of memory are not compared"
       [=[reinterpret_cast<const char*>(&b + 1), @});]=] [=[b.size]=] [=[std::size_t{0}]=])
mutant(left_out_races.cpp "the threads that may run meanwhile are determined only once"
       [=[if (@) return meanwhile_;]=] [=[meanwhile_since_ == now]=]
       [=[meanwhile_since_.resumed != 0]=])
mutant(idle_turns.cpp "symmetry is given up while an execution is shown"
       [=[!turns.in_place && @)
    give_up]=] [=[!trace_.on()]=] [=[true]=])
mutant(spin_loops.cpp "races with accesses that are left out are not looked for"
       [=[if (@) break;
    leave_out]=] [=[adds_access(i)]=] [=[false]=])
mutant(repeated_turns.cpp "no idle turn is repeated"
       [=[times = @;]=] [=[repetitions(a.where)]=] [=[0]=])
mutant(spin_loops.hpp "a repeated turn may do something else"
       [=[if (@) differs]=] [=[!same_request(e, r.events[i]) || !(where == r.where[i])]=] [=[false]=])
mutant(repeated_turns.cpp "accesses of a repeated turn count"
       [=[done.size() > @;]=] [=[turns.repeated->plains]=] [=[~std::size_t{0}]=])
mutant(event_performer.cpp "memory is compared only once"
       [=[threads_[self];
  @;
  limits_]=] [=[loops_.program_has_run()]=] [=[void()]=])
mutant(exploration.cpp "a run that passes on leaves a source out"
       [=[choice::sources && @;]=] [=[change_youngest() == step::run]=]
       [=[change_youngest() == step::run && change_youngest() == step::run]=])
mutant(exploration.cpp "a choice without alternatives left stays"
       [=[if (@) choices_.pop_back();]=] [=[s == step::exhausted]=] [=[false]=])
mutant(idle_turns.cpp "a run that is passed is not counted"
       [=[@;]=] [=[++passed_]=] [=[passed_]=])
mutant(idle_turns.cpp "a run passes on more often than it may"
       [=[if (@ || !alone)]=] [=[passed_ >= may_pass_on_]=] [=[may_pass_on_ == 0]=])
mutant(counting_runner.cpp "a run that passes on does not count itself"
       [=[so_far.executions + @;]=] [=[so_far.blocked + 1]=] [=[so_far.blocked]=])
mutant(counting_runner.cpp "a run passes on after a violation"
       [=[if (@) return 0;]=] [=[so_far.violation.has_value()]=] [=[false]=])
mutant(fibers.cpp "bytes that an earlier run left on a stack are visible in the next run"
       [=[clear_below(f, @);]=] [=[f.stack.top()]=] [=[static_cast<const void*>(f.cleared)]=])
mutant(fibers.hpp "bytes that an earlier run left on a stack are visible in a run that resumes"
       [=[if (@) clear_below]=] [=[clear && f.resumed != s.resumed]=] [=[false]=])
mutant(fibers.hpp "frames that are deeper than the first ones compared are not cleared"
       [=[return @;]=] [=[f.live >= f.cleared]=] [=[f.cleared != f.stack.top()]=])
mutant(event_performer.cpp "a run continues although its frames are not cleared"
       [=[  @;
}

void event_performer::follow(]=] [=[ending_.leave()]=] [=[void()]=])
mutant(event_performer.cpp "frames that were not cleared are restored"
       [=[now_on();
  @;]=] [=[resuming_.forget_points()]=] [=[void()]=])
mutant(execution_runner.cpp "a random execution that is restarted draws other numbers"
       [=[if (@) sampler_]=] [=[sampler_.on() && before.trail == 0]=] [=[false]=])
mutant(exploration.cpp "a record of a turn made before the first choice stays when the choice is undone"
       [=[if (@) ++beginnings_]=] [=[count == 0]=] [=[false]=])
mutant(thread_turns.cpp "a resume point keeps the turns of a discarded one"
       [=[if (@) return;
  to.used]=] [=[std::exchange(to.resumed, resumed) == resumed]=]
       [=[std::exchange(to.resumed, resumed) != 0]=])

# --- What blocks ----------------------------------------------------------------------------------

mutant(consistency.cpp "a thread synchronizes by the lock of a queue, or by its wake-up"
       [=[look_for::nothing && @;]=] [=[!graph_.history(e.loc[0]).hidden]=] [=[true]=])
mutant(consistency.cpp "the lock of a queue passes on the view that a fence has released"
       [=[else if (e.release_fence != 0 && @)]=] [=[!graph_.history(e.loc[0]).hidden]=] [=[true]=])
mutant(seq_cst_order.cpp "the lock of a queue counts in the order of seq_cst"
       [=[if (h.mo.size() < 2 || @) continue;]=] [=[h.hidden]=] [=[false]=])
mutant(consistency.hpp "a wait may read writes older than those that a wake guarantees"
       [=[return @ ? low]=] [=[e.looks == look_for::nothing]=] [=[true]=])
mutant(consistency.cpp "a notification guarantees the writes that it has read"
       [=[return @ ? last_write]=] [=[e.looks == look_for::notify]=] [=[false]=])
mutant(consistency.cpp "a futex's wake guarantees only the writes that happen before it"
       [=[: (@)) ? last_write]=] [=[e.looks == look_for::notify]=] [=[true]=])
mutant(wait_queue.cpp "a wake releases nothing"
       [=[0, 1, @, wait_for]=] [=[wakes ? order::release : order::relaxed]=] [=[order::relaxed]=])
mutant(wait_queue.cpp "a notification wakes a futex"
       [=[return @ &&]=] [=[w.kind == kind]=] [=[true]=])
mutant(wait_queue.cpp "a notification goes to a thread that cannot continue"
       [=[(kind != sleeper::atomic || @)]=] [=[here().replaced(w.look)]=] [=[true]=])
mutant(wait_queue.cpp "a thread that waits for an atomic is woken where none should be"
       [=[!timed && @) e.give_up();]=] [=[!self.instead]=] [=[true]=])
mutant(wait_queue.cpp "a futex never returns early"
       [=[if (@) return waited::woken;]=] [=[futex && e.choose(2, budget::spurious_wakeup, where) == 1]=] [=[false]=])
mutant(wait_queue.cpp "threads wait for a condition variable with two mutexes"
       [=[sleeper::condition && @)]=] [=[w->mutex != mutex]=] [=[false]=])
mutant(wait_queue.cpp "a condition variable is destroyed while a thread waits for it"
       [=[if (@) continue;
    char text]=] [=[w->kind != sleeper::condition]=] [=[true]=])
mutant(checked_atomics.cpp "a wait that was notified is never late"
       [=[return !(@);]=] [=[timed && by_chance(verify::budget::timeout)]=] [=[false]=])
mutant(checked_atomics.cpp "threads wait for a condition variable that was destroyed"
       [=[@;
  verify::detail::waiter self]=] [=[here().use(at, true, where)]=] [=[void()]=])
mutant(checked_atomics.cpp "a condition variable that was destroyed is notified"
       [=[@;
  verify::detail::wake]=] [=[here().use(at_.get(where), false, where)]=] [=[void()]=])
mutant(checked_atomics.cpp "a mutex is destroyed while it is locked"
       [=[e != nullptr && @)]=] [=[e->known(at_.get()) != 0]=] [=[false]=])
mutant(checked_atomics.cpp "try_lock() by the owner fails"
       [=[if (@)
    here().fail(violation::misuse, "try_lock]=] [=[is_held_here()]=] [=[false]=])
mutant(lifetimes.hpp "data to which nothing was written has a value"
       [=[if (@) no_value]=] [=[objects_[l].without_value]=] [=[false]=])
mutant(allocations.cpp "the first object of a block outlives it"
       [=[static_cast<std::uint32_t>(@);]=] [=[lifetimes_.constructed().size()]=]
       [=[lifetimes_.constructed().size() + 1]=])
mutant(memory.cpp "objects that begin while their block is the newest outlive it"
       [=[const block* later) { return @; });]=] [=[n < later->objects]=] [=[n <= later->objects]=])
mutant(program_objects.cpp "objects that begin when their block is not the newest outlive it"
       [=[  @;
}

location program_objects::declare_plain]=] [=[lifetimes_.note_late_in_block()]=] [=[void()]=])
mutant(allocations.cpp "objects of a block that is used again outlive it"
       [=[  if (@)
    arena::header]=] [=[again == nullptr]=] [=[p != nullptr]=])
mutant(lifetimes.hpp "data that was written has no value"
       [=[if (@) o.without_value = false;]=] [=[writes]=] [=[false]=])
mutant(program_objects.cpp "an access that is not an event may come after the lifetime"
       [=[@;
  if (!may_outlast]=] [=[lifetimes_.check_alive(here(), l, where)]=] [=[void()]=])
mutant(lifetimes.cpp "a lifetime may end before an access that is not an event"
       [=[access == 0 && @ &&]=] [=[!o.read_at.exceeds(known, p.thread)]=] [=[true]=])
mutant(outcomes.cpp "outcomes are in the order in which threads ran"
       [=[return @; });]=] [=[a->thread < b->thread]=] [=[false]=])

# --- Parts ----------------------------------------------------------------------------------------

mutant(preemption_bound.cpp "nothing that is above the bound may be deleted"
       [=[all.exceeds(@)]=] [=[bound + *deleted]=] [=[bound]=])
mutant(preemption_bound.cpp "every event is assumed to remain"
       [=[if (t.part == 0 && @)]=] [=[!exploration_.maximal(t, nothing)]=] [=[true]=])
mutant(preemption_bound.cpp "a run that reaches the bound is abandoned"
       [=[waiting).exceeds(@)]=] [=[bound]=] [=[bound - (bound > 0 ? 1 : 0)]=])
mutant(sampler.cpp "only the latest is read"
       [=[const bool prefers = @;
  if ((]=] [=[random(8) < prefers_latest_]=] [=[true]=])
mutant(sampler.cpp "two drawn read-modify-writes may read the same write"
       [=[if (@) return false;
  graph_.link_rmw(id);]=] [=[graph_.rmw_after(e.rf[k], e.loc[k], id) != 0]=] [=[false]=])
mutant(sampler.cpp "sources are not checked for the order of seq_cst"
       [=[if (@) return false;
  if (!e.succeeds()) return true;]=] [=[!youngest && !consistency_.acyclic(id)]=] [=[false]=])
mutant(sampler.cpp "a drawn write may be placed between a read-modify-write and its source"
       [=[possible = possible && @;]=]
       [=[graph_.may_follow(id, k, static_cast<std::int32_t>(behind[k]))]=] [=[true]=])
mutant(sampler.cpp "a drawn compare-exchange does not fail spuriously"
       [=[const bool consistent = @;]=] [=[!consistency_.outdated(id) && consistency_.acyclic(id)]=] [=[false]=])
mutant(sampler.cpp "time-outs and spurious wake-ups do not come"
       [=[if (@)
    graph_]=] [=[affordable(graph_, options_, e.charge)]=] [=[false]=])
mutant(sampler.cpp "halves of different writes are drawn"
       [=[if (@) return false;]=] [=[consistency_.torn_read(id)]=] [=[false]=])
mutant(sampler.cpp "drawn halves may be older than what has been acquired"
       [=[if (@) return false;]=] [=[consistency_.outdated(id)]=] [=[false]=])

# --- Symmetric threads ----------------------------------------------------------------------------

mutant(symmetry.cpp "the later of two twins does not depend on the earlier one"
       [=[t = twin(other, id); @)]=] [=[t != 0]=] [=[false]=])
mutant(symmetry.cpp "an event that depends on its neighbour could be the neighbour's"
       [=[return @;]=] [=[std::none_of(std::begin(e.rf), std::end(e.rf), depends)]=] [=[true]=])
mutant(symmetry.cpp "threads are in step that have read from different writes"
       [=[&&
         @ &&]=] [=[a.rf[0] == b.rf[0]]=] [=[true]=])
mutant(symmetry.cpp "threads are in step that have written"
       [=[@ && !a.torn]=] [=[!a.writes() && !b.writes()]=] [=[true]=])
mutant(symmetry.cpp "the twin that reads the later write comes first"
       [=[if (@) return false;]=] [=[mine > its]=] [=[mine < its]=])
mutant(symmetry.cpp "a twin may be placed before its neighbour"
       [=[return @;
  if (!e.reads()]=] [=[e.mo[0] < first.mo[0]]=] [=[false]=])
mutant(symmetry.cpp "of twins that choose, only the first may take another alternative than the first"
       [=[return @;]=] [=[e.read > first.read]=] [=[e.read >= first.read]=])
mutant(symmetry.cpp "of twins that may fail spuriously, only the first may"
       [=[return @;]=] [=[e.spurious && first.succeeds()]=] [=[e.spurious]=])
mutant(sources.cpp "a source that ought to be the neighbour's is explored"
       [=[if (@) return false;]=] [=[symmetry_.out_of_order(id)]=] [=[false]=])

# --- Parts ----------------------------------------------------------------------------------------

mutant(part.cpp "a part that was given away is explored as well"
       [=[last_ = @;
  keep_within_part();
  return given;]=] [=[std::move(done)]=] [=[last_]=])
mutant(part.cpp "a part continues after its end"
       [=[while (@ && fixed_ < choices_.size()]=] [=[fixed_ < last_.size()]=] [=[false]=])
mutant(part.cpp "on the way, a choice is changed once too often"
       [=[for (std::uint32_t n = 0; @; ++n)]=] [=[n < way_[on_way_]]=] [=[n <= way_[on_way_]]=])
mutant(part.cpp "revisits are not undone on the way"
       [=[while (@ && frames_[frames_used_ - 1]->choices >= from)]=] [=[frames_used_ > 0]=] [=[false]=])
mutant(part.cpp "all of a part is given away, and kept"
       [=[if (@) return {};]=] [=[at + 1 >= choices_.size()]=] [=[choices_.empty()]=])
mutant(ledger.cpp "the rest of a part that was stopped is forgotten"
       [=[if (@) {
    parts_]=] [=[r.how == ending::stopped]=] [=[false]=])
mutant(ledger.cpp "parts that come after a violation count"
       [=[if (@) {
    p->second.last = r.at;]=] [=[is_end(r.how)]=] [=[false]=])
mutant(ledger.cpp "the whole tree counts as explored when the first part is"
       [=[return all.at == state::closed && (@ ||]=] [=[all.last == end_]=] [=[true]=])
mutant(kept_exploration.cpp "places are kept without the zeros at their end"
       [=[" " + @;
  };]=] [=[place_to_text(p.last)]=] [=[place_to_text(without_zeros(p.last))]=])
mutant(ledger.cpp "contention shows only in one part"
       [=[if (@) continue;
      const choice_path& at]=]
       [=[(a.threads & b.threads) == 0]=] [=[true]=])
mutant(ledger.cpp "two parts that are joined count as one"
       [=[add(sum.found, @);
  add(sum.examples, more.examples);
  add(sum.observed, more.observed);
  sum.how]=] [=[more.found]=] [=[result()]=])
mutant(ledger.cpp "of two parts that are joined, only the first has examples of outcomes"
       [=[add(sum.examples, @);
  add(sum.observed, more.observed);
  sum.how]=] [=[more.examples]=] [=[std::vector<outcome_example>()]=])
mutant(ledger.cpp "a later example takes the place of the first one of its outcome"
       [=[if (@) sum.push_back(e);]=] [=[!has_example(sum, e.outcome)]=] [=[true]=])
mutant(part_search.cpp "a part does not end when the front end has learned something"
       [=[if (std::optional<std::string> why = @) {
    done_]=] [=[front_end_state::why_over_now()]=] [=[std::optional<std::string>()]=])
mutant(search.cpp "an exploration does not end when the front end has learned something"
       [=[if (std::optional<std::string> why = @) {
    if (!r.violation)]=] [=[front_end_state::why_over_now()]=] [=[std::optional<std::string>()]=])
mutant(division.cpp "a process does not adopt the knowledge of another"
       [=[if (@) explorer_->make(run);]=] [=[!front_end_state::why_over_now()]=] [=[false]=])
mutant(division_together.cpp "a process that knows more explores another part"
       [=[knows_more = h->done->how == ending::learned || @;]=] [=[h->done->how == ending::over]=]
       [=[false]=])
mutant(ledger.cpp "parts that come after the end by a front end count"
       [=[how == ending::lost || @;]=] [=[how == ending::over]=] [=[false]=])
mutant(part_search.cpp "a part keeps the example of its last outcome only"
       [=[if (!@) done_.examples.push_back]=] [=[has_example(done_.examples, outcome)]=]
       [=[(done_.examples.clear(), false)]=])

# --- Resume points --------------------------------------------------------------------------------

mutant(resume_points.cpp "memory is not restored"
       [=[std::memcpy(p.begin, from, @);]=] [=[p.size]=] [=[std::size_t{0}]=])
mutant(resume_points.cpp "the stack on which a thread calls the engine is not restored"
       [=[of_all || @)]=] [=[fibers_.last_resumed(p.thread) != m->stacks[p.thread].resumed]=]
       [=[false]=])
mutant(resume_points.cpp "the positions of threads are not restored"
       [=[  @;]=]
       [=[threads_.put_back(m->threads)]=] [=[void()]=])
mutant(resume_points.cpp "lifetimes are not restored"
       [=[  @;]=] [=[objects_.put_back(m->objects)]=] [=[void()]=])
mutant(lifetimes.hpp "it is not noted that an object has changed"
       [=[o.changed = @;]=] [=[++changes_]=] [=[changes_]=])
mutant(resume_points.cpp "allocations are not restored"
       [=[  @;]=] [=[arena_.put_back(m->memory)]=] [=[void()]=])
mutant(resume_points.cpp "recorded outcomes are not restored"
       [=[  @;]=] [=[outcomes_.put_back(m->recorded)]=] [=[void()]=])
mutant(resume_points.cpp "lists of waiting threads are not restored"
       [=[  @;]=] [=[wait_lists_.put_back(m->waiting)]=] [=[void()]=])
mutant(resume_points.cpp "turns of loops are not restored"
       [=[  @;]=] [=[loops_.put_back(m->loops)]=] [=[void()]=])
mutant(resume_points.cpp "the state of a front end is not restored"
       [=[if (@) front_end_state::current->put_back]=] [=[front_end_state::current != nullptr]=]
       [=[false]=])
mutant(resume_points.cpp "bytes of a front end are not restored"
       [=[  if (@)
    for (]=] [=[front_end_state::current != nullptr]=] [=[false]=])
mutant(resume_points.cpp "a front end keeps one state for all resume points"
       [=[front_end_state::current->keep(@, fibers_);]=] [=[used_]=] [=[0 * used_]=])
mutant(resume_points.cpp "an execution resumes although its front end cannot"
       [=[return front_end_state::current == nullptr || @;]=] [=[front_end_state::current->can_resume()]=]
       [=[true]=])
mutant(foreign_memory.cpp "memory that a front end restores is foreign"
       [=[is_of_the_system(object->dlpi_name) || @) return 0;]=] [=[is_of_front_end(*object)]=] [=[false]=])
mutant(resume_points.cpp "a run resumes after a read that was revisited"
       [=[if (@ &&]=] [=[exploration_.unchanged_since(m.choice, m.trail_index)]=] [=[true]=])
mutant(resume_points.cpp "a thread resumes after an event that was removed"
       [=[return @;]=]
       [=[m.threads.all[m.thread].position < graph_.thread(m.thread).length()]=] [=[true]=])
mutant(resume_points.cpp "a run resumes from a choice that was discarded"
       [=[while (used_ > 0 && @) --used_;]=] [=[!exploration_.has(all_[used_ - 1]->choice)]=] [=[false]=])
mutant(wait_lists.hpp "a list that was empty is not emptied"
       [=[e.list.first = @;
      e.run = run_;]=] [=[nullptr]=] [=[e.list.first]=])
mutant(resuming.cpp "foreign memory is not compared"
       [=[if (@) return;
  foreign_.forget();
  if (points]=] [=[!foreign_.has_changed()]=] [=[true]=])
mutant(resuming.cpp "runs that are judged resume"
       [=[!@ && !ending_.is_showing()]=] [=[ending_.is_judged()]=] [=[false]=])
mutant(resuming.cpp "malloc is not noticed"
       [=[if (@) give_up]=] [=[allocation_hook::allocates_elsewhere]=] [=[false]=])
mutant(repetition.cpp "the result of a resumed run is accepted without a run from the beginning"
       [=[if (@) return now;]=] [=[same || learning_.restarted()]=] [=[true]=])

# --- Races ----------------------------------------------------------------------------------------

mutant(exploration.cpp "an event whose source changes does not race"
       [=[@;
  for_each_changed]=] [=[look_for_race()]=] [=[void()]=])
mutant(run_judge.cpp "a race of an event that was there before the run is no violation"
       [=[racing(); @)]=] [=[racing != 0]=] [=[false]=])
mutant(part.cpp "an event whose source changes on the way to a part does not race"
       [=[if (@) look_for_race]=] [=[s == step::run]=] [=[false]=])

# --- Load buffering -------------------------------------------------------------------------------

mutant(new_events.cpp "events that are added have no load-buffering race"
       [=[  @;
}]=] [=[load_buffering_.look(id)]=] [=[void()]=])
mutant(exploration.cpp "events whose source changes have no load-buffering race"
       [=[@;
  return s;]=] [=[for_each_changed([&](event_id id) { load_buffering_.look(id); })]=] [=[void()]=])
mutant(exploration.cpp "a write that has revisited a read has no load-buffering race"
       [=[if (@) return;
  }
}]=] [=[!choices_[i].revisited()]=] [=[true]=])
mutant(load_buffering.cpp "a read that happens before a write races with it"
       [=[if (@) return false;]=] [=[stays_before(read, write)]=] [=[false]=])
mutant(load_buffering.cpp "a read-modify-write stays before the events that acquire from it"
       [=[return @ ?]=] [=[graph_.at(read).writes()]=] [=[false]=])
mutant(load_buffering.cpp "an acquire keeps nothing behind it"
       [=[if (@) return false;]=] [=[nothing_follows(r, r.fields() == 2, graph_.written(write, at))]=] [=[false]=])
mutant(nothing_follows.hpp "a compare-exchange acquires as it does now, whatever it would read"
       [=[return acquires(@ ? r.s]=] [=[taken == r.expected]=] [=[r.read == r.expected]=])
mutant(sources.cpp "read-modify-writes of one source have no load-buffering race"
       [=[@;
  }
  if (hopeless)]=] [=[load_buffering_.look_at_conflict(other, id, e.loc[k])]=] [=[void()]=])
mutant(load_buffering.cpp "a release keeps nothing before it"
       [=[!e.writes() || @) continue;]=] [=[releases(e.effective())]=] [=[false]=])
mutant(load_buffering.cpp "a fence keeps nothing apart"
       [=[if (@) return false;]=]
       [=[e.kind == event_kind::fence && (acquires(e.success) || releases(e.success))]=] [=[false]=])
mutant(load_buffering.cpp "a store leads somewhere if its own thread reads it"
       [=[if (@) continue;]=] [=[thread_of(r) == thread_of(store)]=] [=[false]=])
mutant(load_buffering.cpp "a store of the same location leads nowhere"
       [=[at && @) continue;]=] [=[hb.covers(r)]=] [=[true]=])
mutant(load_buffering.cpp "a store of the same location leads anywhere"
       [=[if (@ &&]=] [=[s.loc[k] == at]=] [=[false]=])
mutant(load_buffering.cpp "the events after a reader of the store are not searched"
       [=[if (@) left]=] [=[e.rf[k] != initial_write]=] [=[false]=])
mutant(load_buffering.cpp "a reader of the store always leads to the write"
       [=[if (@) continue;]=] [=[before_[thread_of(r)] < index_of(r)]=] [=[false]=])

mutant(counting_runner.cpp "an exploration that was restarted last is at its end"
       [=[if (@ && !s.is_part) {
    contention_]=] [=[end == run_end::again]=] [=[(end == run_end::again && false)]=])

# --- Load buffering, explored ---------------------------------------------------------------------

mutant(repeated_starts.cpp "a value read from a deleted write need not be written again"
       [=[if (@) same |= bit;
  });
  if (same == 0)]=] [=[agree(*then, now)]=] [=[true]=])
mutant(repeated_starts.cpp "threads may repeat their steps of different executions"
       [=[for (const batch_set some : repeated_) @;]=] [=[all &= some]=] [=[all |= some]=])
mutant(repeated_starts.cpp "a kept read wants its value in one of the executions"
       [=[all.push_back(then.got);
  });
  if (@) return;]=] [=[!each]=] [=[!each || (all.resize(1), false)]=])
mutant(promised_reads.cpp "a word with one half still to come is never the wanted one"
       [=[if (@) repeated_.want_what_was_got]=] [=[!w.whole()]=] [=[true]=])
mutant(sources.cpp "a kept read is never revisited by a write that it does not want"
       [=[if (@ && graph_.at(id).in_vain()) continue;]=] [=[!first]=] [=[true]=])
mutant(promised_reads.cpp "a promised value is read only once"
       [=[if (@) {
    execution_.remove_last();]=] [=[chosen == 0]=] [=[true]=])
mutant(promising_engine.cpp "a promise is kept before its write"
       [=[if (@) {
    early_.add]=] [=[!writes_.all_made()]=] [=[false]=])
mutant(execution_judge.cpp "an execution with load buffering may be inconsistent"
       [=[if (@) return;
  if (!is_cyclic]=] [=[!read.consistent]=] [=[false]=])
mutant(run_ending.cpp "a violation that only seems to be one stops the other threads"
       [=[if (@ && halts_one_thread(kind)) {]=] [=[is_judged()]=] [=[false]=])
mutant(run_ending.hpp "a crash stops the other threads"
       [=[    case violation::crash: return @;]=] [=[true]=] [=[false]=])
mutant(execution_judge.cpp "a crash that depends on the order of data is one in every order"
       [=[(*run.wrong == violation::crash ? @]=] [=[engine_.unknown().doubts_data()]=] [=[false]=])
mutant(execution_judge.cpp "the steps of other threads after a misuse are not missed"
       [=[if (run.wrong && !judged.counts && @)]=] [=[ends_the_run(*run.wrong)]=] [=[false]=])
mutant(race_beginnings.cpp "there is no load buffering upon load buffering"
       [=[if (@) return;
  for]=] [=[!seen_.insert(fingerprint).second]=] [=[true]=])
mutant(reexecution.cpp "races that are not resolved are forgotten"
       [=[if (r.limit.empty() && @) r.limit]=] [=[!open_.empty()]=] [=[false]=])
mutant(beginning.cpp "a promise is forgotten when another one is made"
       [=[if (@) continue;
    if (p.read.number]=]
       [=[p.read.thread == read.thread && p.read.number >= read.number && !other_field]=] [=[true]=])
mutant(promised_writes.cpp "a thread that acquires a promised value does not wait for it"
       [=[if (@) return;
  s.waited |= me;]=]
       [=[(s.acquired & me) != 0 || (!acquires && (s.waited & me) != 0)]=] [=[true]=])
mutant(promised_writes.cpp "a thread that reaches a release fence acquires promised values"
       [=[const order how = @ ? order::acquire]=] [=[acquires]=] [=[true]=])
mutant(promised_writes.cpp "a promise is kept with release"
       [=[1, @ ? order::release : order::relaxed, {}]=] [=[releases(o)]=] [=[true]=])
mutant(promised_reads.cpp "a thread that has read from the future reads no older write afterwards"
       [=[if (@ ||]=] [=[reads_what_is_older(e, execution_.last(), field, p, *last)]=]
       [=[true]=])
mutant(coherent_promises.cpp "a thread that has read from the future reads a write that it knew before"
       [=[(@ && !promised)]=] [=[place == known]=] [=[false]=])
mutant(coherent_promises.cpp "a read-modify-write does not directly follow its source from the future"
       [=[a.at) != @) return]=] [=[place + 1]=] [=[place + 2]=])
mutant(coherent_promises.cpp "no write overwrites one that was read from the future"
       [=[if (@) return false;
  for (const event_id id]=] [=[follows(h.mo[i])]=] [=[true]=])
mutant(coherent_promises.cpp "a thread that has read from the future reads no newer write afterwards"
       [=[if (follows(id) && @) return]=]
       [=[g.mo_position(e.rf[e.field_at(a.at)], a.at) < place]=]
       [=[g.mo_position(e.rf[e.field_at(a.at)], a.at) > place]=])
mutant(run_judge.cpp "a run that is not coherent is not judged although it has a violation"
       [=[const bool tells_more = @;]=]
       [=[doubted || (run.wrong && !halts_one_thread(*run.wrong))]=] [=[false]=])
mutant(patches.cpp "a read-modify-write of a promised value knows the value that it writes"
       [=[before = by.what == patch::kind::replaced ? @ : by.number;]=] [=[by.number - 1]=]
       [=[by.number]=])
mutant(promising_engine.cpp "a creation comes with the next step of its thread"
       [=[@;  // what the threads do]=] [=[execution_.mark()]=] [=[void()]=])
mutant(promised_reads.cpp "a promise that is read again is no read of a loop"
       [=[static_cast<void>(@);
  taken_]=] [=[execution_.explores().load(word(read_again_), order::relaxed, where)]=]
       [=[execution_.explores().choose(1, budget::none, where)]=])
mutant(nothing_follows.hpp "a thread that waits reads from the future, too"
       [=[if (@ && taken != r.expected)]=] [=[r.awaits]=] [=[false]=])
mutant(load_buffering.cpp "a race is explored once, however it comes"
       [=[if (known && @) return true;]=] [=[!tells_each()]=] [=[true]=])

mutant(load_buffering.cpp "a read-modify-write writes before it reads"
       [=[for (unsigned i = @; i <= end; ++i)]=] [=[index_of(read) + 1]=] [=[index_of(read)]=])
mutant(promised_reads.cpp "no fence keeps a promised read before it"
       [=[if (@) return;
  for (const promise& p : promises_)]=] [=[!acquires(o) && !releases(o)]=] [=[true]=])
mutant(promised_reads.cpp "a promised value is not acquired"
       [=[if (@ && each != nullptr) writes_.await]=] [=[acquires(o)]=] [=[false]=])
mutant(promised_execution.cpp "the write of a read-modify-write is another event than its read"
       [=[const unsigned used = @;]=] [=[read.writes ? 1 : 0]=] [=[0]=])
mutant(promising_engine.cpp "data without a value may be read where reads are promised"
       [=[if (@) fail(violation::misuse]=] [=[!explores().has_value(l)]=] [=[false]=])
mutant(idle_turns.cpp "a turn that is left out takes effect where reads are promised"
       [=[if (@) taken_back_]=] [=[taken_back_ != nullptr]=] [=[false]=])
mutant(silent_accesses.cpp "of a turn that is left out, the accesses to data stay"
       [=[if (@ || all_[i].after <= number) continue;]=] [=[all_[i].thread != thread]=] [=[true]=])
mutant(arrivals.hpp "an event comes when another one did, in a turn that is left out"
       [=[if (@) times_[thread].resize(number);]=]
       [=[times_.size() > thread && times_[thread].size() > number]=] [=[false]=])
mutant(repeated_starts.cpp "the repetitions of a turn that is left out remain to be made"
       [=[if (@) repeated_[t] = n->before;]=] [=[undone(*n)]=] [=[false]=])
mutant(program_objects.cpp "where reads are promised, no turn that is left out reads data"
       [=[  @;
  return unordered;]=]
       [=[loops_.note_plain(l, writes, lifetimes_.access(here(), l, writes))]=]
       [=[static_cast<void>(lifetimes_.access(here(), l, writes))]=])
mutant(program_objects.cpp "where reads are promised, nobody writes data during a loop"
       [=[if (@) loops_.note_meanwhile(l);]=] [=[writes]=] [=[false]=])
mutant(execution_judge.cpp "operations whose order is not known are concurrent"
       [=[if (run.complete && @)]=] [=[engine_.unknown().denies_some()]=] [=[false]=])
mutant(execution_judge.cpp "accesses that a write still to come may order are a violation"
       [=[if (run.wrong && @ && !is_certain]=] [=[engine_.unknown().loses_some()]=] [=[false]=])
mutant(execution_judge.cpp "the steps of a counterexample are in the order of the exploration"
       [=[read.reversed && @ &&]=] [=[!run.again]=] [=[true]=])
mutant(execution_judge.cpp "the use of a destroyed object may come before its end"
       [=[case violation::use_after_free: return @;]=] [=[!o.typed_memory]=] [=[false]=])
mutant(run_judge.cpp "an end that comes too soon is missed where other threads are blocked"
       [=[const bool doubted = @ && ending_]=] [=[end == run_end::blocked]=] [=[false]=])
mutant(run_ending.cpp "an end that seems to come too soon does so"
       [=[if (@) return false;
  const unsigned thread]=] [=[!is_judged()]=] [=[true]=])
mutant(execution_judge.cpp "the order of an object's use and its end is not judged"
       [=[else if (@)
    judged = unordered_life]=] [=[unordered]=] [=[false]=])
mutant(promising_engine.cpp "an end of a thread that depends on the order of data comes in every order"
       [=[if (early_.any() && !writes_.all_made() && @)]=] [=[unknown_.doubts_data()]=]
       [=[false]=])
mutant(promising_engine.cpp "where reads are promised, a notification is no use of the notified object"
       [=[if (@) return;
  execution_.add_access]=] [=[may_outlast]=] [=[true]=])
mutant(beginning.cpp "of a word, the low half is promised"
       [=[return @ ? write.written & 0xffffffff]=] [=[write.cells[0] == l]=] [=[true]=])
mutant(beginning.cpp "the halves of a word never come from one write"
       [=[for (const field_set some : {1U, 2U, @})]=] [=[3U]=] [=[1U]=])
mutant(beginning.cpp "the halves of a word come from one write if they can"
       [=[if (@) all.push_back(some);]=] [=[(some & ~possible) == 0]=] [=[some == possible]=])
mutant(beginning.cpp "the promise of one half is forgotten with that of the other"
       [=[const bool other_field = @;]=] [=[p.read == read && (fields >> p.field & 1U) == 0]=]
       [=[false]=])
mutant(promised_reads.cpp "a thread that has read a half from the future reads an older word"
       [=[if (@) return nullptr;
  return &promises_]=] [=[other == nullptr || !other->in_other_field]=] [=[true]=])
mutant(race_beginnings.cpp "all values that a whole-word read may get count as found"
       [=[if (@)
    leave_open(r, "the read]=] [=[leads_to_more(r.graph, r.read, r.write)]=] [=[false]=])
mutant(patches.cpp "the half that is not promised is read from nowhere"
       [=[else if (@)
          mine.back()]=] [=[by.other_field != 0]=] [=[false]=])
mutant(promised_reads.cpp "a thread that acquires one half of a word acquires the release of the other half"
       [=[unknown_.lose(@);
  }]=] [=[acquires(o) || read.writes]=] [=[false]=])
mutant(beginning.cpp "a read-modify-write that is moved reads the same value as before"
       [=[  e.read = @;
  e.spurious]=] [=[read_from_sources(g, e)]=] [=[e.read]=])
mutant(graph_races.cpp "read-modify-writes of whole words are in no conflict"
       [=[if (@) updates.push_back]=] [=[g.threads[thread][i].what == kind::update]=]
       [=[g.threads[thread][i].what == kind::update && cells_of(g.threads[thread][i]) == 1]=])
mutant(graph_races.cpp "no read-modify-write can be moved to before another one"
       [=[if (@ && first.thread != second.thread]=] [=[at(first).writes]=] [=[false]=])
mutant(graph_races.cpp "an event that follows a read-modify-write keeps the others behind it"
       [=[if (@) return true;
    return false;
  };
  for (const name& first]=] [=[hb.has(t.numbers[first.thread][i], before)]=] [=[true]=])
mutant(graph_fingerprint.cpp "two executions with load buffering whose values differ are one"
       [=[if (@ && reads(e)) h =]=] [=[by == told_apart::by_values_too]=] [=[false]=])
mutant(trace_recorder.cpp "a read from the future has no source"
       [=[if (@) continue;
    r.reads_from]=] [=[r.promised.number == 0 || r.promised != promised]=] [=[true]=])
mutant(trace_recorder.cpp "events are shown that are not the program's"
       [=[r.id == id && r.is_shown; });
  if (@) last->is_shown]=] [=[last != steps_.rend()]=] [=[false]=])

# --- What a body does besides ---------------------------------------------------------------------

mutant(run_judge.cpp "a body without a watched object is verified"
       [=[if (@) {
    ending_.violate(
        0, violation::misuse,]=] [=[objects_.constructed().empty() && !accesses_any()]=] [=[false]=])
mutant(repetition.cpp "no execution is run again"
       [=[return @ && options_.replay.empty()]=] [=[options_.repeat]=] [=[false]=])
mutant(repetition.cpp "the first execution is run again once"
       [=[if (@) return 1;]=] [=[execution > 1]=] [=[execution > 0]=])
mutant(repetition.cpp "memory that no thread has written is the same in each run"
       [=[static_cast<unsigned char>(@));]=] [=[arena::usual_fill ^ (i + 1)]=]
       [=[arena::usual_fill]=])
mutant(repetition.cpp "foreign memory is where it was"
       [=[if (@) foreign.emplace]=] [=[i % 2 == 0]=] [=[false]=])
mutant(repetition.cpp "a violation that does not recur is accepted"
       [=[if (@) {
    found.came]=] [=[found.kind != violation::assertion && found.kind != violation::exception]=]
       [=[true]=])
mutant(tape.hpp "of a thread's steps at another time, only the number is compared"
       [=[|| !@) return false;]=] [=[all[next_[thread]].same(now)]=] [=[true]=])
mutant(run_ending.cpp "an assertion of a test framework is forgotten"
       [=[if (@) return false;
  const engine_scope scope;]=] [=[!allocation_hook::in_body]=] [=[true]=])

# --- Estimates ------------------------------------------------------------------------------------

mutant(prober.cpp "runs that are left out do not count"
       [=[way_.push_back({exploration_.choices(), @});]=] [=[weight / p]=] [=[weight]=])
mutant(prober.cpp "a run that is blocked is estimated to be an execution"
       [=[if (@) sum]=] [=[end == run_end::complete]=] [=[true]=])
mutant(prober.cpp "runs weigh as much as the one before them"
       [=[while (way_.size() > 1 && @)]=] [=[way_.back().choices > oldest]=]
       [=[way_.back().choices > oldest + 1]=])
mutant(prober.cpp "a probe does not notice that the search tree has changed"
       [=[if (@) {
      weights_]=] [=[learning_.take_restarted()]=] [=[false]=])
mutant(estimate.cpp "the upper end of an estimate is next to its middle"
       [=[std::exp(@ * error)};]=] [=[above]=] [=[below / 4]=])
mutant(run_limits.hpp "a long run does not look at the time"
       [=[if (@) [[unlikely]]
      look_at_time]=] [=[++added_ >= between_looks]=] [=[false]=])
mutant(run_limits.cpp "a long run goes on although its time is up"
       [=[options_.timeout.count() != 0 && @) end_for]=] [=[now - begin_ > options_.timeout + grace]=]
       [=[false]=])
mutant(run_limits.cpp "a long run goes on although it is told to stop"
       [=[else if (@)
    end_for]=] [=[now - *told_to_stop_ > grace]=] [=[false]=])
mutant(counting_runner.cpp "a run whose time is up is made again"
       [=[why_over_now() || @) [[unlikely]]]=] [=[limits_.is_out_of_time()]=] [=[false]=])
mutant(part_search.cpp "a long run that was ended is not made again"
       [=[return end(@ ? ending::late]=] [=[search_.counting_runner_.is_out_of_time()]=] [=[false]=])
mutant(shared_limits.hpp "the exploration of a race has the whole time limit"
       [=[static_cast<double>(o.timeout.count()) - @;]=] [=[seconds() * 1000]=] [=[0.0]=])
mutant(shared_limits.hpp "a race is explored although no time is left"
       [=[if (@) return "timeout"]=] [=[left < 1]=] [=[false]=])
mutant(shared_limits.hpp "the exploration of a race has all the runs"
       [=[o.max_executions -= @;]=] [=[runs_]=] [=[std::uint64_t{0}]=])
mutant(batch_explorer.cpp "the exploration of a race has limits of its own"
       [=[if (const char* const reached = @)]=] [=[limits_.reduce(o)]=]
       [=[static_cast<const char*>(nullptr)]=])

# --- Dead ends of loops ---------------------------------------------------------------------------

mutant(idle_turns.cpp "a turn of two reads is a dead end by its first one"
       [=[const bool alone = @;]=] [=[index_of(load) == threads_[self].position]=] [=[true]=])
mutant(dead_ends.hpp "a dead end of one load is one of the next"
       [=[if (@) forget();]=] [=[load_ != load]=] [=[false]=])
mutant(dead_ends.hpp "every source of a load that waits is a dead end"
       [=[return at == known_.end() ? @ : at->is;]=] [=[kind::untried]=] [=[kind::dead]=])
mutant(exploration.hpp "beside a dead end, all older sources are passed"
       [=[nth < dead_ends::most && @;]=] [=[(passed >> nth & 1U) != 0]=] [=[passed != 0]=])
mutant(new_events.cpp "a source that was tried is a source once more"
       [=[choices_.back().passed |= @;]=] [=[std::uint64_t{1} << nth]=] [=[std::uint64_t{0}]=])
mutant(new_events.cpp "a source that is tried may be that of a later symmetric thread"
       [=[if (@ || !is]=] [=[symmetry_.out_of_order(c.event)]=] [=[false]=])
mutant(new_events.cpp "a source that is tried is not checked for the order of seq_cst"
       [=[|| @) {
      c.passed |=]=] [=[!is_consistent(c)]=] [=[false]=])
mutant(new_events.cpp "the latest source is left out behind older ones that were tried"
       [=[known.begin_try();
    c.position[0] = @;]=] [=[c.high[0] + 1]=] [=[c.high[0]]=])
mutant(idle_turns.cpp "a thread waits behind a turn that has tried an older source"
       [=[!turns.in_place && @)]=] [=[has_latest]=] [=[true]=])
mutant(idle_turns.cpp "the sources that are tried first change while they are explored"
       [=[(@ || options_.preemptions ||]=] [=[!sampler_.on()]=] [=[false]=])
mutant(thread_turns.hpp "a dead end of one run is one of the next"
       [=[@;
    known.reset();]=] [=[tried.forget()]=] [=[void()]=])

# --- Loops that poll under a mutex ----------------------------------------------------------------

mutant(idle_turns.cpp "a mutex that others try is taken in a turn that is left out"
       [=[|| @) && contention_]=] [=[takes_mutex(graph_, e)]=] [=[false]=])
mutant(left_out_races.cpp "a thread that tries a mutex does not notice that it is held"
       [=[if (@) return;
  const engine_scope scope;
  bool found]=] [=[!learns_of_holders(graph_, e)]=] [=[true]=])
mutant(idle_turns.cpp "a turn that others have observed halfway is left out"
       [=[!@ &&]=] [=[others_came_between(a.position)]=] [=[false]=])
mutant(snapshots.cpp "changes by others to the stack of a thread that holds a mutex are forgotten"
       [=[if (@) return true;
  char* const was]=] [=[same_bytes(in(left), from, size)]=] [=[true]=])
mutant(silent_sections.cpp "a lock that is left out may publish less than the write before it"
       [=[.written &&
         @;]=] [=[publishes_all_of(g, make_id(thread, index), g.at(before).rf[0])]=] [=[true]=])
mutant(silent_sections.cpp "a reader that polls is noticed by other readers"
       [=[return !waits && @;]=] [=[!counts_readers(g, e)]=] [=[true]=])
mutant(silent_sections.cpp "a turn may end with a mutex that it has taken"
       [=[found.whole = @ &&]=] [=[held == 0]=] [=[true]=])
mutant(spin_loops.cpp "a turn that takes a mutex is never idle"
       [=[removable(e) || @ ||]=] [=[takes_mutex(graph_, e)]=] [=[false]=])
mutant(spin_loops.cpp "a turn that changes a number and changes it back is never idle"
       [=[(undo && (@ ||]=] [=[changes(graph_, e)]=] [=[false]=])
mutant(idle_turns.cpp "a number that others have seen is changed in a turn that is left out"
       [=[if ((@ ||]=] [=[change]=] [=[false]=])
mutant(idle_turns.cpp "a value that a turn has written and taken back is the latest one"
       [=[in_between = @ &&]=] [=[sites_.undo()]=] [=[false]=])
mutant(silent_sections.cpp "a turn may end with a number that it has changed"
       [=[&& @;]=] [=[open.empty()]=] [=[true]=])
mutant(silent_sections.cpp "a lock built from a number may be held between two turns"
       [=[changes(g, e) && @)]=] [=[begins_section(g, thread, i)]=] [=[true]=])
mutant(left_out_races.cpp "the changes of a turn that is left out are not noted"
       [=[found = sites_.undo() && @;]=] [=[note_undone(from)]=] [=[false]=])
mutant(contention.hpp "a thread that observes a change by a turn is not told of the turn"
       [=[(a == kind::undone && @) ||]=] [=[b == kind::seen]=] [=[false]=])
mutant(seen_changes.cpp "a thread that reads a change by a turn does not observe it"
       [=[if (@ ||]=] [=[!e.writes()]=] [=[false]=])
mutant(seen_changes.cpp "a write between a change and the store that takes it back is not noticed"
       [=[|| @) return true;]=] [=[!depends]=] [=[false]=])
mutant(seen_changes.cpp "a thread that was the last to observe a change is still to do so"
       [=[return @ &&
         (i >]=] [=[t.at != model_thread::state::finished]=] [=[true]=])
mutant(run_judge.cpp "a thread that waits for a change by a turn waits for ever"
       [=[if (@) return restart();
  ending_.violate(w]=] [=[loops_.note_awaited()]=] [=[false]=])
mutant(liveness.cpp "a thread may time out more often than the bound allows"
       [=[const unsigned left = @;]=] [=[o.timeouts - g.spent().timeouts]=] [=[o.timeouts]=])
mutant(run_judge.cpp "who has seen what a turn changes need not be noted if another has given up"
       [=[!trace_.on() && @;]=] [=[are_stuck(graph_, threads_, loops_, options_)]=]
       [=[w.has_value()]=])
mutant(seen_changes.cpp "who is stuck has not seen what a turn has changed"
       [=[if (@ ? is_in_idle_turn]=] [=[stuck]=] [=[false]=])
mutant(scheduler.cpp "a thread that polls takes a mutex that is not free"
       [=[loops_.changed(thread) && @);]=] [=[threads_.runnable(*t.wants)]=] [=[true]=])
mutant(scheduler.cpp "a thread that reads goes on although another one is to write"
       [=[? preferred : @))]=] [=[comes_late(e)]=] [=[false]=])
mutant(snapshots.cpp "changes by others while a thread holds a mutex are forgotten"
       [=[if (@) continue;
      const std::size_t to]=] [=[then.bytes[at] == left.bytes[at]]=] [=[true]=])
