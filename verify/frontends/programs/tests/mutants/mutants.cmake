# Faults to plant in the front end for programs, see verify/checker/tests/mutants/mutate.cmake.
# program_mutants_test.cpp says which program notices each.

mutant(hooks.cpp "reads are not watched"
       [=[if (!s->is_nothing(c)) @;]=] [=[s->read(p, size, c, s->place(FENCEPOST_CALL_SITE))]=]
       [=[void()]=])
mutant(hooks.cpp "writes are not watched"
       [=[if (!s->is_nothing(c)) @;]=] [=[s->write(p, size, c, s->place(FENCEPOST_CALL_SITE))]=]
       [=[void()]=])
mutant(strings.cpp "what a text is searched for is not watched"
       [=[    @;
  }
  for (;]=] [=[read(*s, what, length + 1)]=] [=[void()]=])
mutant(text_copies.cpp "zeros after a text are not watched"
       [=[  @;
  FENCEPOST_BEHIND(memset)(p]=] [=[watch_write(p, size, c)]=] [=[void()]=])
mutant(text_copies.cpp "the last byte that is copied is not watched"
       [=[watch_copy(to, from, @, c);]=] [=[size]=] [=[size - 1]=])
mutant(text_copies.cpp "a text that is added to is not watched"
       [=[watch_read(text, @, c);]=] [=[length + 1]=] [=[0]=])
mutant(text_copies.cpp "a part that is added has no end"
       [=[  if (@) clear_bytes(end]=] [=[length == size]=] [=[false]=])
mutant(text_searches.cpp "the end of a text is not watched"
       [=[watch_read(text, @, c);
  return const_cast]=] [=[FENCEPOST_BEHIND(strlen)(text) + 1]=] [=[FENCEPOST_BEHIND(strlen)(text)]=])
mutant(text_searches.cpp "where a span ends is not watched"
       [=[watch_read(text, @, c);
  return length]=] [=[length + 1]=] [=[length]=])
mutant(text_searches.cpp "where texts differ is not watched"
       [=[watch_read(a, @, c);]=] [=[size]=] [=[size - 1]=])
mutant(text_searches.cpp "where a text is divided is not watched"
       [=[  @;
  *at = 0;]=] [=[watch_write(at, 1, c)]=] [=[void()]=])
mutant(text_searches.cpp "what is left of a divided text is not watched"
       [=[  @;
  *to = p;]=] [=[watch_write(to, sizeof *to, c)]=] [=[void()]=])
mutant(text_searches.cpp "the character that is found is not watched"
       [=[watch_read(text, static_cast<std::size_t>(at - text) + @, FENCEPOST]=] [=[1]=] [=[0]=])
mutant(text_searches.cpp "the byte that is found is not watched"
       [=[static_cast<const char*>(bytes)) + @,]=] [=[1]=] [=[0]=])
mutant(text_searches.cpp "bytes that are searched backwards are not watched"
       [=[watch_read(first, @, FENCEPOST]=] [=[static_cast<std::size_t>(begin + size - first)]=]
       [=[1]=])
mutant(text_searches.cpp "bytes that are searched are not watched"
       [=[  @;
  watch_read(what]=] [=[watch_read(bytes, size, FENCEPOST_CALL_SITE)]=] [=[void()]=])
mutant(text_searches.cpp "bytes that are searched for are not watched"
       [=[watch_read(what, @, FENCEPOST_CALL_SITE);]=] [=[what_size]=] [=[0]=])
mutant(formats.cpp "the end of a text that is printed is not watched"
       [=[  @;
  }
  void watch_wide_text]=] [=[watch_read(text, size + (size < most ? 1 : 0), caller_)]=]
       [=[watch_read(text, size, caller_)]=])
mutant(formats.cpp "what is printed of a text has no limit"
       [=[return n < 0 ? no_limit : @;]=] [=[static_cast<std::size_t>(n)]=] [=[no_limit]=])
mutant(formats.cpp "wide characters that are printed are not watched"
       [=[watch_read(text, @, caller_);
  }

  static]=] [=[(size + (size < most ? 1 : 0)) * sizeof *text]=] [=[size]=])
mutant(formats.cpp "the number of bytes that are printed is not watched"
       [=[watch_write(reinterpret_cast<const void*>(next()), @, caller_);]=] [=[size_of(length)]=] [=[0]=])
mutant(formats.cpp "a format is not watched"
       [=[  @;
  format_arguments(format]=] [=[watch_text(format, c)]=] [=[void()]=])
mutant(formats.cpp "texts that are printed are not watched"
       [=[watch_read(text, @, c);]=] [=[FENCEPOST_BEHIND(strlen)(text) + 1]=] [=[0]=])
mutant(formats.cpp "bytes that are printed are not watched"
       [=[watch_read(from, @, FENCEPOST_CALL_SITE);]=] [=[size * count]=] [=[size]=])
mutant(formats.cpp "what is printed to a text is not watched"
       [=[    watch_write(to, @, c);
  show_error_number();]=]
       [=[std::min(static_cast<std::size_t>(length) + 1, size)]=] [=[0]=])
mutant(formats.cpp "where the block is that was printed to is not watched"
       [=[  @;
  *to = block;]=] [=[watch_write(to, sizeof *to, c)]=] [=[void()]=])
mutant(formats.cpp "the error that is printed is the checker's"
       [=[if (const entered s; s) shown = @;]=] [=[s->library().error_number()]=] [=[shown]=])
mutant(scans.cpp "a text that is scanned is not watched"
       [=[watch_read(text, @, c);]=] [=[FENCEPOST_BEHIND(strlen)(text) + 1]=]
       [=[FENCEPOST_BEHIND(strlen)(text)]=])
mutant(scans.cpp "a format by which a text is scanned is not watched"
       [=[watch_read(format, @, c);]=] [=[FENCEPOST_BEHIND(strlen)(format) + 1]=]
       [=[FENCEPOST_BEHIND(strlen)(format)]=])
mutant(scans.cpp "what is not assigned is written"
       [=[if (conversion != 'n' && @) return;]=] [=[--left_ < 0]=] [=[--left_ < -1]=])
mutant(scans.cpp "what is written of a number has one size"
       [=[if (length == "h") return @;]=] [=[sizeof(short)]=] [=[sizeof(int)]=])
mutant(scans.cpp "the end of a text that is assigned is not watched"
       [=[if (is_one_of("sS[")) return @;]=] [=[std::strlen(static_cast<const char*>(to)) + 1]=]
       [=[std::strlen(static_cast<const char*>(to))]=])
mutant(scans.cpp "characters that are assigned have no number"
       [=[return @ * (is_wide]=] [=[std::max<std::size_t>(width, 1)]=] [=[1]=])
mutant(scans.cpp "a set of characters ends with its first one"
       [=[if (@) ++at_;
    while]=] [=[*at_ == ']']=] [=[false]=])
mutant(text_searches.cpp "the position where strtok continues is not watched"
       [=[divide(text, characters, @, FENCEPOST]=] [=[&__fencepost_strtok_rest]=]
       [=[[] { static char* own; return &own; }()]=])
mutant(attributes.cpp "attributes that are changed are not watched"
       [=[watch_write(attributes, @, FENCEPOST_CALL_SITE); \
    return FENCEPOST_BEHIND(name)(attributes, value);]=] [=[sizeof *attributes]=] [=[0]=])
mutant(attributes.cpp "attributes that are asked for are not watched"
       [=[watch_read(attributes, @, FENCEPOST]=] [=[sizeof *attributes]=] [=[0]=])
mutant(posix_objects.hpp "attributes that are used are not watched"
       [=[  @;
}]=] [=[s.read_for_program(attributes, sizeof *attributes, c)]=] [=[void()]=])
mutant(standard_files.cpp "bytes that are written to a file are not watched"
       [=[watch_read(from, @, FENCEPOST]=] [=[size]=] [=[size - 1]=])
mutant(standard_files.cpp "all files are standard ones"
       [=[if (@)
    refuse("files]=] [=[file != STDOUT_FILENO && file != STDERR_FILENO]=] [=[false]=])
mutant(standard_files.cpp "streams have buffers of the program's own"
       [=[if (@) refuse("a stream]=] [=[buffer != nullptr]=] [=[false]=])
mutant(heap.cpp "what reallocarray() copies is not watched"
       [=[copy(other, p, @, c);]=] [=[std::min(size, size_of(p))]=]
       [=[(FENCEPOST_BEHIND(memcpy)(other, p, std::min(size, size_of(p))), 0)]=])
mutant(surroundings.cpp "priorities that are set are not watched"
       [=[watch_read(priority, @,]=] [=[sizeof *priority]=] [=[0]=])
mutant(surroundings.cpp "processors that are counted are not watched"
       [=[int __sched_cpucount(std::size_t size, const cpu_set_t* processors) noexcept {
  watch_read(processors, @,]=] [=[size]=] [=[0]=])
mutant(dynamic_casts.cpp "what a dynamic_cast looks at is not watched"
       [=[watch_read(object, @, FENCEPOST_CALL_SITE);]=] [=[sizeof(void*)]=] [=[0]=])
mutant(exception_texts.cpp "a string that an exception is made from is not watched"
       [=[reading(text, @);]=] [=[s->size() + 1]=] [=[0]=])
mutant(parts_of_numbers.cpp "parts of a number are not watched"
       [=[watch_write(to, @, FENCEPOST_CALL_SITE); ]=] [=[sizeof *to]=] [=[0]=])
mutant(parts_of_numbers.cpp "a quotient is not watched"
       [=[watch_write(to, @, FENCEPOST_CALL_SITE);
  *to = quotient]=] [=[sizeof *to]=] [=[0]=])
mutant(parts_of_numbers.cpp "a sine is not watched"
       [=[watch_write(sine, @, FENCEPOST]=] [=[sizeof *sine]=] [=[0]=])
mutant(random_numbers.cpp "the seed of random numbers is not watched"
       [=[watch_write(seed, @, FENCEPOST]=] [=[sizeof *seed]=] [=[0]=])
mutant(random_numbers.cpp "random numbers are drawn again"
       [=[s.random_state(verify::operation::add, @, where)]=] [=[1]=] [=[0]=])
mutant(surroundings.cpp "a text for an error is not watched"
       [=[    @;
  return text;]=]
       [=[watch_write(to, FENCEPOST_BEHIND(strlen)(to) + 1, FENCEPOST_CALL_SITE)]=] [=[void()]=])
mutant(thread_names.cpp "a thread has the name that it had first"
       [=[  @;
}]=] [=[e.store(word(name_of(s, thread, where)), e.number_of(v), order::relaxed, where)]=]
       [=[void()]=])
mutant(thread_names.cpp "where the name of a thread is put is not watched"
       [=[  s->write(to, @, where);]=] [=[name.size() + 1]=] [=[0]=])
mutant(passing_time.cpp "how long a thread sleeps is not watched"
       [=[int nanosleep(const timespec* t, timespec*) {
  watch_read(t, @, FENCEPOST]=] [=[sizeof *t]=] [=[0]=])
mutant(accesses.cpp "a loop of plain accesses keeps other threads from running"
       [=[if (@) look_up(t, where);]=] [=[t.loop.goes_on()]=] [=[false]=])
mutant(hooks.cpp "a constructor is taken for a destructor"
       [=[if (*p == table && @)]=] [=[is_destructor(where)]=] [=[is_destructor(where) | true]=])
mutant(session.cpp "variables are not restored"
       [=[@;
  put_standard]=] [=[program_.put_variables_back()]=] [=[void()]=])
mutant(accesses.cpp "plain accesses to atomic objects are no events"
       [=[    if (@) {
      touch_atomic]=] [=[c.atomic]=] [=[false]=])
mutant(session.hpp "what was written with plain accesses is not taken up"
       [=[if (@) make_events_of_writes(t);]=] [=[!t.writes.empty()]=] [=[false]=])
mutant(session.hpp "what becomes known of memory restarts nothing"
       [=[bool is_to_restart() const noexcept { return @; }]=] [=[cells_.changed()]=] [=[false]=])
mutant(accesses.cpp "bytes of the source are not copied"
       [=[if (@) touch(t, source]=] [=[owns(from)]=] [=[false]=])
mutant(library_state.hpp "threads have one errno"
       [=[int& error_number() noexcept { return @.error; }]=] [=[of_threads_.here()]=] [=[of_threads_[0]]=])
mutant(session.cpp "variables are not compared"
       [=[variables_.assign(program_.variables().begin(), @);]=] [=[program_.variables().end()]=]
       [=[program_.variables().begin()]=])
mutant(session.cpp "thread_local variables are not compared"
       [=[if (@) variables_.push_back]=] [=[!locals_.empty()]=] [=[false]=])
mutant(session.cpp "thread_local variables are zero at first"
       [=[const verify::wide_value v = @;]=] [=[locals_.initial(address, c.size)]=]
       [=[verify::wide_value()]=])
mutant(exit_calls.cpp "thread_local variables are not destroyed"
       [=[if (@) break;
      next = left]=] [=[left.empty()]=] [=[true]=])
mutant(thread_locals.cpp "thread_local variables are not fresh"
       [=[  std::memcpy(variables.data(), initial_.data(), @);]=] [=[initial_.size()]=] [=[0]=])
mutant(start.cpp "shared_ptr does not count atomically"
       [=[__libc_single_threaded = @;]=] [=[0]=] [=[1]=])
mutant(program_exploration.cpp "what main() returns is nothing"
       [=[if (@) return;
  const std::string text = "main]=] [=[main.status == 0]=] [=[true]=])
mutant(posix_mutexes.cpp "a thread that unlocks a mutex need not hold it"
       [=[if (@) {
    if (kind_of]=] [=[!is_held_here(m)]=] [=[false]=])
mutant(posix_mutexes.cpp "a mutex is free when it is unlocked once"
       [=[if (@) return 0;
  m->__data.__owner = 0;]=] [=[--m->__data.__count != 0]=] [=[false]=])
mutant(posix_mutexes.cpp "unlocking is not a release"
       [=[e.store(word(at), 0, @, where);
  return 0;
}

void destroy]=] [=[verify::order::release]=] [=[verify::order::relaxed]=])
mutant(posix_conditions.cpp "a condition variable never wakes without a reason"
       [=[!too_late && @;]=] [=[by_chance(verify::budget::spurious_wakeup, where)]=] [=[false]=])
mutant(guards.cpp "finding it done is not an acquire"
       [=[if (e.load(done, @, where) != 0) return false;]=] [=[order::acquire]=] [=[order::relaxed]=])
mutant(guards.cpp "it is done again after another thread has"
       [=[if (@) return true;
  e.store(word(lock)]=] [=[e.load(done, order::relaxed, where) == 0]=] [=[true]=])
mutant(waits.cpp "a futex says that it was woken where it has not waited"
       [=[case waited::changed: return @;]=] [=[fail_with(s, EAGAIN)]=] [=[0L]=])
mutant(waits.cpp "continuing from a latch or a barrier is not an acquire"
       [=[e.await(at, v, @, wait_for::wake_up]=] [=[order::acquire]=] [=[order::relaxed]=])
mutant(waits.cpp "a misuse of a latch or a barrier is not reported"
       [=[violation::misuse, @, s->place(FENCEPOST_CALL_SITE));
  std::abort]=] [=[what]=] [=[""]=])
mutant(waits.cpp "one thread is woken where all should be"
       [=[@ ? all_of_them : 1,]=] [=[all]=] [=[false]=])
mutant(containers.cpp "what changes in a tree is not watched"
       [=[    if (@) return;
    const entered s;
    for (auto* const node]=] [=[!nodes_]=] [=[true]=])
mutant(containers.cpp "what changes in a tree is taken up before it changes"
       [=[      @;
    nodes_.reset();]=] [=[s->write(reinterpret_cast<void*>((*nodes_)[i]), size_, where_)]=] [=[void()]=])
mutant(containers.cpp "the way to the next one is not watched"
       [=[if (p != nullptr) @;
}]=] [=[s.read(p, sizeof *p, where)]=] [=[void()]=])
mutant(containers.cpp "bytes that are hashed are not watched"
       [=[if (const entered s(bytes); s) @;]=]
       [=[s->read(bytes, size, s->place(FENCEPOST_CALL_SITE))]=] [=[void()]=])
mutant(posix_mutexes.cpp "a timed lock fails although no thread holds the lock"
       [=[            .success)
      @;]=] [=[e.give_up()]=] [=[void(unlock(s, m, where))]=])
mutant(posix_mutexes.cpp "a timed lock always succeeds"
       [=[  if (@) {]=] [=[by_chance(verify::budget::timeout, where)]=] [=[false]=])
mutant(posix_conditions.cpp "nobody is notified too late"
       [=[  if (@) s.library().let_pass(how_long);
  return true;]=] [=[timed && by_chance(verify::budget::timeout, where)]=] [=[false]=])
mutant(posix_conditions.cpp "a deadline that has passed is waited for"
       [=[const bool too_late = @;]=] [=[how_long <= 0]=] [=[false]=])
mutant(passing_time.cpp "no time passes before a look at a clock"
       [=[if (@) s.library().let_pass(long_time)]=]
       [=[by_chance(verify::budget::timeout, s.place(c))]=] [=[false]=])
mutant(session.cpp "clocks of the program are not looked for"
       [=[library_(@),]=] [=[program.imports_any(clocks)]=] [=[false]=])
mutant(threads.cpp "threads begin when the program does"
       [=[    @;
  }
  const departure]=] [=[s->library().let_pass_until(what.time)]=] [=[void()]=])
mutant(threads.cpp "time that has passed for a thread has not passed for the thread that joins it"
       [=[  @;
  return end.result]=] [=[s.library().let_pass_until(s.library().time_of(id))]=] [=[void()]=])
mutant(session.cpp "turns of a loop have the same streams"
       [=[if (@) add_memory_of_streams]=] [=[has_streams_]=] [=[false]=])
mutant(session.cpp "turns of a loop have the same options"
       [=[if (@) add_memory_of_options]=] [=[has_options_]=] [=[false]=])
mutant(storage.cpp "an access to a block need not be ordered after its allocation"
       [=[    if (@ || c.begin < begin]=] [=[!c.known]=] [=[true]=])
mutant(storage.cpp "what is outside of all blocks is used"
       [=[if (!heap.owns(p) || @) return;]=] [=[heap.has_block(p, c.size)]=] [=[true]=])
mutant(storage.cpp "atomics need not be initialized"
       [=[  if (@)
    engine_->fail(
        violation::misuse,
        "an atomic access reads]=] [=[is_unwritten(c, read)]=] [=[false]=])
mutant(program_memory.hpp "a bad address that a function is given is the checker's"
       [=[as_program() noexcept { set(@); }
  ~]=] [=[true]=] [=[false]=])
mutant(program_options.cpp "what is remembered of options is of another execution"
       [=[    if (@) begin();]=] [=[!being_read]=] [=[false]=])
mutant(session.cpp "options are where an execution has left them"
       [=[  @;
  for (thread& t : threads_)]=] [=[put_options_back()]=] [=[void()]=])
mutant(program_options.cpp "names of options are not watched"
       [=[      @;
    }
    if (w != nullptr)]=] [=[watch_text(w->name)]=] [=[void()]=])
mutant(kept_sessions.hpp "options are read on where others were"
       [=[session_.can_resume() && @;]=] [=[!are_options_being_read()]=] [=[true]=])
mutant(messages.cpp "what a warning shows is not watched"
       [=[  if (format != nullptr) @;
}

}  // namespace]=] [=[fencepost::programs::watch_format(format, arguments, c)]=] [=[void()]=])
mutant(scans.cpp "formats of C90 are those of C99"
       [=[is_one_of("$m") || @)]=] [=[allocates_as_in_c90()]=] [=[false]=])
mutant(shared_locks.cpp "a lock that prefers writers is like any other"
       [=[  if (@)
    s.reach_limit("a lock of]=] [=[kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP]=]
       [=[false]=])
mutant(storage.cpp "what is not announced is not there"
       [=[  if (@) {
    e.begins_with]=] [=[writes_all || is_filled(c.begin, c.size, fill)]=] [=[true]=])
mutant(accesses.cpp "what is beside a byte that is written is what happens to be there"
       [=[settle(c, @);
  else]=] [=[write && accessed.size() == c.size]=] [=[write]=])
mutant(storage.cpp "what happens to be beside a byte is taken up when the byte is read"
       [=[  @;
}]=] [=[put_bytes(c, e.known(c.at), c.begin, c.size)]=] [=[void()]=])
mutant(storage.cpp "what is on a stack has some value"
       [=[const unsigned char fill = @;]=]
       [=[c.owner == cell::nobody ? verify::arena::usual_fill : pattern()]=]
       [=[verify::arena::usual_fill]=])
mutant(storage.cpp "a variable has the value that it is filled with"
       [=[      @)
    return false;
  if (w.is_first)]=] [=[!is_filled(c.begin, c.size, pattern())]=] [=[true]=])
mutant(storage.cpp "a variable of one turn is that of the next"
       [=[  if (@)
    c.is_open = true;]=] [=[w.is_first]=] [=[true]=])
mutant(storage.cpp "clang fills variables as g++ does"
       [=[== compiler::clang ? @ : 0xfe; }]=] [=[0xaa]=] [=[0xfe]=])
mutant(session.hpp "what is left out of one thread is left out of all"
       [=[this_thread() && @ &&
           (!c.atomic]=] [=[!c.shared]=] [=[true]=])
mutant(cells.hpp "what was not met lately is not left out"
       [=[c->size == size ? c : @;]=] [=[find(begin, size)]=] [=[(find(begin, size), nullptr)]=])
mutant(compare_exchanges.cpp "weak exchanges of clang are strong"
       [=[has_failed = @;
  return done.old;]=] [=[!done.success && done.old == expected]=] [=[false]=])
mutant(compare_exchanges.cpp "all exchanges of clang are weak"
       [=[desired, @, success, failure, where);]=] [=[may_fail]=] [=[true]=])
mutant(uncaught.cpp "whatever is thrown is caught"
       [=[  if (@) return;
  const source_location where]=]
       [=[the.found != search::by_noexcept && the.found != search::by_nothing]=] [=[true]=])
mutant(uncaught.cpp "a noexcept function is one that catches"
       [=[s.found = @ ? search::by_noexcept]=] [=[of_unwind(s.thrown).catch_temporary == nullptr]=]
       [=[false]=])
mutant(storage.cpp "a thread never ends"
       [=[  t.is_over = @;
}]=] [=[true]=] [=[false]=])
mutant(storage.cpp "what a function has left on a stack is used"
       [=[(own || @)) return;]=] [=[c.begin >= t.lowest]=] [=[true]=])
mutant(session.hpp "a function need not wait for those that use its variables"
       [=[if (@) end_frames(c);]=] [=[!t.touched.empty()]=] [=[false]=])
mutant(storage.cpp "a thread need not wait for those that use its variables"
       [=[  for (const std::uintptr_t at : @) end_lifetime(at, {});]=] [=[gone]=]
       [=[std::vector<std::uintptr_t>()]=])
mutant(storage.cpp "atomics of a function are those of the next one"
       [=[      e.retire(c.at, where);
      @;]=] [=[declare(c)]=] [=[void()]=])
mutant(session.cpp "an access to a thread_local variable need not be ordered after its beginning"
       [=[    if (@) declare(c);
  });
}]=] [=[c.known]=] [=[false]=])
mutant(posix_objects.cpp "what is destroyed is used"
       [=[const char* const when = @  ]=] [=[known == destroyed]=] [=[false]=])
mutant(posix_objects.cpp "what is not initialized is used"
       [=[: @ ? " before]=] [=[known == session::unwritten]=] [=[false]=])
mutant(posix_objects.cpp "what is locked is initialized"
       [=[  if (@)
    engine::current()->fail(violation::misuse,
                            std::string(what) + " is initialized]=] [=[s.locks().contains(object)]=]
       [=[false]=])
mutant(session.hpp "what a function has left locked is not noticed"
       [=[if (@) require_no_locks(c);]=] [=[!locks_.empty()]=] [=[false]=])
mutant(storage.cpp "functions return with whatever is locked"
       [=[if (locks_.find([&](std::uintptr_t at) { return @ &&]=] [=[at < t.lowest]=] [=[true]=])
mutant(heap.hpp "what is freed may be locked" [=[      @;
    }
    behind_->release]=] [=[s->require_no_locks(p, FENCEPOST_CALL_SITE)]=] [=[void()]=])
mutant(storage.cpp "nothing is freed while anything is locked"
       [=[if (@) return false;
    const cell* const word]=] [=[at < begin || !heap.has_block(block, at - begin + 1)]=] [=[false]=])
mutant(storage.cpp "what another thread may yet unlock is locked for all"
       [=[return word != nullptr && @;]=] [=[engine_->known(word->at) != 0]=] [=[true]=])
mutant(shared_locks.cpp "a thread that unlocks a lock need not hold it"
       [=[  if (@)
    e.fail(violation::misuse,
           seen == 0]=] [=[!s.locks().remove(lock)]=] [=[false]=])
mutant(posix_conditions.cpp "condition variables are not constructed"
       [=[  if (@)
    initialize(*s, c, sizeof(pthread_cond_t), "a condition variable",
               s->place]=] [=[bool{s}]=] [=[false]=])
mutant(passing_time.cpp "no time passes in sleep"
       [=[    if (@) s->library().let_pass(t);]=] [=[t > 0]=] [=[false]=])
mutant(cells.cpp "atomics of 16 bytes are what they were at first in their lower half"
       [=[std::memcpy(wide.data(), reinterpret_cast<const void*>(c.begin), @);]=] [=[c.size]=]
       [=[sizeof(verify::value)]=])
mutant(wide_atomics.cpp "a failed exchange of 16 bytes says nothing"
       [=[  if (@) put_value(*s, expected, size, done.old, where);]=] [=[!done.success]=]
       [=[false]=])
mutant(accesses.cpp "what a compiler has filled by a call is taken up before"
       [=[  @;
  touch(t, begin, size, true, where);]=] [=[take_up_writes_but_for(t, {begin, begin + size})]=]
       [=[take_up_writes(t)]=])
mutant(accesses.cpp "what a compiler has copied by a call is taken up before"
       [=[  else
    @;]=] [=[take_up_writes_but_for(t, {target, target + size})]=] [=[take_up_writes(t)]=])
mutant(accesses.cpp "what is beside bytes that are filled is overwritten with them"
       [=[[&](const pending_write& w) {
        return @;]=]
       [=[w.accessed.begin < overwritten.begin || w.accessed.end > overwritten.end]=] [=[false]=])
mutant(accesses.cpp "what is moved away is overwritten before"
       [=[  const bool overlap = @;]=] [=[source < target + size && target < source + size]=]
       [=[false]=])
mutant(accesses.cpp "what a copy writes is taken up before it is written"
       [=[if (@) take_up_writes(t);]=]
       [=[std::any_of(t.writes.begin(), t.writes.end(), is_of_these)]=] [=[true]=])
mutant(shared_locks.cpp "a reader does not keep writers out"
       [=[readers == with_writer ? with_writer : @;]=] [=[readers + 1]=] [=[readers]=])
mutant(shared_locks.cpp "readers keep readers out"
       [=[  if (@) {
    const verify::location flag]=] [=[seen == with_writer]=] [=[seen != 0]=])
mutant(shared_locks.cpp "readers that were kept out are not let in"
       [=[e.store(word(static_cast<verify::location>(flags[i])), @, order::relaxed]=] [=[1]=] [=[0]=])
mutant(shared_locks.cpp "readers that are kept out wait for nothing"
       [=[e.await(flag, @, order::relaxed]=] [=[1]=] [=[0]=])
mutant(semaphores.cpp "releasing a semaphore is not a release"
       [=[verify::operation::add, 1, sizeof(std::uint32_t),
                                       @, where);]=] [=[order::release]=] [=[order::relaxed]=])
mutant(tests.cpp "tests are run that the filter does not match"
       [=[if (!@) return false;
  current.any]=] [=[matches(current.filter, full)]=] [=[true]=])
mutant(tests.cpp "that no test is run is verified"
       [=[  if (@) return;
  refuse(*s,
         current.filter]=] [=[current.any]=] [=[true]=])
mutant(tests.cpp "a suite is set up twice"
       [=[  if (@)
    refuse(*s,]=]
       [=[std::find(current.suites.begin(), current.suites.end(), tag) != current.suites.end()]=]
       [=[false]=])
mutant(tests.cpp "a test that is skipped goes on"
       [=[{ return @; }

std::ostream]=] [=[current.skipped]=] [=[false]=])
mutant(spinlocks.cpp "unlocking a spinlock is not a release"
       [=[this thread does not hold",
           where);
  e.store(word(at), 0, @, where);]=] [=[order::release]=] [=[order::relaxed]=])
mutant(spinlocks.cpp "a thread that unlocks a spinlock need not hold it"
       [=[  if (@)
    e.fail(fencepost::violation::misuse, "unlock() of a spinlock]=]
       [=[!s->locks().remove(no_volatile(l))]=] [=[false]=])
mutant(spinlocks.cpp "a spinlock is destroyed while it is locked"
       [=[  if (@)
    engine::current()->fail(fencepost::violation::misuse,
                            "a spinlock]=]
       [=[engine::current()->known(spinlock(*s, l, where)) != 0]=] [=[false]=])
mutant(assumptions.cpp "assumptions always hold"
       [=[if (@) return;]=] [=[holds != 0]=] [=[true]=])
mutant(posix_mutexes.cpp "locking several mutexes keeps those that are locked already"
       [=[    while (@) unlock(s, at(--held), where);]=] [=[held != 0]=] [=[false]=])
mutant(posix_mutexes.cpp "locking several mutexes never unlocks any"
       [=[if (turn == @) engine::current()->give_up();]=] [=[2]=] [=[1]=])
mutant(exceptions.cpp "a thread that is done with an exception does not release it"
       [=[at, what, 1, sizeof(int), @, where]=] [=[order::acq_rel]=] [=[order::relaxed]=])
mutant(exceptions.cpp "an exception that is thrown again is not counted"
       [=[    s->read(pointer, sizeof *pointer, where);
    @;
  }
  auto* const h]=] [=[change(*s, *pointer, operation::add, where)]=] [=[0]=])
mutant(posix_barriers.cpp "arriving at a barrier is not a release"
       [=[1, sizeof object.arrived, @, where)]=] [=[order::acq_rel]=] [=[order::acquire]=])
mutant(posix_barriers.cpp "continuing from a barrier is not an acquire"
       [=[e.await(at, open, @, wait_for::wake_up]=] [=[order::acquire]=] [=[order::relaxed]=])
mutant(posix_barriers.cpp "a barrier that was made again is open"
       [=[const value open = @ | (round + 1)]=] [=[value{object.generation} << 32U]=]
       [=[value{1} << 32U]=])
mutant(posix_barriers.cpp "a barrier is initialized more than once"
       [=[s->program().contains(b) && @)]=] [=[of(b).threads != 0]=] [=[false]=])
mutant(storage.cpp "variables are there after their blocks"
       [=[t.ended[begin + size] = @;]=] [=[begin]=] [=[begin + size]=])
mutant(storage.cpp "variables of blocks do not come again"
       [=[if (!other) @;]=] [=[begin_variable(threads_[c.owner], c.begin)]=] [=[void()]=])
mutant(thread_keys.cpp "the values of a thread's keys are not destroyed"
       [=[for (unsigned i = 0; @ && destroy_each(); ++i)]=] [=[i < PTHREAD_DESTRUCTOR_ITERATIONS]=]
       [=[i < 0]=])
mutant(departure.cpp "a thread that leaves destroys nothing"
       [=[if (@)
    __builtin_longjmp]=] [=[(actions & _UA_END_OF_STACK) != 0 ||
      _Unwind_GetCFA(context) > reinterpret_cast<std::uintptr_t>(out->frame)]=] [=[true]=])
mutant(pointer_pairs.cpp "a shared pointer is counted without a lock"
       [=[await_exchange(at, 0, @, order::relaxed]=] [=[1]=] [=[0]=])
mutant(pointer_pairs.cpp "storing a shared pointer is always a release"
       [=[  put(*s, with, modify(*s, pair, operation::exchange, v, @, where), where);]=] [=[how]=]
       [=[order::seq_cst]=])
mutant(pointer_pairs.cpp "loading a shared pointer is a release"
       [=[const bool is_apart = @;]=] [=[how == order::seq_cst]=] [=[false]=])
mutant(exit_calls.cpp "threads that wait for the end of a thread are not notified"
       [=[for (auto& left = s->exits().of_this_thread().notifications; @;)]=] [=[!left.empty()]=]
       [=[false]=])
mutant(std_threads.cpp "a thread that was joined is what it was before"
       [=[(_ZNSt6thread4joinEv)(thread);
  @;]=] [=[wrote(thread, sizeof *thread, caller)]=] [=[static_cast<void>(caller)]=])
mutant(std_threads.cpp "a thread that starts another one still owns its state"
       [=[(thread, state, needed);
  @;]=] [=[wrote(state, sizeof *state, caller)]=] [=[static_cast<void>(caller)]=])
mutant(std_threads.cpp "a thread that was detached is what it was before"
       [=[(_ZNSt6thread6detachEv)(thread);
  @;]=] [=[wrote(thread, sizeof *thread, caller)]=] [=[static_cast<void>(caller)]=])
mutant(sorting.cpp "what is sorted is not watched"
       [=[      @;
      std::memcpy(b + done]=] [=[s->write(b + done, bytes, where)]=] [=[static_cast<void>(where)]=])
mutant(numbers.cpp "a text that is read as a number is not watched"
       [=[watch_read(text, @, c);
  if]=] [=[static_cast<std::size_t>(end - text) + 1]=] [=[0]=])
mutant(library_calls.hpp "what a function of the library changes is not reported"
       [=[  static void after(const accesses& writing, const argument* object) {
    @;
  }
};]=] [=[parts<T>::tell(reinterpret_cast<const T*>(*object), writing)]=] [=[void()]=])
mutant(library_calls.hpp "what a function of the library reads is not reported"
       [=[const accesses& reading, const accesses&, const argument* object) {
    @;]=] [=[parts<T>::tell(reinterpret_cast<const T*>(*object), reading)]=] [=[void()]=])
mutant(library_calls.hpp "what a function of the library constructs is not reported"
       [=[    @;
  }
};]=] [=[writing(reinterpret_cast<const void*>(*object), sizeof(T))]=] [=[void()]=])
mutant(library_calls.hpp "what a function of the library destroys is not reported"
       [=[    parts<T>::tell(reinterpret_cast<const T*>(*object), reading);
    @;]=] [=[parts<T>::tell(reinterpret_cast<const T*>(*object), writing)]=] [=[void()]=])
mutant(library_calls.hpp "the text that a function of the library reads is not reported"
       [=[if (reading.owns(t)) @;]=] [=[reading(t, std::strlen(t) + 1)]=] [=[void()]=])
mutant(library_calls.hpp "the bytes that a function of the library reads are not reported"
       [=[    @;
  }
};]=] [=[reading(reinterpret_cast<const void*>(bytes[0]), bytes[1])]=] [=[void()]=])
mutant(stream_parts.hpp "the buffer of a stream is not reported"
       [=[if (@) return;
    access(b, sizeof(void*));]=] [=[!access.owns(b)]=] [=[true]=])
mutant(stream_parts.hpp "the text of a buffer is not reported"
       [=[access(text, @);
  }
};
template]=] [=[static_cast<std::size_t>(pointers::last(b) - text)]=] [=[0]=])
mutant(session.cpp "what is put in line for standard streams is watched"
       [=[if (@) return;
  c.is_open]=] [=[is_standard_stream(address)]=] [=[false]=])
mutant(standard_streams.cpp "std::cout is like any other stream"
       [=[return @;
}]=] [=[in(std::cout) || in(std::cerr) || in(std::clog)]=] [=[false]=])
mutant(stream_input.cpp "the text that a stream reads is not reported"
       [=[if (static_cast<std::ptrdiff_t>(text[1]) > 0) @;]=] [=[writing(t, std::strlen(t) + 1)]=]
       [=[void()]=])
mutant(stream_input.cpp "the bytes that a stream reads are not reported"
       [=[static_cast<std::size_t>(@));]=] [=[from->gcount()]=] [=[0]=])
mutant(session.cpp "std::cout has what an execution has set"
       [=[  @;
]=] [=[put_standard_streams_back()]=] [=[void()]=])
mutant(storage.cpp "temporary objects are what they were when they were announced"
       [=[  if (@)
    engine_->store(verify::word(c.at), left]=]
       [=[left != engine_->known(c.at)]=] [=[false]=])
mutant(objects_in_turn.cpp "an object of another size need not wait for those that use what was there"
       [=[    if (atomic)
      @;
    else
      e.plain_write(at, where);]=] [=[e.retire(at, where)]=] [=[void()]=])
mutant(objects_in_turn.cpp "an object of another size is no write to plain data"
       [=[    else
      @;
  }
  const auto [first, last]]=] [=[e.plain_write(at, where)]=] [=[void()]=])
mutant(cells.cpp "what is known of objects that others have replaced is lost"
       [=[if (saved.insert(r.by).second) @;]=] [=[save(r.by)]=] [=[void()]=])
mutant(wide_strings.cpp "wide characters that are read are not watched"
       [=[if (const entered s; s) @;
}

void copy]=] [=[s->read_for_program(text, length * sizeof *text, c)]=] [=[void()]=])
mutant(wide_strings.cpp "wide characters that are copied are not watched"
       [=[if (const entered s; s) @;
}

}  // namespace]=] [=[s->copy(to, from, length * sizeof *to, s->place(c))]=] [=[void()]=])
mutant(wide_strings.cpp "wide characters that are filled in are not watched"
       [=[if (const entered s; s) @;
  return FENCEPOST_BEHIND(wmemset)]=]
       [=[s->write(to, length * sizeof *to, s->place(FENCEPOST_CALL_SITE))]=] [=[void()]=])
mutant(wide_strings.cpp "wide characters that are searched are not watched"
       [=[  @;
  return at != end]=] [=[read(text, static_cast<std::size_t>(at - text) + (at != end ? 1 : 0), FENCEPOST_CALL_SITE)]=]
       [=[void()]=])
mutant(waits.cpp "the system call for the number of a thread gives that of the process"
       [=[if (number == SYS_gettid) return @;]=] [=[gettid()]=] [=[getpid()]=])
mutant(waits.cpp "what is to be ready when its thread ends never is"
       [=[behind.push_back({@, argument, where});]=] [=[function]=] [=[+[](void*) {}]=])
mutant(accesses.cpp "an atomic object that becomes known ends the execution"
       [=[if (@) stop_here();]=] [=[c->known]=] [=[true]=])

# --- Executions that resume at a choice -----------------------------------------------------------

mutant(kept_sessions.cpp "what one process cannot model is left out by all"
       [=[if (@) return session_.state().limit();]=] [=[!session_.state().limit().empty()]=]
       [=[false]=])
mutant(kept_sessions.cpp "variables are not those of the choice"
       [=[  @;
  if (s.program]=] [=[session_.add_variables(always_)]=] [=[void()]=])
mutant(kept_sessions.cpp "thread_local variables are not those of the choice"
       [=[if (threads_[t].top != nullptr) @;]=] [=[to.push_back(locals_.all_of(t))]=] [=[void()]=])
mutant(kept_sessions.cpp "threads are not where they were at the choice"
       [=[if (@) threads_[t] = k]=] [=[k.threads[t].is != version_of(t, f)]=] [=[false]=])
mutant(kept_sessions.cpp "a thread that has run is kept where it was before"
       [=[if (@) continue;  // kept]=] [=[to.is == version_of(t, f)]=] [=[to.is.resumed != 0]=])
mutant(kept_sessions.cpp "what does not run is what it was in an earlier execution"
       [=[f.last_resumed(t), @};]=] [=[threads_[t].changed]=] [=[std::uint64_t{1}]=])
mutant(storage.cpp "only its own thread changes what a thread has"
       [=[if (@) owner.changed]=] [=[other]=] [=[false]=])
mutant(kept_sessions.cpp "a later thread is what the last one was"
       [=[t < used; ++t) @;
  variables_]=] [=[reset(threads_[static_cast<unsigned>(t)])]=] [=[void()]=])
mutant(kept_sessions.cpp "cells are not what they were at the choice"
       [=[  @;]=] [=[cells_.put_back(k.of_cells)]=] [=[void()]=])
mutant(cells.hpp "cells are looked for where they were"
       [=[    @;
  }
  const std::vector<cell*>& in_order]=] [=[in_order_.clear()]=] [=[void()]=])
mutant(kept_sessions.cpp "threads are joined before they are"
       [=[  @;]=] [=[table_.put_back(k.table)]=] [=[void()]=])
mutant(kept_sessions.cpp "locks are held by nobody at the choice"
       [=[  @;]=] [=[locks_ = k.locks]=] [=[locks_]=])
mutant(kept_sessions.cpp "what is to be done at exit is done twice"
       [=[  @;]=] [=[exits_.put_back(k.exits, used)]=] [=[void()]=])
mutant(kept_sessions.cpp "what a thread has by a key is there before"
       [=[  @;]=] [=[keys_.put_back(k.keys, used)]=] [=[void()]=])
mutant(kept_sessions.cpp "errors are there before they come"
       [=[  @;]=] [=[library_.put_back(k.library, used)]=] [=[void()]=])
mutant(instructions.cpp "locked instructions are not looked for"
       [=[return @ ||]=] [=[instruction.find("lock ") != std::string_view::npos]=] [=[false]=])
mutant(instructions.cpp "exchanges with memory are not looked for"
       [=[(@ && has_memory]=] [=[instruction.starts_with("xchg ")]=] [=[false]=])
mutant(instructions.cpp "non-temporal accesses are not looked for"
       [=[if (@) return instruction::non_temporal]=] [=[is_non_temporal(text)]=] [=[false]=])
mutant(instructions.cpp "copies by one instruction are not looked for"
       [=[return @ ? instruction::of]=] [=[is_of_many_bytes(text)]=] [=[false]=])
mutant(kept_sessions.cpp "tests are met before they come"
       [=[  @;]=] [=[tests::put_back(k.of_tests)]=] [=[void()]=])
mutant(kept_sessions.cpp "streams are not those of the choice"
       [=[  if (@)]=] [=[s.program().imports_any(names_of_streams)]=] [=[false]=])
mutant(kept_sessions.cpp "arguments are not those of the choice"
       [=[  @;]=] [=[always_.push_back(given.bytes())]=] [=[void()]=])
mutant(per_thread.hpp "a later thread has what the last one had"
       [=[t < used; ++t) @;]=] [=[all_[t] = T()]=] [=[all_[t]]=])
mutant(mostly_empty.hpp "what was empty at the choice is what it is now"
       [=[if (@) Container]=] [=[!this->empty() || !other.empty()]=] [=[!other.empty()]=])
mutant(per_thread.hpp "what no thread had at the choice is what it is now"
       [=[if (!s.any) return @;]=] [=[reset()]=] [=[void()]=])
mutant(per_thread.hpp "nobody has anything at the choice"
       [=[s.any = @;]=] [=[any_]=] [=[false]=])
mutant(per_thread.hpp "what a thread is to do when it ends is not noted"
       [=[    any_ = @;
    return]=] [=[true]=] [=[any_]=])
mutant(kept_sessions.cpp "options are not those of the choice"
       [=[  if (@)]=] [=[s.program().imports_any(names_of_options)]=] [=[false]=])
mutant(session.hpp "what one thread alone has used is left out of another"
       [=[    return @ &&]=] [=[c.owner == engine_->this_thread()]=]
       [=[(c.owner == engine_->this_thread() || true)]=])
mutant(session.hpp "what a thread alone uses never goes on for too long"
       [=[(announces_all_ || @);]=] [=[!here().loop.goes_on()]=] [=[true]=])
mutant(session.hpp "threads with variables of their own are not the program's"
       [=[return p == thread_pointer_ || @;]=] [=[locals_.contains(p)]=] [=[false]=])
mutant(session.hpp "executions go on where cells have been replaced"
       [=[return !cells_.changed() && @ &&]=] [=[other_sizes_.empty()]=] [=[true]=])
mutant(session.hpp "what the library calls is called where the last call was"
       [=[void leave_library() { @; }]=] [=[here().library_called_at.reset()]=] [=[void()]=])
mutant(settings.cpp "freed addresses never come back"
       [=[o.reuse_addresses = @;]=] [=[whose == 1]=] [=[false]=])
mutant(settings.cpp "freed addresses come back to their thread alone"
       [=[o.reuse_across_threads = @;]=] [=[whose == 2]=] [=[false]=])
mutant(storage.cpp "a block begins with what was there"
       [=[    @;]=] [=[declare(c)]=]
       [=[(c.at == verify::no_location ? declare(c) : void())]=])
mutant(atomic_requests.cpp "compared addresses are not noted"
       [=[as_address(expected))) @;]=] [=[s.note_compared_address()]=] [=[void()]=])
mutant(heap.hpp "releases are not noted"
       [=[      @;]=] [=[s->note_release()]=] [=[void()]=])
mutant(thread_table.hpp "threads that nobody has detached end with the program"
       [=[(threads >> t & 1U) != 0 && @) return false;]=] [=[ends_[t].state != thread_end::detached]=]
       [=[false]=])
mutant(kept_sessions.cpp "threads that wait do not end with the program"
       [=[if (@) return false;
  session_.note_left]=] [=[!session_.threads().are_detached(waiting)]=] [=[true]=])
mutant(image.cpp "stacks are for data alone"
       [=[runs_on_stacks_ = @;]=] [=[(p.p_flags & PF_X) != 0]=] [=[false]=])
mutant(session.cpp "static objects never end"
       [=[if (@) return;
  take_up_writes(t);
  const]=] [=[size == 0]=] [=[true]=])
mutant(session.cpp "flags in static objects outlive them" [=[if (@) return;
    note_access(c, true, where);]=] [=[c.at == verify::no_location]=]
       [=[c.atomic || c.at == verify::no_location]=])
mutant(exit_calls.cpp "static objects end when their destructors begin"
       [=[if (const entered s; s) @;
  c.function]=] [=[s->begin_exit_call(c)]=] [=[s->begin_exit_call(c), s->end_exit_call()]=])
mutant(static_objects.cpp "whatever is called at the exit is a destructor"
       [=[found != sizes_.end() && @ ?]=] [=[is_destructor(c.function)]=] [=[true]=])
mutant(places.cpp "what a library does at the exit is in no place of the program"
       [=[return @ ? of_destructor]=] [=[exit.function != nullptr]=] [=[false]=])
mutant(cancellation.cpp "threads may be cancelled in any way"
       [=[if (@) return EINVAL;]=] [=[to != 0 && to != 1]=] [=[false]=])
mutant(cancellation.cpp "the previous cancellation state of a thread is not returned"
       [=[if (@) write_value]=] [=[before != nullptr]=] [=[false]=])
mutant(atomic_requests.cpp "frames of the checker are compared"
       [=[engine_.compare_from(@); }
  ~]=] [=[s.registers()]=] [=[nullptr]=])
mutant(hook_entry.hpp "registers that the program keeps are not compared"
       [=[return {entry[1], entry, entry + 2, @};]=] [=[entry - kept_over_calls - words]=] [=[entry]=])
mutant(hook_entry.hpp "arguments are not compared"
       [=[const int words = @;
#endif]=] [=[arguments]=] [=[0]=])
mutant(session.hpp "accesses to atomic objects are simple"
       [=[if (c == nullptr || @ || c->at]=] [=[c->atomic]=] [=[false]=])
mutant(waits.cpp "what is waited for has eight bytes"
       [=[  std::memcpy(bytes.data(), p, @);]=] [=[size]=] [=[sizeof(verify::value)]=])
mutant(posix_mutexes.cpp "any kind of mutex can be locked with a time-out"
       [=[const kind k = @;
  engine& e = *engine::current();
  if (is_held_here(m)) {
    if (k == kind::checked) return EDEADLK;
    if (try_lock]=] [=[kind_of(s, m, where)]=] [=[kind::normal]=])
mutant(posix_mutexes.cpp "a mutex that checks waits for its own thread until a time-out"
       [=[    if (@) return EDEADLK;
    if (try_lock]=] [=[k == kind::checked]=] [=[false]=])
mutant(program_exploration.cpp "what main() leaves behind stays"
       [=[  @;
  for (unsigned thread = 1]=] [=[session_.end_storage()]=] [=[void()]=])
mutant(program_exploration.cpp "what is called at exit has no variables when main() has left"
       [=[  @;
}]=] [=[session_.begin_storage()]=] [=[void()]=])
mutant(departure.cpp "variables of the thread of main() stay when it calls exit()"
       [=[  @;
  end_program]=] [=[end_thread()]=] [=[void()]=])
mutant(departure.cpp "nothing is called when main() calls exit()"
       [=[  @;
  __builtin_longjmp]=] [=[end_program()]=] [=[void()]=])
mutant(threads.cpp "threads may end with what they have locked"
       [=[  @;
  s->threads().end_here()]=] [=[require_no_locks(*s)]=] [=[void()]=])
mutant(held_locks.hpp "threads may not end with what they have locked of POSIX"
       [=[&& @ && is_meant]=] [=[h.kind == kind_of_lock::standard]=] [=[true]=])
mutant(held_locks.hpp "a thread has the locks of all"
       [=[[&](const held& h) {
      return @ &&]=] [=[h.by == self]=] [=[self == self]=])
mutant(program_exploration.cpp "main() may leave with what it has locked"
       [=[  session_.take_up_writes();
  @;]=] [=[require_no_locks(session_)]=] [=[void()]=])
mutant(exit_calls.cpp "static mutexes may be locked when the program ends"
       [=[if (const entered s; s) @;
}]=] [=[require_no_static_locks(*s)]=] [=[void()]=])
mutant(exit_calls.cpp "whatever is locked is static"
       [=[return @; };]=] [=[s.program().has_variable(p)]=] [=[p != nullptr]=])
mutant(posix_mutexes.cpp "a thread may try what it holds"
       [=[k == kind::normal && @)]=] [=[whose == kind_of_lock::standard]=] [=[false]=])
mutant(posix_mutexes.cpp "a thread may not try what is recursive" [=[if (@ &&]=]
       [=[k == kind::normal]=] [=[true]=])
mutant(posix_conditions.cpp "what is waited with is of POSIX"
       [=[const kind_of_lock whose = @;]=]
       [=[s.locks().kind_held_here(m).value_or(kind_of_lock::posix)]=] [=[kind_of_lock::posix]=])
mutant(shared_locks.cpp "a thread may read twice"
       [=[if (@ && s.locks()]=] [=[whose == kind_of_lock::standard]=] [=[false]=])
mutant(c_threads.cpp "any mutex of C supports time-outs"
       [=[if (@)
    fencepost::verify::engine]=] [=[supports_timeouts(m) == 0]=] [=[false]=])
mutant(instructions.cpp "fences of assembly code are not looked for"
       [=[if (@) return instruction::fence]=] [=[is_fence(text)]=] [=[false]=])
mutant(instructions.cpp "what asks the machine is not looked for"
       [=[if (@) return instruction::of_the_machine]=] [=[asks_the_machine(text)]=] [=[false]=])
mutant(shared_locks.cpp "what is held to read is unlocked in any mode"
       [=[if (@)
    e.fail(violation::misuse, "unlock() of a std::shared_mutex]=]
       [=[what == held_to::write && seen != with_writer]=] [=[false]=])
mutant(shared_locks.cpp "what is held to write is unlocked in any mode"
       [=[if (@)
    e.fail(violation::misuse,
           "unlock_shared()]=]
       [=[what == held_to::read && seen == with_writer]=] [=[false]=])
mutant(shared_locks.cpp "POSIX knows modes of unlocking"
       [=[  unlock_shared_lock(*s, l, @, where);]=] [=[held_to::either]=] [=[held_to::write]=])
mutant(waits.cpp "a notification is no use of its object"
       [=[  @;
}]=] [=[engine::current()->use(at, false, where)]=] [=[void()]=])
