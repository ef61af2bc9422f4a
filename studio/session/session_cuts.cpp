// Changes in mid-run that are moved along the strip or taken out, sync points, and pulls that
// become forces of the scene. Takes are never changed: what comes out is another take.
#include <algorithm>
#include <cmath>

#include "tenon/scene/formats/json_text.h"
#include "tenon/studio/session/session.h"

namespace tenon::studio {
namespace {

struct Key {
  double t, value;
};

// Fewer keys that stay within a tolerance of all [Ramer 1972, Douglas and Peucker 1973].
void thin_out(const std::vector<Key>& keys, size_t first, size_t last, double tolerance,
              std::vector<bool>& kept) {
  size_t worst = first;
  double most = tolerance;
  for (size_t i = first + 1; i < last; ++i) {
    const double share = (keys[i].t - keys[first].t) / (keys[last].t - keys[first].t);
    const double line = keys[first].value + share * (keys[last].value - keys[first].value);
    const double off = std::fabs(keys[i].value - line);
    if (off > most) {
      most = off;
      worst = i;
    }
  }
  if (worst == first) return;
  kept[worst] = true;
  thin_out(keys, first, worst, tolerance, kept);
  thin_out(keys, worst, last, tolerance, kept);
}

// To a multiple of a small step: fewer digits to read.
double tidy(double x, double step) { return std::round(x / step) * step; }

// One force along an axis of the world whose curve is that of the pull; nothing where there was
// none. Each step has its mean force from its begin to its end, so that impulses are the same; a
// thousandth of the step lies between two of them.
std::optional<Json> force_along(const Pull& pull, int axis, double peak, const std::string& name) {
  std::vector<Key> keys;
  double most = 0;
  for (const Pull::Span& span : pull.forces) {
    const double value = span.force_W[axis];
    const double gap = keys.empty() ? 0 : 1e-3 * (span.to - span.from);
    keys.push_back({span.from + gap, value});
    keys.push_back({span.to, value});
    most = std::max(most, std::fabs(value));
  }
  if (most < 0.01 * peak || keys.size() < 2) return std::nullopt;
  std::vector<bool> kept(keys.size());
  kept.front() = kept.back() = true;
  thin_out(keys, 0, keys.size() - 1, 0.002 * peak, kept);
  Json curve = Json::array();
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!kept[i]) continue;
    curve.push(Json::object()
                   .set("t", tidy(keys[i].t, 1e-9))
                   .set("scale", tidy(keys[i].value / most, 1e-6)));
  }
  Vec3 force{};
  force[axis] = most;
  Json out = Json::object().set("name", name).set("body", pull.body);
  out.set("point", Json::array({pull.point_B.x, pull.point_B.y, pull.point_B.z}));
  return out.set("force", Json::array({force.x, force.y, force.z})).set("curve", std::move(curve));
}

std::string free_force_name(const Json& tree, const std::string& wanted) {
  std::string name = wanted;
  for (int n = 2; find_entry(tree, "forces", name) != nullptr; ++n)
    name = wanted + " " + std::to_string(n);
  return name;
}

Error no_cut(const Json* value) {
  return {.message = "this take is no change of the run on the stage",
          .file = "take",
          .value = value != nullptr ? scene::format_short(*value) : "nothing",
          .accepted = "a take of the chain that begins after the start"};
}

}  // namespace

// The chain again from a change on, with the change elsewhere or without it. All changes of one
// instant move together.
Result<Json> Session::do_cut(const Json& message) {
  const Json* given = message.find("take");
  const int id = given != nullptr && given->is_number() ? static_cast<int>(given->number) : -1;
  std::vector<int> chain;
  for (int at = active_; at >= 0; at = timeline_.take(at).parent) chain.insert(chain.begin(), at);
  const auto found = std::find(chain.begin(), chain.end(), id);
  if (found == chain.end() || timeline_.take(id).at == 0) return no_cut(given);
  const uint64_t from = timeline_.take(id).at;
  const Json* remove = message.find("remove");
  const bool goes = remove != nullptr && remove->is_bool() && remove->boolean;
  uint64_t to = from;
  auto first = found;
  if (!goes) {
    const Result<double> step = read_number(message, "step", 1, 1e12);
    if (!step) return step.error();
    while (first != chain.begin() && timeline_.take(*std::prev(first)).at == from) --first;
    auto next = found;
    while (next != chain.end() && timeline_.take(*next).at == from) ++next;
    const uint64_t low = std::max<uint64_t>(1, timeline_.take(*std::prev(first)).at);
    const uint64_t high = next != chain.end()
                              ? timeline_.take(*next).at
                              : std::max(end_of(*std::prev(first)), end_of(active_));
    to = std::clamp(static_cast<uint64_t>(*step), low, high);
  }
  pause();
  const Result<int> leaf = regrow({first, chain.end()}, goes ? id : -1, from, to);
  if (!leaf) return leaf.error();
  const std::string& label = timeline_.take(id).label;
  const uint64_t step = shown_step();
  const uint64_t shown = std::min(goes ? step : to, std::max(end_of(*leaf), to));
  remember({active_, *leaf, step, shown, (goes ? "Without " : "Move ") + label, ""});
  go(*leaf, static_cast<double>(shown));
  return Json::object().set("take", *leaf).set("step", static_cast<double>(shown));
}

// `without`: a take that is left out; those at `from` begin at `to`. The last take of the new
// chain.
Result<int> Session::regrow(const std::vector<int>& takes, int without, uint64_t from,
                            uint64_t to) {
  int parent = timeline_.take(takes.front()).parent;
  std::vector<int> made;
  Status good = Ok{};
  for (const int old : takes) {
    if (old == without) continue;
    const uint64_t at = timeline_.take(old).at == from ? to : timeline_.take(old).at;
    if (at == timeline_.take(old).at && parent == timeline_.take(old).parent) {
      parent = old;
      continue;
    }
    Result<int> next = timeline_.replant(old, parent, at);
    if (next) made.push_back(*next);
    // those of the instant itself are computed at once, so that trouble is told now
    if (next && timeline_.take(old).at == from) {
      if (Status s = timeline_.ensure_scene(*next); !s) good = s;
    }
    if (!next) good = next.error();
    if (!good) break;
    parent = *next;
  }
  if (good) return parent;
  const Error error = good.error();
  for (auto bad = made.rbegin(); bad != made.rend(); ++bad) (void)timeline_.discard(*bad, active_);
  return error;
}

// What a hand did, as forces that can be moved, changed and deleted: one for each axis.
Result<Json> Session::do_pull(const Json& message) {
  const Result<double> id = read_number(message, "take", 0, 1e6);
  if (!id) return id.error();
  const int take = static_cast<int>(*id);
  if (!timeline_.contains(take))
    return Error{.message = "there is no such take", .file = "take", .value = std::to_string(take)};
  pause();
  const Result<Pull> pull = timeline_.pull_of(take);
  if (!pull) return pull.error();
  double peak = 0;
  for (const Pull::Span& span : pull->forces) peak = std::max(peak, norm(span.force_W));
  Json ops = Json::array(), names = Json::array();
  const char* const axes[] = {"x", "y", "z"};
  for (int axis = 0; axis < 3 && peak > 0; ++axis) {
    const std::string name =
        free_force_name(*timeline_.take(take).tree, "pull of " + pull->body + " " + axes[axis]);
    std::optional<Json> force = force_along(*pull, axis, peak, name);
    if (!force) continue;
    names.push(name);
    ops.push(Json::object()
                 .set("op", "add")
                 .set("path", Json::array({"forces"}))
                 .set("value", std::move(*force)));
  }
  if (ops.items.empty())
    return Error{.message = "the hand did not pull", .accepted = "a longer pull"};
  const uint64_t at = timeline_.take(take).at, end = end_of(take);
  const int parent = timeline_.take(take).parent;
  const std::string label = "Forces of a pull of " + pull->body;
  Result<int> made = timeline_.branch(parent, at, ops, label, &edit_errors_);
  if (!made) return made.error();
  timeline_.take(*made).wanted = end;
  remember({active_, *made, shown_step(), at, label, ""});
  go(*made, static_cast<double>(at));
  return Json::object().set("take", *made).set("forces", std::move(names));
}

// Sync points are kept, moved, renamed and taken away; each can be undone.
Result<Json> Session::do_sync(const Json& message) {
  const Json* name = message.find("name");
  const std::string text = name != nullptr && name->is_string() ? name->string : "";
  const std::vector<SyncPoint> before = syncs_;
  const Json* which = nullptr;
  std::string what;
  for (const char* verb : {"remove", "rename", "move"}) {
    if (const Json* value = message.find(verb); value != nullptr) {
      which = value;
      what = verb;
    }
  }
  Json answer = Json::object();
  if (which == nullptr) {
    const uint64_t step = shown_step();
    syncs_.push_back({next_sync_, timeline_.owner(active_, step), step,
                      text.empty() ? "Sync " + std::to_string(syncs_.size() + 1) : text});
    ++next_sync_;
    timeline_.keep_state(syncs_.back().take, step);
    answer.set("sync", syncs_.back().id);
    what = "keep";
  } else {
    const auto found = std::find_if(syncs_.begin(), syncs_.end(), [&](const SyncPoint& s) {
      return which->is_number() && s.id == which->number;
    });
    if (found == syncs_.end())
      return Error{.message = "there is no such sync point", .value = scene::format_short(*which)};
    if (what == "move") {
      const Result<double> step = read_number(message, "step", 0, 1e12);
      if (!step) return step.error();
      found->step = std::min(static_cast<uint64_t>(*step), end_of(active_));
      found->take = timeline_.owner(active_, found->step);
      timeline_.keep_state(found->take, found->step);
      answer.set("step", static_cast<double>(found->step));
    } else if (what == "rename") {
      found->name = text;
    } else {
      syncs_.erase(found);
    }
  }
  const uint64_t step = shown_step();
  HistoryEntry entry{active_, active_, step, step, "Sync point: " + what, ""};
  entry.syncs = HistoryEntry::Syncs{before, syncs_};
  remember(std::move(entry));
  changed();
  return answer;
}

}  // namespace tenon::studio
