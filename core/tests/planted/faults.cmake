# Steps of the runtimes to do wrong, one at a time, where no scenario can notice: the unit test
# named at the beginning of the text must then fail. See verify/checker/tests/mutants/mutate.cmake
# for what a call means.

# --- watches ------------------------------------------------------------------------------------

mutant(src/polled_descriptors.hpp "task_runner.a_watch_for_writing_runs_when_there_is_room_again: a watch for writing waits for input"
       [=[const short events = @;]=] [=[it.what == watch_for::writing ? POLLOUT : POLLIN]=] [=[POLLIN]=])
mutant(src/polled_descriptors.hpp "task_runner.a_watch_for_writing_runs_when_there_is_room_again: a watch is not notified that there is room"
       [=[.writable = @,]=] [=[(how & POLLOUT) != 0]=] [=[false]=])
mutant(src/polled_descriptors.hpp "task_runner.one_descriptor_is_watched_for_reading_and_for_writing: two watches of a descriptor are taken for one"
       [=[            @};]=] [=[entry.events == POLLOUT ? watch_for::writing : watch_for::reading]=]
       [=[watch_for::reading]=])
mutant(src/watch_list.hpp "task_runner.one_descriptor_is_watched_for_reading_and_for_writing: a descriptor has one watch, whatever it is for"
       [=[if (@) return at;]=] [=[system_[at] == object]=] [=[system_[at].object == object.object]=])

# --- looks before a sleep ---------------------------------------------------------------------------

mutant(src/task_runner.cpp "task_runner_looks.longer_after_a_sleep_that_a_post_has_soon_ended: a sleep that was short is forgotten"
       [=[looks_ = @;]=] [=[posted && soon ? looks_after_a_short_sleep : looks]=] [=[looks]=])
mutant(src/task_runner.cpp "task_runner_looks.once_before_a_sleep: a long sleep is taken for a short one"
       [=[const bool soon = @;]=] [=[clock::now() - begin < short_sleep]=] [=[true]=])
mutant(src/task_runner.cpp "task_runner_looks.once_after_a_sleep_that_a_descriptor_has_ended: a descriptor is taken for a post"
       [=[const bool posted = @;]=] [=[watches_->event_signalled()]=] [=[true]=])
mutant(src/task_runner.cpp "task_runner_looks.a_post_meanwhile_saves_the_sleep: a runner keeps yielding although it has a task to run"
       [=[    if (@) return true;]=] [=[!nothing_ready()]=] [=[left == 1 && !nothing_ready()]=])
mutant(src/task_runner.cpp "task_runner_looks.no_longer_where_others_need_the_processor: a runner keeps yielding although it has long been without a processor"
       [=[if (@) return false;
  }]=] [=[clock::now() - begin >= short_sleep]=] [=[false]=])
mutant(src/task_runner.cpp "task_runner_looks.not_at_all_if_it_is_not_to_sleep: a runner that does not sleep yields"
       [=[!(@ && work_comes())]=] [=[may_sleep]=] [=[true]=])

# --- a post that is not finished --------------------------------------------------------------------

mutant(src/task_runner.cpp "unfinished_post.a_runner_that_is_woken_before_it_is_finished_sleeps_again: a runner with nothing ready is taken for an idle one"
       [=[while (turn(false) && !@)]=] [=[nothing_left()]=] [=[nothing_ready()]=])
mutant(src/task_runner.cpp "unfinished_post.run_until_idle_does_not_leave_what_was_posted_behind_it: is_idle() does not see what is not ready"
       [=[  return @;
}]=] [=[nothing_left()]=] [=[nothing_ready()]=])
mutant(runtime/task_inbox.hpp "unfinished_post.the_runner_sleeps_until_it_is_finished: a runner stays awake for a task that is not ready"
       [=[return @;
  }
  void awake()]=] [=[!ready()]=] [=[empty()]=])
mutant(runtime/task_inbox.hpp "unfinished_post.what_the_runner_posts_to_itself_is_behind_it: a queue with nothing ready is taken for an empty one"
       [=[!own_.full() && @) [[likely]]]=] [=[queue_.empty()]=] [=[!queue_.ready()]=])

# --- algorithms that are asked to stop --------------------------------------------------------------

mutant(runtime/parallel_unless_stopped.hpp "parallel_unless_stopped.one_worker_ends_where_it_looks: a worker does not look between elements"
       [=[if (@) return false;
    const std::uint64_t n]=] [=[token.stop_requested()]=] [=[false]=])
mutant(runtime/parallel_unless_stopped.hpp "parallel_unless_stopped.one_that_is_asked_before_does_nothing: a loop is divided before its token is looked at"
       [=[if (@) return false;
      if (gives_half]=] [=[token.stop_requested()]=] [=[false]=])
mutant(runtime/parallel_unless_stopped.hpp "parallel_unless_stopped.one_worker_ends_where_it_looks: a reduction returns what it has"
       [=[        return @;
      }
    }
    return value;]=] [=[std::nullopt]=] [=[std::optional<T>{std::move(value)}]=])
mutant(runtime/parallel_unless_stopped.hpp "parallel_unless_stopped.what_is_true_of_the_result: an upper half that was left out is not reported"
       [=[return @;
      }
      const auto step = [this, &me](Place]=] [=[lower && upper]=] [=[lower]=])
mutant(runtime/stop_condition.hpp "parallel_unless_stopped.a_sort_that_is_stopped_before_compares_nothing: an algorithm does not look at its token"
       [=[return @; }
};
#endif]=] [=[token.stop_requested()]=] [=[false]=])
mutant(runtime/parallel_sort.hpp "parallel_unless_stopped.a_sort_that_is_stopped_before_compares_nothing: a sort that was stopped is reported as complete"
       [=[last - first, comp, proj, detail::stopped_by{token});
  return @;]=] [=[!token.stop_requested()]=] [=[true]=])
mutant(runtime/block_scan.hpp "parallel_unless_stopped.a_scan_that_is_stopped_before_calls_nothing: a scan does not look at its token"
       [=[while (left.size != 0 && @) {
      if (gives_half(me, left.size, grain)) {
        const blocks rest = left.split_after(lower_half(left.size, grain));
        auto half = me.spawn(
            [this, owner]=] [=[!stop_()]=] [=[true]=])
mutant(runtime/parallel_scan.hpp "parallel_unless_stopped.a_scan_that_is_stopped_before_calls_nothing: a scan that was stopped is reported as complete"
       [=[stopped_by{token});
  if (@) return std::nullopt]=] [=[token.stop_requested()]=] [=[false]=])

# --- selections -----------------------------------------------------------------------------------

mutant(runtime/parallel_copy_if.hpp "parallel_copy_if.the_predicate_is_called_once_for_each_element: the last bits of a block are lost"
       [=[if (bit != 1) *to = @;]=] [=[word]=] [=[std::uint64_t{0}]=])
mutant(runtime/parallel_copy_if.hpp "parallel_copy_if.the_predicate_is_called_once_for_each_element: blocks that were taken are copied to the same place"
       [=[value selected) const noexcept { return @; }]=] [=[before + selected]=] [=[before]=])
mutant(runtime/parallel_copy_if.hpp "parallel_copy_if.the_predicate_is_called_once_for_each_element: what is copied is counted from the first element"
       [=[*to = *(first_ + @);]=] [=[(at + static_cast<unsigned>(std::countr_zero(word)))]=]
       [=[static_cast<unsigned>(std::countr_zero(word))]=])

# --- how fork_join looks for work -----------------------------------------------------------------

mutant(runtime/fork_join_search.hpp "fork_join_search.pauses_double_up_to_the_longest: each pause is as long as the first"
       [=[return before < pauses / 2 ? @ : pauses;]=] [=[2 * before]=] [=[before]=])
mutant(runtime/fork_join_search.hpp "fork_join_search.pauses_double_up_to_the_longest: pauses grow without end"
       [=[ : @;
  }
};]=] [=[pauses]=] [=[2 * before]=])
mutant(runtime/victim_choice.hpp "victim_choice.is_any_of_the_others: a thief steals from itself"
       [=[return @;
    }
    return near_or_far]=] [=[among < thief ? among : among + 1]=] [=[among]=])
mutant(runtime/victim_choice.hpp "victim_choice.is_as_often_near_as_was_asked_and_then_far: a thief goes far one attempt too late"
       [=[if (at.size == 1 || @) {]=] [=[own.near_ == near_]=] [=[own.near_ > near_]=])
mutant(runtime/victim_choice.hpp "victim_choice.is_as_often_near_as_was_asked_and_then_far: a thief is its own neighbour"
       [=[return by_node_[@];
}

}]=] [=[near < at.self ? near : near + 1]=] [=[near]=])

# --- traces ---------------------------------------------------------------------------------------

mutant(runtime/worker_trace.hpp "thread_pool_trace.a_woken_worker_of_another_pool_is_not_named: a number is taken for that of a worker of the own pool"
       [=[const bool ours = @;]=] [=[current->runtime() == runtime]=] [=[runtime != nullptr]=])
mutant(src/task_runner.cpp "task_runner_trace.a_span_is_that_of_the_innermost_runtime: a thread goes on recording for a runner that has returned"
       [=[traced_atomics::trace::current = @;]=] [=[before_]=] [=[&self_.trace_]=])
mutant(src/task_runner.cpp "task_runner_trace.each_task_and_each_timer_is_there: a timer is called a task"
       [=[run_one(*next, @);]=] [=["timer"]=] [=["task"]=])
mutant(src/chrome_trace.cpp "chrome_trace.what_encloses_comes_first_at_the_same_moment: an end has another name than its beginning"
       [=[.string(@));
      }
    };]=] [=[open.back()->name]=] [=[""]=])

# --- statistics -----------------------------------------------------------------------------------

mutant(runtime/pool_core.hpp "thread_pool_statistics.each_sleep_is_counted_and_each_wake: a search that finds nothing outside is counted as one that does"
       [=[job* const found = injected_.pop();
  me.counters_.count_if(@,]=] [=[found != nullptr]=] [=[true]=])
mutant(runtime/pool_core.hpp "thread_pool_statistics.a_job_that_is_taken_out_of_turn_is_taken_from_the_queue: a job from outside that is taken out of turn is not counted"
       [=[try_pop().job;
        me.counters_.count_if(@,]=] [=[found != nullptr]=] [=[false]=])
mutant(runtime/pool_core.hpp "thread_pool_statistics.each_sleep_is_counted_and_each_wake: each round is counted as a wake"
       [=[count_if(@, &thread_pool_counts::wakes)]=] [=[slept]=] [=[true]=])
mutant(runtime/pool_core.hpp "thread_pool_statistics.the_right_one_of_a_join_is_a_job_the_left_one_is_not: a job that its own worker takes back is not counted"
       [=[void runs_itself(worker& me) noexcept { @; }]=] [=[me.counters_.count(&thread_pool_counts::jobs)]=] [=[static_cast<void>(me)]=])
mutant(runtime/pool_core.hpp "thread_pool_statistics.what_waits_is_queued_in_a_deque_or_outside: the queue of jobs from outside is left out"
       [=[all.outside.queued = @;]=] [=[all.outside.submitted - all.injected]=] [=[std::uint64_t{0}]=])
mutant(deque/chase_lev.hpp "chase_lev.length_is_never_below_zero: a length falls below 0"
       [=[return @ ? static_cast<std::size_t>(back - front) : 0;]=] [=[back > front]=] [=[true]=])
mutant(runtime/worker_counters.hpp "thread_pool_statistics.the_right_one_of_a_join_is_a_job_the_left_one_is_not: a number does not grow beyond 1"
       [=[number.store(@, std::memory_order_relaxed);]=]
       [=[number.load(std::memory_order_relaxed) + by]=] [=[by]=])
mutant(src/task_runner.cpp "task_runner_statistics.a_call_of_a_watch_is_no_task: a watch is counted as a task"
       [=[counters_.count(@ ? &task_runner_counts::watches]=] [=[ready]=] [=[false]=])
mutant(runtime/task_runner.hpp "task_runner_statistics.a_post_is_counted_before_it_is_in_the_queue: a post of another thread is not counted before it is made"
       [=[    } else if constexpr (Features.statistics) {
      @;]=] [=[posted_.count()]=] [=[static_cast<void>(0)]=])
mutant(runtime/task_runner_statistics.hpp "task_runner_statistics.a_task_sees_the_queue: tasks that were run are counted as queued"
       [=[less(all + ready, @)]=] [=[tasks + watches + delayed]=] [=[watches + delayed]=])
