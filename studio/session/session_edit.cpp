// Edits: each is a take of its own, so that nothing recorded is ever lost and undoing is going back
// to another take.
#include <algorithm>

#include "tenon/scene/formats/json_text.h"
#include "tenon/studio/session/session.h"

namespace tenon::studio {

namespace {

// Whether no step depends on what an edit changes.
bool concerns_view(const Json& operations) {
  if (operations.items.empty()) return false;
  return std::all_of(operations.items.begin(), operations.items.end(), [](const Json& operation) {
    const Json* path = operation.find("path");
    return path != nullptr && path->is_array() && !path->items.empty() &&
           path->items.front().is_string() && view_sections().contains(path->items.front().string);
  });
}

bool is_set(const Json& operation) {
  const Json *op = operation.find("op"), *path = operation.find("path");
  return op != nullptr && op->is_string() && op->string == "set" && path != nullptr &&
         path->is_array();
}
bool same_step(const Json& a, const Json& b) {
  if (a.is_string() && b.is_string()) return a.string == b.string;
  return a.is_number() && b.is_number() && a.number == b.number;
}

// Appends an operation to those of an edit that it is one with. A value that it sets again need not
// be set before, unless something in between may depend on it.
void append_merged(Json& all, const Json& operation) {
  for (size_t i = all.items.size(); is_set(operation) && i-- > 0;) {
    if (!is_set(all.items[i])) break;
    const std::vector<Json>&now = operation.find("path")->items,
          &old = all.items[i].find("path")->items;
    const size_t shorter = std::min(now.size(), old.size());
    if (!std::equal(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(shorter), old.begin(),
                    same_step))
      continue;
    if (now.size() == old.size())
      all.items.erase(all.items.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  all.push(operation);
}

}  // namespace

// Cameras, shots and lights are those of the whole run, whenever they are changed.
Result<Json> Session::edit_view(const Json& operations, const std::string& label,
                                const std::string& key) {
  const int base = timeline_.owner(active_, 0);
  if (Status s = timeline_.ensure_scene(base); !s && !timeline_.take(base).tree) return s.error();
  const Timeline::Said before = timeline_.said_of(base);
  Result<Timeline::Said> after = timeline_.with_operations(base, operations);
  if (!after) return after.error();
  if (Status s = timeline_.say(base, *after, &edit_errors_); !s) return s.error();
  const bool merges = !key.empty() && history_at_ > 0 && history_at_ == history_.size() &&
                      history_.back().merge == key && history_.back().seen &&
                      history_.back().seen->take == base;
  if (merges) {
    history_.back().seen->after = *after;
  } else {
    const uint64_t step = shown_step();
    remember({active_, active_, step, step, label, key, HistoryEntry::Seen{base, before, *after}});
  }
  told_scene_ = -1;
  changed();
  Json answer = Json::object();
  answer.set("take", active_).set("step", static_cast<double>(shown_step())).set("cut", false);
  answer.set("edits", static_cast<double>(history_at_));
  return answer.set("warnings", Json::array()).set("errors", Json::array());
}

void Session::remember(HistoryEntry entry) {
  history_.resize(history_at_);
  history_.push_back(std::move(entry));
  ++history_at_;
}

Result<Json> Session::do_edit(const Json& message) {
  const Json* operations = message.find("ops");
  if (operations == nullptr || !operations->is_array()) {
    return Error{.message = "an edit needs a list of operations",
                 .file = "ops",
                 .accepted =
                     "a list such as [{\"op\": \"set\", \"path\": [...], \"value\": ...}]; "
                     "an empty one for another take"};
  }
  const Json *label = message.find("label"), *merge = message.find("merge");
  const std::string name = label != nullptr ? label->string : "Edit";
  const std::string key = merge != nullptr ? merge->string : "";
  if (concerns_view(*operations)) return edit_view(*operations, name, key);
  uint64_t step = shown_step();
  int parent = active_;
  Json all = *operations;
  // a nudge after a nudge is one edit
  const bool merges = !key.empty() && history_at_ > 0 && history_[history_at_ - 1].merge == key &&
                      history_[history_at_ - 1].to_take == active_ && end_of(active_) == step &&
                      timeline_.take(active_).at == step && history_at_ == history_.size();
  if (merges) {
    parent = timeline_.take(active_).parent;
    all = timeline_.take(active_).operations;
    for (const Json& one : operations->items) append_merged(all, one);
  }
  Result<int> take = timeline_.branch(parent, step, all, name, &edit_errors_);
  if (!take) return take.error();
  const int before = active_;
  if (merges) {
    history_[history_at_ - 1].to_take = *take;
  } else {
    remember({active_, *take, step, step, name, key});
  }
  go(*take, static_cast<double>(step));
  if (merges) replace_take(before, *take);
  Json answer = Json::object();
  answer.set("take", *take).set("step", static_cast<double>(step)).set("cut", step > 0);
  answer.set("merged", merges);
  answer.set("edits", static_cast<double>(history_at_));
  answer.set("warnings", to_json(timeline_.take(*take).warnings));
  answer.set("errors", to_json(timeline_.take(*take).errors));
  return answer;
}

void Session::replace_take(int old, int fresh) {
  if (!timeline_.discard(old, active_)) return;
  const auto move = [&](std::vector<SyncPoint>& syncs) {
    for (SyncPoint& s : syncs)
      if (s.take == old) s.take = fresh;
  };
  move(syncs_);
  for (HistoryEntry& entry : history_) {
    if (entry.from_take == old) entry.from_take = fresh;
    if (entry.to_take == old) entry.to_take = fresh;
    if (entry.seen && entry.seen->take == old) entry.seen.reset();
    if (!entry.syncs) continue;
    move(entry.syncs->before);
    move(entry.syncs->after);
  }
  if (ghost_ == old) ghost_ = -1;
}

Result<Json> Session::do_undo(const Json& message) {
  if (history_at_ == 0) return Error{.message = "there is nothing to undo"};
  // a button of a note is about one edit, not about whatever came after it
  if (message.find("edits") != nullptr) {
    const Result<double> edits = read_number(message, "edits", 0, 1e9);
    if (!edits) return edits.error();
    if (*edits != static_cast<double>(history_at_))
      return Error{.message = "something else has been changed since",
                   .file = "edits",
                   .value = scene::format_short(Json(*edits)),
                   .accepted = std::to_string(history_at_) + ", the edits there are"};
  }
  const HistoryEntry& entry = history_[--history_at_];
  pause();
  if (entry.seen) {
    (void)timeline_.say(entry.seen->take, entry.seen->before);
    told_scene_ = -1;
  }
  if (entry.syncs) syncs_ = entry.syncs->before;
  head_for({entry.from_take, static_cast<double>(entry.from_step)});
  return Json::object().set("label", entry.label).set("step", static_cast<double>(entry.from_step));
}

Result<Json> Session::do_redo(const Json&) {
  if (history_at_ == history_.size()) return Error{.message = "there is nothing to redo"};
  const HistoryEntry& entry = history_[history_at_++];
  pause();
  if (entry.seen) {
    (void)timeline_.say(entry.seen->take, entry.seen->after);
    told_scene_ = -1;
  }
  if (entry.syncs) syncs_ = entry.syncs->after;
  head_for({entry.to_take, static_cast<double>(entry.to_step)});
  return Json::object().set("label", entry.label).set("step", static_cast<double>(entry.to_step));
}

}  // namespace tenon::studio
