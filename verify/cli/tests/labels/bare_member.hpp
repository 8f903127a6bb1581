// A member of a class that takes the policy, which the policy does not see.
#pragma once

template <class T, class P>
class mailbox {
 private:
  typename P::template plain<T> letter_;
  // unwatched: the owner's.
  int read_ = 0;

  T* next_ = nullptr;
};
