// What a session says: replies, what changed, frames.
#include <algorithm>
#include <cmath>

#include "tenon/scene/formats/json_text.h"
#include "tenon/studio/session/session.h"

namespace tenon::studio {
namespace {

// A change in words a list can show: what was set to what, added, taken away.
Json tell_operations(const Json& operations) {
  constexpr size_t kMost = 12;
  Json told = Json::array();
  for (const Json& one : operations.items) {
    if (told.items.size() == kMost) break;
    const Json *op = one.find("op"), *path = one.find("path"), *value = one.find("value");
    if (op == nullptr || path == nullptr || !path->is_array()) continue;
    std::string where;
    for (size_t i = path->items.size() > 1 ? 1 : 0; i < path->items.size(); ++i) {
      const Json& step = path->items[i];
      where += (where.empty() ? "" : " · ") +
               (step.is_string() ? step.string : scene::format_short(step));
    }
    const Json* name = value != nullptr && value->is_object() ? value->find("name") : nullptr;
    if (op->string == "add" && name != nullptr) where = name->string;
    const bool set = op->string == "set" && value != nullptr && !value->is_null();
    const std::string sign = op->string == "add" ? "+ " : set || op->string == "rename" ? "" : "− ";
    told.push(sign + where + (set ? " = " + scene::format_short(*value) : ""));
  }
  return told;
}

}  // namespace

Result<double> read_number(const Json& message, const char* key, double least, double most) {
  const Json* value = message.find(key);
  if (value != nullptr && value->is_number() && value->number >= least && value->number <= most)
    return value->number;
  return Error{.message = std::string(key) + " is missing or not a number in its range",
               .file = key,
               .value = value != nullptr ? scene::format_short(*value) : "nothing",
               .accepted = "a number from " + scene::format_short(Json(least)) + " to " +
                           scene::format_short(Json(most))};
}

Result<std::string> read_text(const Json& message, const char* key) {
  const Json* value = message.find(key);
  if (value != nullptr && value->is_string()) return value->string;
  return Error{.message = std::string(key) + " is missing or no text",
               .file = key,
               .value = value != nullptr ? scene::format_short(*value) : "nothing",
               .accepted = "a text"};
}

Result<Vec3> read_point(const Json& message, const char* key) {
  const Json* value = message.find(key);
  if (value != nullptr && value->is_array() && value->items.size() == 3) {
    const std::vector<Json>& c = value->items;
    const bool numbers = std::all_of(c.begin(), c.end(), [](const Json& x) {
      return x.is_number() && std::fabs(x.number) <= 1e9;
    });
    if (numbers) return Vec3{c[0].number, c[1].number, c[2].number};
  }
  return Error{.message = std::string(key) + " is missing or no point",
               .file = key,
               .value = value != nullptr ? scene::format_short(*value) : "nothing",
               .accepted = "[x, y, z] in metres, up to 1e9"};
}

Json to_json(const Error& error) {
  Json out = Json::object();
  out.set("message", error.message);
  if (!error.file.empty()) out.set("place", error.file);
  if (error.line > 0) out.set("line", error.line).set("column", error.column);
  if (!error.value.empty()) out.set("value", error.value);
  if (!error.accepted.empty()) out.set("accepted", error.accepted);
  return out;
}

Json to_json(const std::vector<Error>& errors) {
  Json list = Json::array();
  for (const Error& error : errors) list.push(to_json(error));
  return list;
}

void Session::push(Json message) { outgoing_.push_back({false, scene::format_compact(message)}); }

void Session::reply(const Json* id, Json body) {
  Json message = Json::object();
  message.set("id", id != nullptr ? *id : Json()).set("ok", true);
  for (scene::JsonMember& member : body.members)
    message.set(std::move(member.key), std::move(member.value));
  push(std::move(message));
}

void Session::refuse(const Json* id, const Error& error, const std::vector<Error>& all) {
  Json message = Json::object();
  message.set("id", id != nullptr ? *id : Json()).set("ok", false).set("error", to_json(error));
  if (all.size() > 1) message.set("errors", to_json(all));
  push(std::move(message));
}

void Session::changed() { stale_state_ = stale_takes_ = true; }

void Session::push_scene() {
  const int shown = timeline_.owner(active_, shown_step());
  if (told_scene_ == shown) return;
  told_scene_ = shown;
  const bool runs = timeline_.ensure_scene(shown).ok();
  const Take& take = timeline_.take(shown);
  Json message = describe_scene(take, runs ? timeline_.world_of(shown) : nullptr,
                                timeline_.reader(), told_meshes_);
  message.set("event", "scene").set("name", timeline_.scene_name());
  push(std::move(message));
}

void Session::push_state() {
  static const char* const modes[] = {"paused", "playing", "until"};
  Json s = Json::object();
  s.set("event", "state").set("mode", modes[static_cast<int>(mode_)]);
  const int owner = timeline_.owner(active_, shown_step());
  s.set("take", active_).set("scene", static_cast<double>(timeline_.take(owner).number));
  s.set("step", static_cast<double>(shown_step())).set("end", static_cast<double>(end_of(active_)));
  s.set("wanted", static_cast<double>(timeline_.take(active_).wanted));
  s.set("step_length", step_length()).set("speed", speed_).set("stopped_by", stopped_by_);
  s.set("limit", static_cast<double>(limit_));
  if (history_at_ > 0) s.set("undo", history_[history_at_ - 1].label);
  if (history_at_ < history_.size()) s.set("redo", history_[history_at_].label);
  s.set("edits", static_cast<double>(history_at_)).set("file", file_);
  s.set("grabbing", grabbing_).set("bytes", static_cast<double>(timeline_.bytes()));
  s.set("budget", static_cast<double>(options_.timeline.memory_bytes));
  push(std::move(s));
}

void Session::push_takes() {
  std::set<int> chain;
  for (int id = active_; id >= 0; id = timeline_.take(id).parent) chain.insert(id);
  Json list = Json::array();
  for (const int id : timeline_.ids()) {
    const Take& take = timeline_.take(id);
    // takes without a moment of their own are only steps on the way to others
    bool prefix = std::max(take.end, take.wanted) == take.at;
    for (const int other : timeline_.ids()) {
      const Take& child = timeline_.take(other);
      prefix = prefix || (child.parent == id && child.at >= take.end);
    }
    if (prefix && !chain.contains(id)) continue;
    Json one = Json::object();
    one.set("id", id).set("parent", take.parent).set("label", take.label);
    one.set("at", static_cast<double>(take.at)).set("end", static_cast<double>(take.end));
    one.set("wanted", static_cast<double>(take.wanted));
    one.set("begins", timeline_.time_at(id, take.at)).set("ends", timeline_.time_at(id, take.end));
    one.set("step_length", timeline_.step_length(id));
    one.set("chain", chain.contains(id)).set("own", !prefix);
    one.set("changes", static_cast<double>(take.operations.items.size()));
    if (chain.contains(id)) one.set("what", tell_operations(take.operations));
    one.set("pull", take.inputs.empty() ? "" : take.inputs.front().body);
    list.push(std::move(one));
  }
  Json syncs = Json::array();
  for (const SyncPoint& s : syncs_) {
    syncs.push(Json::object()
                   .set("id", s.id)
                   .set("take", s.take)
                   .set("name", s.name)
                   .set("step", static_cast<double>(s.step))
                   .set("time", timeline_.time_at(s.take, s.step))
                   .set("here", chain.contains(s.take)));
  }
  push(Json::object()
           .set("event", "takes")
           .set("takes", std::move(list))
           .set("syncs", std::move(syncs)));
}

// Events of the chain of the active take; only those not told yet while it goes on.
void Session::push_events() {
  const bool anew = told_events_take_ != active_;
  Json list = Json::array();
  const auto add = [&](const TakeEvent& e) {
    Json one = Json::object();
    one.set("step", static_cast<double>(e.step)).set("time", e.time).set("kind", name(e.kind));
    one.set("a", e.a).set("b", e.b).set("value", e.value).set("impulse", e.impulse);
    list.push(std::move(one));
  };
  if (anew) {
    std::vector<int> chain;
    for (int id = active_; id >= 0; id = timeline_.take(id).parent) chain.push_back(id);
    uint64_t until = end_of(active_);
    std::vector<const TakeEvent*> all;
    for (const int id : chain) {
      const std::vector<TakeEvent>& events = timeline_.take(id).events;
      for (size_t i = events.size(); i-- > 0;)
        if (events[i].step <= until) all.push_back(&events[i]);
      until = timeline_.take(id).at;
    }
    for (size_t i = all.size(); i-- > 0;) add(*all[i]);
  } else {
    const std::vector<TakeEvent>& events = timeline_.take(active_).events;
    for (size_t i = told_events_; i < events.size(); ++i) add(events[i]);
  }
  told_events_take_ = active_;
  told_events_ = timeline_.take(active_).events.size();
  const bool full = timeline_.take(active_).events_full;
  if (!anew && list.items.empty() && full == told_full_) return;
  told_full_ = full;
  push(Json::object()
           .set("event", "events")
           .set("anew", anew)
           .set("full", full)
           .set("events", std::move(list)));
}

void Session::push_frame() {
  push_scene();
  if (stale_takes_) push_takes();
  if (stale_state_) push_state();
  stale_state_ = stale_takes_ = false;
  push_events();
  const uint64_t step = shown_step();
  const int shown = timeline_.owner(active_, step);
  const Frame* frame = timeline_.frame(active_, step);
  if (frame == nullptr) return;
  const double share = head_ - static_cast<double>(step);
  const Frame* next = nullptr;
  if (share > 1e-6 && step + 1 <= end_of(active_) && timeline_.owner(active_, step + 1) == shown)
    next = timeline_.frame(active_, step + 1);
  frame = timeline_.frame(active_, step);
  const uint32_t flags = (mode_ != Mode::kPaused ? 1u : 0u) | (step >= end_of(active_) ? 2u : 0u) |
                         (grabbing_ ? 4u : 0u);
  std::string bytes = encode_frame(timeline_.take(shown), head_, *frame, next, share, flags);
  put_numbers(bytes);
  outgoing_.push_back({true, std::move(bytes)});
  push_ghost();
}

// What a frame says of the take on the stage.
void Session::put_numbers(std::string& frame) const {
  const auto put = [&](size_t at, double value) {
    const auto* raw = reinterpret_cast<const char*>(&value);
    std::copy(raw, raw + sizeof value, frame.begin() + static_cast<std::ptrdiff_t>(at));
  };
  put(32, static_cast<double>(end_of(active_)));
  put(40, rate_);
}

}  // namespace tenon::studio
