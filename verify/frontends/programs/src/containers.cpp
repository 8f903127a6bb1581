// Functions of the C++ library that access the nodes of the program's maps, sets, lists and hash
// tables. Each function here announces these accesses, and calls the library's.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "c_library.hpp"
#include "session.hpp"

using fencepost::source_location;
using fencepost::programs::call_site;
using fencepost::programs::entered;
using fencepost::programs::kept_words;
using fencepost::programs::session;

namespace {

// Laid out as in libstdc++. The root's parent is the header, and the header's parent is the root.
struct tree_node {
  int colour;
  tree_node *parent, *left, *right;
};

struct list_node {
  list_node *next, *previous;
};

struct rehash_policy {
  float max_load_factor;
  std::size_t next_resize;
};

template <class T>
void read(session& s, const T* p, const source_location& where) {
  if (p != nullptr) s.read(p, sizeof *p, where);
}

// The nodes that a function of the library changes. They are read before the call, and written
// after it, when memory has their new values.
class changed {
 public:
  changed(const void* object, const call_site& c) {
    const entered s(object);
    if (!s) return;
    where_ = s->place(c);
    nodes_.emplace(s->kept_by_thread());
  }
  ~changed() {
    if (!nodes_) return;
    const entered s;
    for (std::size_t i = 0; i < nodes_->size(); ++i)
      s->write(reinterpret_cast<void*>((*nodes_)[i]), size_, where_);
    nodes_.reset();
  }
  changed(const changed&) = delete;
  changed& operator=(const changed&) = delete;

  void tell(std::initializer_list<tree_node*> nodes) { tell_each(nodes); }
  void tell(std::initializer_list<list_node*> nodes) { tell_each(nodes); }
  // Whatever changes in a tree is among the nodes on the path to the root, their children, and the
  // children of these. A change races with any access to one of them.
  void tell_way_up(tree_node* n, tree_node* header) {
    if (!nodes_) return;
    for (; n != header; n = n->parent) {
      tell({n});
      for (tree_node* const child : {n->left, n->right})
        if (child != nullptr) tell({child, child->left, child->right});
    }
    tell({header});
  }

 private:
  void tell_each(const auto& nodes) {
    if (!nodes_) return;
    const entered s;
    for (auto* const node : nodes) {
      if (node == nullptr) continue;
      size_ = sizeof *node;
      s->read(node, size_, where_);
      nodes_->add(reinterpret_cast<std::uintptr_t>(node));
    }
  }

  source_location where_;
  std::optional<kept_words> nodes_;  // empty if nothing is to be announced
  std::size_t size_ = 0;             // of each node
};

// Reads the nodes on the path to the next one in order, or to the previous one.
template <auto Near, auto Far>
void read_way(session& s, const tree_node* n, const source_location& where) {
  read(s, n, where);
  if (n->*Near != nullptr) {
    for (n = n->*Near; n != nullptr; n = n->*Far) read(s, n, where);
    return;
  }
  const tree_node* up = n->parent;
  for (read(s, up, where); n == up->*Near; read(s, up, where)) {
    n = up;
    up = up->parent;
  }
}

// True for the header, which is the end: unlike any root, it is red, which is 0. The library goes
// from there to the last node directly.
bool is_header(const tree_node* n) {
  return n->colour == 0 && n->parent != nullptr && n->parent->parent == n;
}

// Reads the nodes that an increment or a decrement of this node reads.
template <auto Near, auto Far>
[[gnu::always_inline]] inline void step(const tree_node* n) {
  const entered s(n);
  if (!s) return;
  const source_location where = s->place(FENCEPOST_CALL_SITE);
  if (Near == &tree_node::left && is_header(n))
    read(*s, n, where);
  else
    read_way<Near, Far>(*s, n, where);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

tree_node* _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(tree_node* n) noexcept {
  step<&tree_node::right, &tree_node::left>(n);
  return FENCEPOST_BEHIND(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base)(n);
}

const tree_node* _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(const tree_node* n) noexcept {
  step<&tree_node::right, &tree_node::left>(n);
  return FENCEPOST_BEHIND(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base)(n);
}

tree_node* _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(tree_node* n) noexcept {
  step<&tree_node::left, &tree_node::right>(n);
  return FENCEPOST_BEHIND(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base)(n);
}

const tree_node* _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(const tree_node* n) noexcept {
  step<&tree_node::left, &tree_node::right>(n);
  return FENCEPOST_BEHIND(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base)(n);
}

void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, tree_node* n,
                                                                       tree_node* parent,
                                                                       tree_node* header) noexcept {
  changed all(n, FENCEPOST_CALL_SITE);
  all.tell({n});
  all.tell_way_up(parent, header);
  FENCEPOST_BEHIND(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_)
  (left, n, parent, header);
}

tree_node* _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(
    tree_node* n, tree_node* header) noexcept {
  changed all(n, FENCEPOST_CALL_SITE);
  // A node with two children is replaced by the next one in order.
  tree_node* lowest = n;
  if (n->left != nullptr && n->right != nullptr)
    for (lowest = n->right; lowest->left != nullptr;) lowest = lowest->left;
  all.tell_way_up(lowest, header);
  return FENCEPOST_BEHIND(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_)(n, header);
}

void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(list_node* n, list_node* before) noexcept {
  changed all(n, FENCEPOST_CALL_SITE);
  all.tell({n, before, before->previous});
  FENCEPOST_BEHIND(_ZNSt8__detail15_List_node_base7_M_hookEPS0_)(n, before);
}

void _ZNSt8__detail15_List_node_base9_M_unhookEv(list_node* n) noexcept {
  changed all(n, FENCEPOST_CALL_SITE);
  all.tell({n, n->next, n->previous});
  FENCEPOST_BEHIND(_ZNSt8__detail15_List_node_base9_M_unhookEv)(n);
}

void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(list_node* n, list_node* first,
                                                          list_node* last) noexcept {
  changed all(n, FENCEPOST_CALL_SITE);
  if (n != last) all.tell({n, n->previous, first, first->previous, last, last->previous});
  FENCEPOST_BEHIND(_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_)(n, first, last);
}

void _ZNSt8__detail15_List_node_base10_M_reverseEv(list_node* n) noexcept {
  changed all(n, FENCEPOST_CALL_SITE);
  all.tell({n});
  for (list_node* i = n->next; i != n; i = i->next) all.tell({i});
  FENCEPOST_BEHIND(_ZNSt8__detail15_List_node_base10_M_reverseEv)(n);
}

void _ZNSt8__detail15_List_node_base4swapERS0_S1_(list_node& a, list_node& b) noexcept {
  changed all(&a, FENCEPOST_CALL_SITE);
  for (list_node* const n : {&a, &b}) all.tell({n, n->next, n->previous});
  FENCEPOST_BEHIND(_ZNSt8__detail15_List_node_base4swapERS0_S1_)(a, b);
}

std::size_t _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(const rehash_policy* p,
                                                                 std::size_t n) noexcept {
  if (const entered s(p); s)
    s->write(&p->next_resize, sizeof p->next_resize, s->place(FENCEPOST_CALL_SITE));
  return FENCEPOST_BEHIND(_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm)(p, n);
}

// Returned as two words, like the library's pair of bool and size_t.
struct fencepost_need {
  std::size_t wanted, buckets;
};
fencepost_need _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(
    const rehash_policy* p, std::size_t buckets, std::size_t elements, std::size_t more) noexcept {
  if (const entered s(p); s)
    s->write(&p->next_resize, sizeof p->next_resize, s->place(FENCEPOST_CALL_SITE));
  return FENCEPOST_BEHIND(_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm)(
      p, buckets, elements, more);
}

std::size_t _ZSt11_Hash_bytesPKvmm(const void* bytes, std::size_t size, std::size_t seed) noexcept {
  if (const entered s(bytes); s) s->read(bytes, size, s->place(FENCEPOST_CALL_SITE));
  return FENCEPOST_BEHIND(_ZSt11_Hash_bytesPKvmm)(bytes, size, seed);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
