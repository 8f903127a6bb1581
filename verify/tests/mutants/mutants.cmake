# Faults to plant in the explorer, one at a time: the tests must notice each.
# See mutate.cmake for what a call means.

# --- Revisits -------------------------------------------------------------------------------------

mutant(explorer.cpp "a revisit may delete what was not added in the canonical way"
       [=[else if (@)
      break;]=] [=[!canonical(t, prefix)]=] [=[false]=])
mutant(explorer.cpp "a write may revisit the reads that it depends on"
       [=[if (@) continue;]=] [=[prefix.covers(t.id)]=] [=[false]=])
mutant(explorer.cpp "a revisiting write ignores what the revisited read may not read"
       [=[if (@) low =]=] [=[w.loc[k] == r.loc[t.part]]=] [=[false]=])
mutant(explorer.cpp "a revisiting read-modify-write ignores what the revisited read may not read"
       [=[if (@ &&]=] [=[l == r.loc[t.part]]=] [=[false]=])
mutant(explorer.cpp "a revisiting read-modify-write ignores that another one has the same source"
       [=[if (@) possible]=] [=[graph_.rmw_after(w.rf[k], l, writer) != 0]=] [=[false]=])
mutant(explorer.cpp "the second read-modify-write of a source revisits nothing"
       [=[hopeless || @;]=] [=[graph_.view(id).porf.covers(other)]=] [=[true]=])
mutant(explorer.cpp "a read-modify-write keeps its write while its read is revisited"
       [=[@;
  graph_.trail.resize(target + 1);]=] [=[graph_.unlink_write(reader)]=] [=[void()]=])
mutant(explorer.cpp "a write is canonical although it does not come last"
       [=[if (@) return false;]=] [=[present(mo[i])]=] [=[false]=])
mutant(explorer.cpp "a read is canonical whatever it reads"
       [=[if (@) return false;]=] [=[mo[i] != e.rf[t.part]]=] [=[false]=])
mutant(explorer.cpp "a second field that is there is revisited"
       [=[waits || (@ &&]=] [=[t.part == 0]=] [=[t.part < 2]=])
mutant(explorer.cpp "a read is revisited although it waits for its second field"
       [=[if (@)
      c.cursor = 0;]=] [=[waits]=] [=[false]=])
mutant(explorer.cpp "a write is canonical although an older read reads it"
       [=[@) return false;]=] [=[reader.rf[f] == t.id && reader.stamp[f] < t.stamp]=] [=[false]=])
mutant(explorer.cpp "a spurious failure is canonical"
       [=[if (@) return false;]=] [=[e.spurious]=] [=[false]=])
mutant(explorer.cpp "any choice is canonical"
       [=[return @;]=] [=[e.read == 0]=] [=[true]=])
mutant(explorer.cpp "the readers are not put back when a revisit is undone"
       [=[@;]=] [=[p.readers.swap(f.places[i].readers)]=] [=[void()]=])

# --- Sources and places ---------------------------------------------------------------------------

mutant(explorer.cpp "the oldest source of a read is left out"
       [=[|| @) return false;
    e.rf[0]]=] [=[c.position[0] == c.low[0]]=] [=[c.position[0] <= c.low[0] + 1]=])
mutant(explorer.cpp "a write may stand between a read-modify-write and its source"
       [=[return @;]=] [=[graph_.rmw_after(mo[static_cast<std::size_t>(position)], l, 0) == 0]=] [=[true]=])
mutant(explorer.cpp "weak compare-exchanges do not fail spuriously"
       [=[if (@) {]=] [=[e.weak && graph_.spurious < options_.spurious_failures]=] [=[false]=])
mutant(explorer.cpp "a spurious failure stays when the source changes"
       [=[if (@) {]=] [=[e.spurious]=] [=[false]=])
mutant(explorer.cpp "a spurious failure is not checked for the order of seq_cst"
       [=[!model_.outdated(id) && @)
          return]=] [=[model_.acyclic()]=] [=[true]=])
mutant(explorer.cpp "a spurious failure acquires as a success"
       [=[out_of_order(id) && @ &&]=] [=[!model_.outdated(id)]=] [=[true]=])
mutant(explorer.cpp "another source is not checked for the order of seq_cst"
       [=[if (@) {  // failing]=] [=[!consistent]=] [=[false]=])
mutant(explorer.cpp "another place is not checked for the order of seq_cst"
       [=[out_of_order(id) && @) return]=] [=[model_.acyclic(id)]=] [=[true]=])
mutant(explorer.cpp "a whole-word read may take halves of different writes"
       [=[return graph_.at(id).fields() == 2 && @;]=] [=[model_.torn_read(id)]=] [=[false]=])
mutant(model.cpp "what one half of a word has acquired does not hold for the other half"
       [=[if (!words_ || @) return false;]=] [=[e.torn || !acquires(e.effective())]=] [=[true]=])
mutant(explorer.cpp "no thread waits for a second half"
       [=[e.torn = @;]=] [=[!std::exchange(c.tried, true)]=] [=[false]=])
mutant(model.cpp "a second half that a thread waits for counts in the order of seq_cst"
       [=[if (@) continue;  // it has not]=] [=[e.torn && e.field_at(l) == 1]=] [=[false]=])
mutant(explorer.cpp "whole-word writes may be ordered differently in each half"
       [=[if (@) return true;]=] [=[e.fields() == 1 || !model_.torn_write(id)]=] [=[true]=])
mutant(graph.cpp "two read-modify-writes may read the same write"
       [=[return @;]=] [=[mo[next]]=] [=[event_id{0}]=])
mutant(graph.hpp "a read-modify-write's write comes last, not behind its source"
       [=[@);]=] [=[mo_position(e.rf[k], e.loc[k]) + 1u]=]
       [=[static_cast<unsigned>(places[e.loc[k]].mo.size())]=])

# --- The model ------------------------------------------------------------------------------------

mutant(model.cpp "a read may read what a write that happened before has overwritten"
       [=[if (@) {]=] [=[hb.covers(p.mo[i])]=] [=[false]=])
mutant(model.cpp "a read may read older writes than a read that happened before"
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
mutant(graph.hpp "a failed compare-exchange has its success order"
       [=[return @;]=] [=[kind == event_kind::rmw && !succeeds() ? failure : success]=] [=[success]=])
mutant(model.cpp "an acquire fence does not synchronize"
       [=[@;]=] [=[v.pending.join(source.release)]=] [=[void()]=])
mutant(model.cpp "a release fence does not synchronize"
       [=[if (@) e.release_fence]=] [=[releases(e.success)]=] [=[false]=])
mutant(model.cpp "a release sequence ends at a read-modify-write"
       [=[@;]=] [=[v.release.join(graph_.view(e.rf[k]).release)]=] [=[void()]=])
mutant(model.cpp "release sequences are the same in all models"
       [=[if (@) {]=] [=[model_ == memory_model::rc11]=] [=[true]=])
mutant(model.cpp "a join does not synchronize"
       [=[@;]=] [=[v.hb.join(child.view.back().hb)]=] [=[void()]=])
mutant(operations.cpp "the creation of a thread does not synchronize"
       [=[@;]=] [=[base.hb = graph_.view(id).hb]=] [=[base.hb]=])

mutant(clock.hpp "what a thread with a great number has done is not handed on"
       [=[mine.lanes[i] = @;]=] [=[std::max(mine.lanes[i], other.more_->lanes[i])]=]
       [=[mine.lanes[i]]=])

# --- The order of sequentially consistent events --------------------------------------------------

mutant(model.cpp "a read does not come before the writes that overwrite what it read"
       [=[{ @; });]=] [=[(r == w ? as_reader : below) |= source(r)]=] [=[as_reader |= source(r)]=])
mutant(model.cpp "a fence after an access does not hand its order on"
       [=[if (@) continue;]=] [=[(*fences[t].hb[k])[thread] < index]=] [=[true]=])
mutant(model.cpp "a fence before an access does not hand its order on"
       [=[if (@) continue;]=] [=[fences[t].indices[k] > lane]=] [=[true]=])
mutant(model.cpp "a fence does not come before the next fence of its thread"
       [=[if (@) before[i]]=] [=[!mine.nodes.empty()]=] [=[false]=])
mutant(model.cpp "reads-from between accesses orders them, as in C++20"
       [=[fences_only = @;]=] [=[by_reading && !letter]=] [=[false]=])
mutant(model.cpp "a write does not come before its readers and the next writes"
       [=[below |= @;]=] [=[as_reader | source(w)]=] [=[as_reader]=])
mutant(model.cpp "strongly happens before is taken for happens before"
       [=[edge = @;]=] [=[graph_.before(y).hb.covers(x + 1)]=] [=[graph_.view(y).hb.covers(x)]=])
mutant(model.cpp "accesses that happen before each other are ordered only at one location"
       [=[|| @;]=] [=[through_other_places(x, y)]=] [=[false]=])
mutant(model.cpp "a change behind a fence is not checked"
       [=[return n == changed || @;]=] [=[(graph_.at(n).kind == event_kind::fence && hb.covers(n))]=]
       [=[false]=])

# --- The same order, of many events ---------------------------------------------------------------

mutant(sparse_order.cpp "of many events, accesses of one thread have no order"
       [=[if (!t.accesses.empty()) @;
      t.accesses.push_back(i);]=] [=[order.add(t.accesses.back(), i)]=] [=[void()]=])
mutant(sparse_order.cpp "of many events, what has read an older write does not come before the next"
       [=[if (of_previous->second != w) @;]=] [=[lead(of_previous->second, all, fences)]=]
       [=[void()]=])
mutant(sparse_order.cpp "of many events, a write does not come before the next"
       [=[@;
      for (; next != readers.end()]=] [=[lead(w, all, fences)]=] [=[void()]=])
mutant(sparse_order.cpp "of many events, reads-from between accesses orders them, as in C++20"
       [=[@;
      go_up]=] [=[lead_from(letter ? all : fences, next->second, !letter)]=]
       [=[lead_from(all, next->second, false)]=])
mutant(sparse_order.cpp "of many events, the fence behind an access comes after what the next one comes after"
       [=[return @; });]=] [=[!c->covers(target)]=] [=[!c->covers(target + 1)]=])
mutant(sparse_order.cpp "of many events, accesses that happen before each other have no order through other locations"
       [=[if (x != none) @;
    }]=] [=[order.add(other.accesses[x], j)]=] [=[void()]=])
mutant(sparse_order.cpp "of many events, strongly happens before is taken for happens before"
       [=[last_upto(other.access_indices, @);]=] [=[lane - 1]=] [=[lane]=])

# --- Waiting --------------------------------------------------------------------------------------

mutant(waiting.cpp "a thread that waits on an old value is reported"
       [=[if (e.spurious || (e.reads() && @)) return]=] [=[!read_latest(t, i)]=] [=[false]=])
mutant(waiting.cpp "a turn that writes another value is idle"
       [=[(!e.succeeds() || @);]=] [=[e.written == e.read]=] [=[true]=])
mutant(operations.cpp "a turn goes on behind an effect"
       [=[if (@) {
    settle_overtaking();]=] [=[!removable(done)]=] [=[false]=])
mutant(waiting.cpp "registers are not compared"
       [=[         @ &&
         same_memory(]=] [=[same_bytes(s.stack.data(), t.live, s.stack.size())]=]
       [=[same_bytes(s.stack.data() + std::min<std::size_t>(256, s.stack.size()),
                     t.live + std::min<std::size_t>(256, s.stack.size()),
                     s.stack.size() - std::min<std::size_t>(256, s.stack.size()))]=])
mutant(waiting.cpp "the stack is not compared"
       [=[s.stack.resize(@)]=] [=[size_above(t.live, t.stack)]=] [=[std::size_t{0}]=])
mutant(waiting.cpp "the stacks of other threads are not compared"
       [=[f(piece{true, u, 0, t.live, @})]=] [=[size_above(t.live, t.stack)]=] [=[std::size_t{0}]=])
mutant(waiting.cpp "blocks of memory are not compared"
       [=[reinterpret_cast<const char*>(&b + 1), @});]=] [=[b.size]=] [=[std::size_t{0}]=])
mutant(waiting.cpp "no race is looked for with what is left out"
       [=[if (@) break;
    leave_out]=] [=[adds_access(i)]=] [=[false]=])

# --- What blocks ----------------------------------------------------------------------------------

mutant(model.cpp "a thread synchronizes by the lock of a queue, or by its wake-up"
       [=[look_for::nothing && @;]=] [=[!graph_.places[e.loc[0]].hidden]=] [=[true]=])
mutant(model.cpp "the lock of a queue hands on what a fence has released"
       [=[else if (e.release_fence != 0 && @)]=] [=[!graph_.places[e.loc[0]].hidden]=] [=[true]=])
mutant(model.cpp "the lock of a queue counts in the order of seq_cst"
       [=[if (p.mo.size() < 2 || @) continue;]=] [=[p.hidden]=] [=[false]=])
mutant(model.hpp "a wait may miss what a wake has made sure of"
       [=[return @ ? low]=] [=[e.looks == look_for::nothing]=] [=[true]=])
mutant(model.cpp "a notification makes sure of what it has read"
       [=[return @ ? last_write]=] [=[e.looks == look_for::notify]=] [=[false]=])
mutant(model.cpp "a futex's wake makes sure only of what happens before it"
       [=[: (@)) ? last_write]=] [=[e.looks == look_for::notify]=] [=[true]=])
mutant(wait_queue.cpp "a wake hands on nothing"
       [=[0, 1, @, wait_for]=] [=[wakes ? order::release : order::relaxed]=] [=[order::relaxed]=])
mutant(wait_queue.cpp "a notification wakes a futex"
       [=[return @ &&]=] [=[w.kind == kind]=] [=[true]=])
mutant(wait_queue.cpp "a notification goes to a thread that cannot go on"
       [=[(kind != sleeper::atomic || @)]=] [=[here().replaced(w.look)]=] [=[true]=])
mutant(wait_queue.cpp "a futex never returns early"
       [=[if (@) return true;]=] [=[futex && e.choose(2, budget::spurious_wakeup, where) == 1]=] [=[false]=])
mutant(wait_queue.cpp "threads wait in a condition variable with two mutexes"
       [=[sleeper::condition && @)]=] [=[w->mutex != mutex]=] [=[false]=])
mutant(wait_queue.cpp "a condition variable is destroyed with a thread in it"
       [=[if (@) continue;
    char text]=] [=[w->kind != sleeper::condition]=] [=[true]=])
mutant(checked_atomics.cpp "a wait that was notified is never late"
       [=[return !(@);]=] [=[timed && by_chance(verify::budget::timeout)]=] [=[false]=])
mutant(checked_atomics.cpp "threads wait in a condition variable that is gone"
       [=[@;
  verify::detail::waiter self]=] [=[here().use(at, true, where)]=] [=[void()]=])
mutant(checked_atomics.cpp "a condition variable that is gone is notified"
       [=[@;
  verify::detail::wake]=] [=[here().use(at_.get(where), false, where)]=] [=[void()]=])
mutant(checked_atomics.cpp "a mutex is destroyed while it is locked"
       [=[e != nullptr && @)]=] [=[e->known(at_.get()) != 0]=] [=[false]=])
mutant(checked_atomics.cpp "try_lock() by the owner fails"
       [=[if (@)
    here().fail(violation::misuse, "try_lock]=] [=[is_held_here()]=] [=[false]=])
mutant(objects.cpp "an access that is no event may come when the lifetime is over"
       [=[@;
  if (!may_outlast]=] [=[check_alive(l, where)]=] [=[void()]=])
mutant(objects.cpp "a lifetime may end before an access that is no event"
       [=[access == 0 && @ &&]=] [=[!p.read_at.exceeds(hb, running_)]=] [=[true]=])
mutant(operations.cpp "outcomes are in the order in which threads ran"
       [=[return @; });]=] [=[a.thread < b.thread]=] [=[false]=])

# --- Parts ----------------------------------------------------------------------------------------

mutant(bound.cpp "nothing that is above the bound may be deleted"
       [=[all.exceeds(@)]=] [=[bound + *deleted]=] [=[bound]=])
mutant(bound.cpp "all that is there is taken to last"
       [=[if (t.part == 0 && @)]=] [=[!canonical(t, nothing)]=] [=[true]=])
mutant(bound.cpp "what reaches the bound is given up"
       [=[waiting).exceeds(@)]=] [=[bound]=] [=[bound - (bound > 0 ? 1 : 0)]=])
mutant(sampling.cpp "only the latest is read"
       [=[const bool prefers = @;
  if ((]=] [=[random(8) < prefers_latest_]=] [=[true]=])
mutant(sampling.cpp "two drawn read-modify-writes may read the same write"
       [=[if (@) return false;
  graph_.link_rmw(id);]=] [=[graph_.rmw_after(e.rf[k], e.loc[k], id) != 0]=] [=[false]=])
mutant(sampling.cpp "sources are not checked for the order of seq_cst"
       [=[if (@) return false;
  if (!e.succeeds()) return true;]=] [=[!youngest && !model_.acyclic(id)]=] [=[false]=])
mutant(sampling.cpp "a drawn write may stand between a read-modify-write and its source"
       [=[possible = possible && @;]=]
       [=[may_stand(id, k, static_cast<std::int32_t>(behind[k]))]=] [=[true]=])
mutant(sampling.cpp "a drawn compare-exchange does not fail spuriously"
       [=[e.spurious = @;
    if]=] [=[!model_.outdated(id) && model_.acyclic()]=] [=[false]=])
mutant(sampling.cpp "time-outs and spurious wake-ups do not come"
       [=[if (@) e.read]=] [=[affordable(e.charge)]=] [=[false]=])
mutant(sampling.cpp "halves of different writes are drawn"
       [=[if (@) return false;]=] [=[torn(id)]=] [=[false]=])
mutant(sampling.cpp "drawn halves may be older than what has been acquired"
       [=[if (@) return false;]=] [=[model_.outdated(id)]=] [=[false]=])

# --- Symmetric threads ----------------------------------------------------------------------------

mutant(symmetry.cpp "the later of two twins does not depend on the earlier one"
       [=[t = twin(other, id); @)]=] [=[t != 0]=] [=[false]=])
mutant(symmetry.cpp "what depends on its neighbour could be the neighbour's"
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
mutant(symmetry.cpp "of twins that choose, only the first may choose what is not the first"
       [=[return @;]=] [=[e.read > first.read]=] [=[e.read >= first.read]=])
mutant(symmetry.cpp "of twins that may fail spuriously, only the first may"
       [=[return @;]=] [=[e.spurious && first.succeeds()]=] [=[e.spurious]=])
mutant(explorer.cpp "a source that ought to be the neighbour's is explored"
       [=[if (@) continue;]=] [=[symmetry_.out_of_order(id)]=] [=[false]=])

# --- What a body does besides ---------------------------------------------------------------------

mutant(run.cpp "a body in which nothing is watched is verified"
       [=[if (@) {
    running_ = 0;]=] [=[declared_.empty() && !accesses_any()]=] [=[false]=])
mutant(repeat.cpp "no execution is run again"
       [=[return @ && options_.replay == 0]=] [=[options_.repeat]=] [=[false]=])
mutant(repeat.cpp "the first execution is run again once"
       [=[if (@) return 1;]=] [=[execution > 1]=] [=[execution > 0]=])
mutant(repeat.cpp "memory that nobody has written is the same again"
       [=[fill_ = static_cast<unsigned char>(@);]=] [=[arena::usual_fill ^ (i + 1)]=]
       [=[arena::usual_fill]=])
mutant(repeat.cpp "foreign memory is where it was"
       [=[if (@) foreign.emplace]=] [=[i % 2 == 0]=] [=[false]=])
mutant(repeat.cpp "a violation that does not come again is believed"
       [=[if (@) return;
  found.message]=] [=[found.kind != violation::assertion && found.kind != violation::exception]=]
       [=[true]=])
mutant(tape.hpp "what a thread does at another time is not compared, only how much"
       [=[|| !@) return false;]=] [=[all[next_[thread]].same(now)]=] [=[true]=])
mutant(operations.cpp "an assertion of a test framework is forgotten"
       [=[if (@) return false;
  const engine_scope scope;]=] [=[!allocation_hook::in_body]=] [=[true]=])
