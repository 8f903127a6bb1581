# Faults to plant in the headers that are found before those of the standard library, as in
# mutants.cmake. header_mutants_test.cpp says which program notices each.

mutant(stop_token "observing a request by a token is not an acquire"
       [=[_M_is_requested() const noexcept { return @; }]=]
       [=[__atomic_load_n(&_M_requested, __ATOMIC_ACQUIRE)]=]
       [=[__atomic_load_n(&_M_requested, __ATOMIC_RELAXED)]=])
mutant(stop_token "requesting a stop is not a release"
       [=[    @;
    while (__call*]=] [=[__atomic_store_n(&_M_requested, true, __ATOMIC_RELEASE)]=]
       [=[__atomic_store_n(&_M_requested, true, __ATOMIC_RELAXED)]=])
mutant(stop_token "a thread that is done with a stop state does not release it"
       [=[if (@ == 1) delete this;]=] [=[__atomic_fetch_sub(&_M_owners, 1, __ATOMIC_ACQ_REL)]=]
       [=[__atomic_fetch_sub(&_M_owners, 1, __ATOMIC_ACQUIRE)]=])
mutant(stop_token "the end of a callback is not a release"
       [=[    @;
  }

  unsigned _M_owners]=] [=[__atomic_store_n(&__c->_M_is_over, 1, __ATOMIC_RELEASE)]=]
       [=[__atomic_store_n(&__c->_M_is_over, 1, __ATOMIC_RELAXED)]=])
mutant(stop_token "a call that is destroyed in itself waits for its end"
       [=[const bool __is_own = @;]=] [=[_M_requester == this_thread::get_id()]=] [=[false]=])
mutant(stop_token "a call that has destroyed itself is still there"
       [=[if (@) return;
    __c->_M_is_gone]=] [=[__is_gone]=] [=[false]=])
mutant(stop_token "what is called late is not called"
       [=[      @;
      return false;
    }
    const bool __is_possible]=] [=[__c->_M_function(__c)]=] [=[void()]=])
mutant(stop_token "the end of a callback's lifetime does not wait for its call"
       [=[    @;
  }

 private:
  __call* _M_take_first]=] [=[::__fencepost_await(&__c->_M_is_over, sizeof __over, &__over)]=]
       [=[void()]=])
mutant(semaphore "a semaphore has no maximum"
       [=[    if (@)
      ::__fencepost_misuse("a semaphore is released]=] [=[__update > max() - __before]=] [=[false]=])
mutant(semaphore "a semaphore may begin beyond its maximum"
       [=[    if (@)
      ::__fencepost_misuse("a semaphore begins]=] [=[__desired < 0 || __desired > max()]=]
       [=[false]=])
mutant(semaphore "releasing a semaphore is not a release"
       [=[static_cast<__count>(__update), @);]=] [=[__ATOMIC_RELEASE]=] [=[__ATOMIC_RELAXED]=])
mutant(semaphore "a semaphore that is released wakes nobody"
       [=[if (@) ::__fencepost_notify]=] [=[__before == 0]=] [=[false]=])
mutant(semaphore "acquiring a semaphore is not an acquire"
       [=[__before - 1, false,
                                                        @, __ATOMIC_RELAXED)]=]
       [=[__ATOMIC_ACQUIRE]=] [=[__ATOMIC_RELAXED]=])
mutant(latch "a latch may begin with less than zero"
       [=[if (__expected < 0) @;]=] [=[::__fencepost_misuse("a latch begins with less than 0")]=]
       [=[void()]=])
mutant(latch "a latch counts down to less than zero"
       [=[    if (__update < 0 || @)]=] [=[__update > __before]=] [=[false]=])
mutant(latch "a latch counts down by less than zero"
       [=[    if (@ ||]=] [=[__update < 0]=] [=[false]=])
