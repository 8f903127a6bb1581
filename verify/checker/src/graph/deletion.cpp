// What a revisit deletes from the graph, and how that is restored.
#include <cstddef>

#include "graph/graph.hpp"

namespace fencepost::verify {

void graph::deletion::save_location(const graph& g, location l) {
  for (std::size_t i = 0; i < locations_used_; ++i)
    if (locations_[i].at == l) return;
  if (locations_used_ == locations_.size()) locations_.emplace_back();
  saved_location& saved = locations_[locations_used_++];
  saved.at = l;
  saved.mo = g.history(l).mo;
  saved.readers = g.history(l).readers;
  saved.initial = g.history(l).initial;
}

void graph::deletion::save_event(const graph& g, event_id id) {
  const event& e = g.at(id);
  events_.push_back({id, e, g.view(id), g.where(id)});
  for (unsigned k = 0; k < e.fields(); ++k) save_location(g, e.loc[k]);
}

void graph::delete_after_revisit(std::size_t target, event_id writer, deletion& d) {
  const event_id reader = trail_[target].id;
  save_unneeded(target + 1, writer, d);
  d.save_event(*this, reader);
  d.save_event(*this, writer);
  unlink_write(reader);
  delete_unneeded(writer, d);
}

void graph::delete_with_reader(std::size_t target, event_id writer, deletion& d) {
  save_unneeded(target, writer, d);
  d.save_event(*this, writer);
  delete_unneeded(writer, d);
}

void graph::save_unneeded(std::size_t from, event_id writer, deletion& d) const {
  const clock& prefix = view(writer).porf;
  d.kept_trail_ = from;
  d.trail_.assign(trail_.begin() + static_cast<std::ptrdiff_t>(from), trail_.end());
  d.events_.clear();
  d.locations_used_ = 0;
  d.spent_ = spent_;
  for (const entry& x : d.trail_)
    if (x.part == 0 && !prefix.covers(x.id)) d.save_event(*this, x.id);
  d.changed_ = d.events_.size();
}

void graph::delete_unneeded(event_id writer, deletion& d) {
  const clock prefix = view(writer).porf;
  trail_.resize(d.kept_trail_);
  for (std::size_t i = d.trail_.size(); i-- > 0;) {
    const entry& x = d.trail_[i];
    if (prefix.covers(x.id)) continue;
    unlink_write(x.id);
    if (x.part == 2) continue;
    unlink_read(x.id, x.part);
    if (x.part == 0) remove_last(thread_of(x.id));
  }
  for (const entry& x : d.trail_)
    if (prefix.covers(x.id)) trail_.push_back(x);
  d.base_trail_ = trail_.size();
}

void graph::restore(deletion& d) {
  cut(d.base_trail_);
  trail_.resize(d.kept_trail_);
  for (std::size_t i = 0; i < d.events_.size(); ++i) {
    const deletion::saved_event& s = d.events_[i];
    if (i < d.changed_) {
      add_last(thread_of(s.id), s.data, s.where);
      logs_[thread_of(s.id)].view.push_back(s.view);
    } else {
      change(s.id) = s.data;
      change_view(s.id) = s.view;
    }
  }
  trail_.insert(trail_.end(), d.trail_.begin(), d.trail_.end());
  for (std::size_t i = 0; i < d.locations_used_; ++i) {
    location_history& h = histories_[d.locations_[i].at];
    h.mo.swap(d.locations_[i].mo);
    h.readers.swap(d.locations_[i].readers);
    h.initial = d.locations_[i].initial;
    renumber(d.locations_[i].at);
  }
  spent_ = d.spent_;
}

}  // namespace fencepost::verify
