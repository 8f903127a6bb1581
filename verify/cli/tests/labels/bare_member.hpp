// For the tests of `fencepost labels`: a member that is not made of its class's policy.
#pragma once

template <class T, class P>
class mailbox {
 private:
  typename P::template plain<T> letter_;
  // unwatched: the owner's.
  int read_ = 0;

  T* next_ = nullptr;
};
