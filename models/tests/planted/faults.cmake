# Steps of the components to omit, or to do wrong, one at a time: `fencepost verify` must notice
# each. The description of each begins with the scenario that is violated then. See
# verify/checker/tests/mutants/mutate.cmake for what a call means.
#
# Weaker orders are not here: `fencepost necessity` weakens each of them.

# --- deque/tail_split.hpp -------------------------------------------------------------------------

mutant(deque/tail_split.hpp "tail_split/slot_is_used_again: retire() does not mark the slot as waiting"
       [=[@;]=] [=[owner_.head->retired()]=] [=[void()]=])
mutant(deque/tail_split.hpp "tail_split/request_waits_for_work: a request that finds nothing is dropped"
       [=[if (@) return false;
  word_.raise]=] [=[to == from]=]
       [=[to == from && (movesplit_.store(false, std::memory_order_relaxed), true)]=])
mutant(deque/tail_split.hpp "tail_split/made_above_stolen: slots are made as if nothing were stolen"
       [=[if (@) owner_.limit]=] [=[!owner_.all_stolen()]=] [=[true]=])

mutant(deque/tail_split.hpp "tail_split/request_is_answered: a thief that finds nothing does not ask"
       [=[if (@) on_ask();]=] [=[ask()]=] [=[false]=])

mutant(deque/tail_split.hpp "tail_split/two_thieves: a thief that was too late tries again, for the old slot"
       [=[if (!@) return {steal_outcome::retry}]=] [=[word_.take(seen)]=]
       [=[word_.take(seen) || (word_.load().stealable() && word_.take(word_.load()))]=])
mutant(deque/tail_split.hpp "fork_join/sleeper_gets_private_work: a pop that has nothing to share drops the request"
       [=[&& @) on_move(split_move::raised);
  return true]=] [=[grow(last)]=]
       [=[grow(last) || (movesplit_.store(false, std::memory_order_relaxed), false)]=])

# --- deque/private_deque.hpp ----------------------------------------------------------------------

mutant(deque/private_deque.hpp "private_deque/owner_refuses: an owner that has nothing does not answer"
       [=[if (@) return false;
  const bool gives]=] [=[from == nullptr]=] [=[from == nullptr || first_ == end_]=])
mutant(deque/private_deque.hpp "private_deque/steal_against_pop: a withdrawal does not look whether it is too late"
       [=[if (@) return {steal_outcome::retry};
  // The owner]=] [=[withdraw(mine)]=] [=[(static_cast<void>(withdraw(mine)), true)]=])

# --- sync/event_count.hpp -------------------------------------------------------------------------

mutant(sync/event_count.hpp "event_count/work_for_two_sleepers: a thread that wakes up sets the number of sleepers to 0"
       [=[@;
}

template <class P>
auto event_count<P>::prepare_wait]=] [=[sleepers_.fetch_sub(1, std::memory_order_relaxed)]=]
       [=[sleepers_.exchange(0, std::memory_order_relaxed)]=])
mutant(sync/event_count.hpp "event_count/timeout_leaves_nothing_behind: a waiter that has timed out is still counted"
       [=[@;
  return in_time]=] [=[leave()]=] [=[in_time ? leave() : void()]=])

mutant(sync/event_count.hpp "event_count/ready_at_the_deadline: a waiter that times out does not check again"
       [=[if (!wait(seen, until)) return @;]=] [=[ready()]=] [=[false]=])

# --- sync/worker_sleep.hpp ------------------------------------------------------------------------

mutant(sync/worker_sleep.hpp "worker_sleep/sleeper_leaves_in_time: a worker whose time is up is still counted"
       [=[} else if (!block(here, lock, until)) {
      @;]=] [=[get_up(here)]=] [=[void()]=])
mutant(sync/worker_sleep.hpp "worker_sleep/sleeper_leaves_in_time: a worker that is woken as its time is up reports that it was not"
       [=[no_timeout;
    }
  }
  return @;]=] [=[true]=] [=[in_time]=])

# --- queue/ticket_queue.hpp -----------------------------------------------------------------------

mutant(queue/ticket_queue.hpp "ticket_queue/nothing_is_lost: a ticket is drawn by a load and a store"
       [=[} else if (@) [[likely]]]=]
       [=[tail_.compare_exchange_weak(tail, mine.next().word(), std::memory_order_acquire,
                                           std::memory_order_relaxed)]=]
       [=[(tail_.store(mine.next().word(), std::memory_order_relaxed), true)]=])
mutant(queue/ticket_queue.hpp "ticket_queue/no_slab_is_freed_in_use: a producer looks at a slab of which it has no ticket"
       [=[if (@) [[unlikely]] {
      const ticket_type first]=] [=[mine.used_up()]=]
       [=[mine.slab()->turn.get(), mine.used_up()]=])
mutant(queue/ticket_queue.hpp "ticket_queue/race_to_append: a slab that is not needed is lost"
       [=[@;
  return full;]=] [=[recycle(fresh)]=] [=[void()]=])
mutant(queue/ticket_queue.hpp "ticket_queue/free_slab_is_used_again: the marks of a slab count in its next turn"
       [=[@;
  recycle(emptied);]=] [=[emptied->turn.set(!emptied->turn.get())]=] [=[void()]=])
mutant(queue/ticket_queue.hpp "ticket_queue/free_slab_is_used_again: the consumer keeps the turn of the slab before"
       [=[@;
  // [unlink]]=] [=[turn_ = next->turn.get()]=] [=[turn_ = bool{turn_}]=])
mutant(queue/ticket_queue.hpp "ticket_queue/free_slab_is_used_again: a slab that is used again is linked as before"
       [=[handed over by recycle.
  @;]=] [=[emptied->next.store(nullptr, std::memory_order_relaxed)]=] [=[void()]=])
mutant(queue/ticket_queue.hpp "ticket_queue/old_ticket_of_a_new_slab: a producer keeps the turn that it saw in the tail"
       [=[in->slots.mark(mine.slot()).store(@, std::memory_order_release)]=] [=[in->turn.get()]=] [=[true]=])
mutant(queue/ticket_queue.hpp "ticket_queue/destroyed_after_the_last_pop: a producer looks at the queue once more"
       [=[  return @;
}

template <class T, class P, std::uint32_t Slots>
void ticket_queue<T, P, Slots>::push(]=] [=[true]=] [=[tail_.load(std::memory_order_relaxed) != 0]=])
mutant(queue/ticket_queue.hpp "ticket_queue/left_items_are_destroyed: what is left is not popped"
       [=[while (@) {]=] [=[pop()]=] [=[std::optional<T>{}]=])
mutant(queue/ticket_queue.hpp "ticket_queue/empty_is_not_mistaken: a queue whose first push is unfinished is empty"
       [=[return @;]=] [=[next.slab() == oldest_ && next.slot() == slot_]=] [=[true]=])

# --- runtime/fork_join_core.hpp -------------------------------------------------------------------

mutant(runtime/fork_join_core.hpp "fork_join/leapfrogging: a worker that waits does not steal from its thief"
       [=[if (@) {
      if (void* const thief]=] [=[search_.leapfrog]=] [=[false]=])
mutant(runtime/fork_join_core.hpp "fork_join/sleeper_is_answered: an answer wakes nobody"
       [=[if (@) core_->wake_one]=] [=[how != split_move::lowered]=] [=[how == split_move::begun]=])
mutant(runtime/fork_join_core.hpp "fork_join/last_task_lets_all_leave: no worker is notified of the last task"
       [=[(closing_.load(std::memory_order_relaxed)) @;]=] [=[idle_.notify_all()]=] [=[void()]=])
mutant(runtime/fork_join_core.hpp "fork_join/two_workers_are_stopped: only one worker is notified of the end"
       [=[closing_.store(true, std::memory_order_release);
  @;]=] [=[idle_.notify_all()]=] [=[idle_.notify_one()]=])
mutant(runtime/fork_join_core.hpp "fork_join/last_look_sees_the_first: the last look skips the first"
       [=[for (std::uint32_t index = @; index < count_; ++index) {
    if (index ==]=] [=[0]=] [=[1u]=])
mutant(runtime/fork_join_core.hpp "fork_join/last_look_sees_the_last: the last look skips the last"
       [=[index < @; ++index) {
    if (index ==]=] [=[count_]=] [=[count_ - 1]=])
mutant(runtime/fork_join_core.hpp "fork_join/last_look_sees_the_next: the last look skips the next"
       [=[if (@) continue;
    const theft]=] [=[index == me.index_]=] [=[index == me.index_ || index == me.index_ + 1]=])
mutant(runtime/fork_join_core.hpp "fork_join/waiting_worker_joins: a worker that waits joins no frame"
       [=[if (@) continue;
    theft stolen]=] [=[frames_.join(me)]=] [=[false]=])
mutant(runtime/fork_join_core.hpp "fork_join/thief_wakes_for_the_rest: a thief wakes nobody"
       [=[@;
  } else if (idle_]=] [=[wake_one(me)]=] [=[void()]=])
mutant(runtime/fork_join_core.hpp "fork_join/every_sleeper_gets_work: a thief requests work for itself only"
       [=[anyone_asleep() && @) {]=] [=[stolen.from->deque_.ask()]=] [=[false]=])
mutant(runtime/fork_join_core.hpp "fork_join/submitter_waits_for_room: no submitter is notified of room"
       [=[@;
  {
    const scratch_scope memory]=] [=[room_.notify_one()]=] [=[void()]=])
mutant(runtime/fork_join_core.hpp "fork_join/two_submissions: a submission wakes nobody"
       [=[@;
  rundown_.leave();]=] [=[idle_.notify_one()]=] [=[void()]=])

# --- runtime/fork_join_frames.hpp -----------------------------------------------------------------

mutant(runtime/fork_join_frames.hpp "fork_join/all_meet: workers do not wait where all meet"
       [=[check_here();
  @;
}]=] [=[core_->frames_.meet()]=] [=[void()]=])
mutant(runtime/fork_join_frames.hpp "fork_join/frame_keeps_tasks_apart: a frame begins before all have met"
       [=[@;
  made.run]=] [=[meet()]=] [=[void()]=])
mutant(runtime/fork_join_frames.hpp "fork_join/frame_keeps_tasks_apart: a frame ends before all have met"
       [=[@;
  me.deque_.leave_frame]=] [=[meet()]=] [=[void()]=])

# --- runtime/pool_core.hpp ------------------------------------------------------------------------

mutant(runtime/pool_core.hpp "thread_pool/second_sleeper_gets_pushed_work: a worker that finds work is still counted as idle"
       [=[@;]=] [=[sleep_.work_found()]=] [=[void()]=])
mutant(runtime/pool_core.hpp "thread_pool/sleeper_gets_pushed_work: a push has no fence"
       [=[@;
}

template <class P>
inline void pool_core<P>::push_unfenced]=] [=[sleep_.new_jobs(1, was_empty)]=]
       [=[sleep_.new_jobs_unfenced(1, was_empty)]=])
mutant(runtime/pool_core.hpp "thread_pool/self_submitting_job: no external job is taken out of turn"
       [=[case 0:
        found = @;]=] [=[injected_.try_pop().job]=] [=[nullptr]=])
mutant(runtime/pool_core.hpp "thread_pool/self_submitting_job: no job of its own is taken out of turn"
       [=[default: found = @; break]=] [=[me.jobs_.steal().item]=] [=[nullptr]=])
mutant(runtime/pool_core.hpp "thread_pool/self_submitting_job_beside_a_busy_worker: no job of another is taken out of turn"
       [=[case 1: found = @; break]=] [=[steal_from_others(me)]=] [=[nullptr]=])

# --- runtime/pool_jobs.hpp, runtime/task_inbox.hpp ---------------------------------------------

mutant(runtime/pool_jobs.hpp "thread_pool/joined_job_may_die: a job is written to after its latch is set"
       [=[@;
  }

  typename]=] [=[waiter.pool().sleep().set_latch(me.latch_, waiter.index())]=]
       [=[waiter.pool().sleep().set_latch(me.latch_, waiter.index()), me.error_.set(nullptr)]=])
mutant(runtime/task_inbox.hpp "task_runner/destroyed_after_the_last_task: a post reads the inbox after its push"
       [=[@;
  }
  // The thread that runs: the same]=] [=[wake.wake()]=] [=[wake_.get()->wake()]=])
mutant(runtime/task_inbox.hpp "task_runner/own_task_behind_an_unfinished_post: a queue with nothing ready is taken for an empty one"
       [=[!own_.full() && @) [[likely]]]=] [=[queue_.empty()]=] [=[!queue_.ready()]=])

# --- runtime/waitable_job.hpp ---------------------------------------------------------------------

mutant(runtime/waitable_job.hpp "thread_pool/timed_out_wait_is_repeated: a wait that times out does not look whether the job is done"
       [=[return @;
}

template <class P>
template <class Until>
bool waitable_job<P>::wait_until]=] [=[state_.compare_exchange_strong(mine, nobody_state, std::memory_order_relaxed,
                                        std::memory_order_relaxed)]=]
       [=[(state_.store(nobody_state, std::memory_order_relaxed), mine != nobody_state)]=])
mutant(runtime/waitable_job.hpp "thread_pool/timed_out_worker_follows: a worker that times out is still registered"
       [=[return done() || (!@ && done());]=] [=[withdraw(mine)]=]
       [=[(me != nullptr ? !done() : withdraw(mine))]=])

# --- runtime/strand_core.hpp ----------------------------------------------------------------------

mutant(runtime/strand_core.hpp "strand/one_after_the_other: a turn that ends does not look for newer tasks"
       [=[const bool rests = @;]=] [=[newest_.compare_exchange_strong(seen, idle, std::memory_order_release,
                                                     std::memory_order_relaxed)]=]
       [=[(newest_.store(idle, std::memory_order_release), seen == none_new)]=])
mutant(runtime/strand_core.hpp "strand/one_after_the_other: a post that finds a turn scheduled schedules another"
       [=[return @;
}]=] [=[newest == idle]=] [=[newest == idle || newest == none_new]=])
mutant(runtime/strand_core.hpp "strand/in_the_order_of_the_posts: a turn forgets all but the first that it has taken"
       [=[next = @;
    task.run();]=] [=[static_cast<link&>(task).next_.get()]=] [=[nullptr]=])
mutant(runtime/strand_core.hpp "strand/handle_goes_before_the_tasks: a strand that has ended is idle"
       [=[if (next == &end_) return @;]=] [=[strand_turn::ended]=] [=[strand_turn::idle]=])
mutant(runtime/strand_core.hpp "strand/accepted_task_runs: a turn that has run its share reports that it is idle"
       [=[if (next != nullptr) return @;]=] [=[strand_turn::more]=] [=[strand_turn::idle]=])

# --- runtime/when_all.hpp -------------------------------------------------------------------------

mutant(runtime/when_all.hpp "thread_pool/follower_comes_after_all_jobs: the job that joins others is released before it ends"
       [=[  job_follower* const after = @;]=] [=[this->end()]=] [=[(this->release(), this->end())]=])
mutant(runtime/when_all.hpp "thread_pool/follower_comes_after_all_jobs: the follower of several jobs is not called"
       [=[  return @;
}

namespace detail]=] [=[after]=] [=[nullptr]=])
