// The consumer's list of a slab_queue's slabs: which items come next, and which slabs are used up.
//
//   oldest_    newer              newest_ (the last that the consumer knows)
//   +------+ -------> +------+ -------> +------+ <--------- +------+ <--------- the queue's tail
//   | slab |          | slab |          | slab |    older   | slab |
//   +------+          +------+          +------+            +------+
//
// Producers append behind the tail, and link each new slab to the one before. link() reverses the
// new links, each once, so that no item needs a walk from the tail.
//
// Threads: one thread at a time, the consumer of the queue.
// Claims: see slab_queue.hpp. Progress: wait-free. Costs: first_items() loads each word that has
// slots not yet taken, up to the first that has items, and loads those before that one again, until
// none of them has items.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fencepost {

template <class Slab>
class slab_list {
 public:
  // Published items of a word.
  struct batch {
    Slab* in = nullptr;  // null: none
    std::uint32_t word = 0;
    std::uint64_t bits = 0;
  };

  explicit slab_list(Slab* first) noexcept : oldest_(first), newest_(first) {}

  // Returns the first word that has items, with all of them.
  [[nodiscard]] batch first_items() const noexcept {
    batch found;
    // Between the loads of an earlier word and of the one that has items, a producer may have
    // published in the earlier word and then in the later one. Having observed its second item, the
    // consumer also observes its first: scan again, as long as that finds something.
    for (batch next = scan({}); next.in != nullptr; next = scan(next)) found = next;
    return found;
  }
  // Removes these items from the list.
  void claim(const batch& items) noexcept;

  // Adds all slabs up to `last`, the queue's last one, to the list. False if `last` belonged to it
  // before.
  bool link(Slab* last) noexcept;

  // Records that the last item of one of the slabs was taken.
  void count_emptied() noexcept { ++emptied_; }
  [[nodiscard]] bool any_emptied() const noexcept { return emptied_ != 0; }
  // Unlinks the emptied slabs for which `retire(slab)` returns true; never the newest one. A slab
  // that `retire` refuses stays, for a later call.
  template <class Retire>
  void remove_emptied(Retire&& retire) noexcept;

  // At the end: calls `release(slab)` for each.
  template <class Release>
  void clear(Release&& release) noexcept;

 private:
  batch scan(const batch& before) const noexcept;

  Slab* oldest_;
  Slab* newest_;
  std::size_t emptied_ = 0;
};

// Returns the first word that has items, up to `before` (excluded), or in the whole list.
template <class Slab>
inline auto slab_list<Slab>::scan(const batch& before) const noexcept -> batch {
  for (Slab* in = oldest_; in != nullptr;) {
    const auto& side = in->consumer.read();
    const std::uint32_t end = in == before.in ? before.word : Slab::words;
    for (std::uint32_t word = side.first; word < end; ++word) {
      if (side.taken[word] == Slab::full_word) continue;
      const std::uint64_t bits = in->published(word) & ~side.taken[word];
      if (bits != 0) return {in, word, bits};
    }
    in = in == before.in ? nullptr : side.newer;
  }
  return {};
}

template <class Slab>
void slab_list<Slab>::claim(const batch& items) noexcept {
  auto& side = items.in->consumer.write();
  side.taken[items.word] |= items.bits;
  while (side.first != Slab::words && side.taken[side.first] == Slab::full_word) ++side.first;
}

template <class Slab>
bool slab_list<Slab>::link(Slab* last) noexcept {
  if (last == newest_) return false;
  Slab* newer = nullptr;
  for (Slab* in = last; in != newest_; in = in->older.get()) {
    in->consumer.write().newer = newer;
    newer = in;
  }
  newest_->consumer.write().newer = newer;
  newest_ = last;
  return true;
}

template <class Slab>
template <class Retire>
void slab_list<Slab>::remove_emptied(Retire&& retire) noexcept {
  Slab** link = &oldest_;
  for (std::size_t rest = emptied_; rest != 0 && *link != newest_;) {
    auto& side = (*link)->consumer.write();
    Slab* const newer = side.newer;
    if (side.left == 0) --rest;
    if (side.left == 0 && retire(*link)) {
      *link = newer;
      --emptied_;
    } else {
      link = &side.newer;
    }
  }
}

template <class Slab>
template <class Release>
void slab_list<Slab>::clear(Release&& release) noexcept {
  while (oldest_ != nullptr) {
    Slab* const in = oldest_;
    oldest_ = in->consumer.read().newer;
    release(in);
  }
}

}  // namespace fencepost
