// Takes, sync points, and projects: all that it takes to compute a session again.
#include <algorithm>
#include <cmath>

#include "tenon/scene/formats/json_text.h"
#include "tenon/studio/session/session.h"

namespace tenon::studio {
namespace {

Json from_vec(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }

Json encode_input(const GrabInput& input) {
  static const char* const kinds[] = {"begin", "move", "end"};
  Json out = Json::object();
  out.set("step", static_cast<double>(input.step)).set("kind", kinds[static_cast<int>(input.kind)]);
  if (input.kind == GrabInput::Kind::kBegin) {
    out.set("body", input.body).set("point", from_vec(input.point_B));
  }
  if (input.kind != GrabInput::Kind::kEnd) out.set("target", from_vec(input.target_W));
  return out;
}

Result<GrabInput> decode_input(const Json& in) {
  GrabInput input;
  const Result<double> step = read_number(in, "step", 0, 1e12);
  const Result<std::string> kind = read_text(in, "kind");
  if (!step) return step.error();
  if (!kind) return kind.error();
  input.step = static_cast<uint64_t>(*step);
  if (*kind == "end") {
    input.kind = GrabInput::Kind::kEnd;
    return input;
  }
  input.kind = *kind == "begin" ? GrabInput::Kind::kBegin : GrabInput::Kind::kMove;
  const Result<Vec3> target = read_point(in, "target");
  if (!target) return target.error();
  input.target_W = *target;
  if (input.kind != GrabInput::Kind::kBegin) return input;
  const Result<std::string> body = read_text(in, "body");
  const Result<Vec3> point = read_point(in, "point");
  if (!body) return body.error();
  if (!point) return point.error();
  input.body = *body;
  input.point_B = *point;
  return input;
}

Json encode_take(const Take& take) {
  Json out = Json::object();
  out.set("id", take.id).set("parent", take.parent).set("at", static_cast<double>(take.at));
  out.set("end", static_cast<double>(std::max(take.end, take.wanted))).set("label", take.label);
  out.set("ops", take.operations);
  Json inputs = Json::array();
  for (const GrabInput& input : take.inputs) inputs.push(encode_input(input));
  if (!inputs.items.empty()) out.set("inputs", std::move(inputs));
  return out;
}

Result<Take> decode_take(const Json& in) {
  Take take;
  const Result<double> id = read_number(in, "id", 0, 1e6),
                       parent = read_number(in, "parent", -1, 1e6);
  const Result<double> at = read_number(in, "at", 0, kMostSteps);
  const Result<double> end = read_number(in, "end", 0, kMostSteps);
  for (const Result<double>* number : {&id, &parent, &at, &end})
    if (!number->ok()) return number->error();
  take.id = static_cast<int>(*id);
  take.parent = static_cast<int>(*parent);
  take.at = static_cast<uint64_t>(*at);
  take.wanted = static_cast<uint64_t>(*end);
  if (const Json* label = in.find("label"); label != nullptr) take.label = label->string;
  if (const Json* ops = in.find("ops"); ops != nullptr && ops->is_array()) take.operations = *ops;
  const Json* inputs = in.find("inputs");
  for (size_t i = 0; inputs != nullptr && i < inputs->items.size(); ++i) {
    Result<GrabInput> input = decode_input(inputs->items[i]);
    if (!input) return input.error();
    take.inputs.push_back(std::move(*input));
  }
  // stable; std::stable_sort has a buffer that clang calls deprecated
  const auto earlier = [](const GrabInput& a, const GrabInput& b) { return a.step < b.step; };
  for (auto it = take.inputs.begin(); it != take.inputs.end(); ++it) {
    std::rotate(std::upper_bound(take.inputs.begin(), it, *it, earlier), it, std::next(it));
  }
  // a hand that was open when it was kept has gone since
  if (!take.inputs.empty() && take.inputs.back().kind != GrabInput::Kind::kEnd)
    take.inputs.push_back(
        {std::max(take.wanted, take.inputs.back().step), GrabInput::Kind::kEnd, "", {}, {}});
  return take;
}

}  // namespace

Result<Json> Session::do_take(const Json& message) {
  const Result<double> id = read_number(message, "take", 0, 1e6);
  if (!id) return id.error();
  const int take = static_cast<int>(*id);
  if (!timeline_.contains(take))
    return Error{.message = "there is no such take", .file = "take", .value = std::to_string(take)};
  if (const Json* label = message.find("label"); label != nullptr && label->is_string()) {
    timeline_.take(take).label = label->string;
    changed();
    return Json::object();
  }
  pause();
  const Take& to = timeline_.take(take);
  // at the same instant, as far as it goes
  const uint64_t step = timeline_.step_at(take, timeline_.time_at(active_, shown_step()));
  head_for({take, static_cast<double>(std::min(step, std::max(to.end, to.wanted)))});
  return Json::object();
}

Result<Json> Session::do_discard(const Json& message) {
  const Result<double> id = read_number(message, "take", 0, 1e6);
  if (!id) return id.error();
  const int take = static_cast<int>(*id);
  if (!timeline_.contains(take))
    return Error{.message = "there is no such take", .file = "take", .value = std::to_string(take)};
  if (Status s = timeline_.discard(take, active_); !s) return s.error();
  // history that leads there is gone with it
  for (size_t i = history_.size(); i-- > 0;) {
    if (history_[i].from_take != take && history_[i].to_take != take) continue;
    history_.erase(history_.begin() + static_cast<std::ptrdiff_t>(i));
    if (i < history_at_) --history_at_;
  }
  // sync points of it, also those that undoing would bring back
  const auto of_it = [&](const SyncPoint& s) { return s.take == take; };
  std::erase_if(syncs_, of_it);
  for (HistoryEntry& entry : history_) {
    if (!entry.syncs) continue;
    std::erase_if(entry.syncs->before, of_it);
    std::erase_if(entry.syncs->after, of_it);
  }
  if (goal_ && goal_->take == take) goal_.reset();
  changed();
  return Json::object();
}

Result<Json> Session::do_project(const Json&) {
  Json project = Json::object();
  project.set("tenon_project", 1).set("name", timeline_.scene_name());
  project.set("active", goal_ ? goal_->take : active_);
  project.set("step", goal_ ? goal_->step : static_cast<double>(shown_step()));
  Json takes = Json::array(), history = Json::array();
  for (const int id : timeline_.ids()) {
    const Take& take = timeline_.take(id);
    if (take.parent < 0) project.set("scene", take.tree ? *take.tree : Json());
    takes.push(encode_take(take));
  }
  for (const HistoryEntry& entry : history_) history.push(encode_entry(entry));
  project.set("takes", std::move(takes)).set("syncs", encode_syncs(syncs_));
  project.set("history", std::move(history));
  project.set("history_at", static_cast<double>(history_at_));
  return Json::object().set("project", std::move(project));
}

Status Session::open_project(const Json& project) {
  const Json *scene = project.find("scene"), *takes = project.find("takes");
  if (scene == nullptr || !scene->is_object() || takes == nullptr || !takes->is_array())
    return Error{.message = "this is no project of the studio",
                 .file = "project",
                 .accepted = "what the request \"project\" gave"};
  std::vector<Take> all;
  std::set<int> known{0};
  for (const Json& one : takes->items) {
    Result<Take> take = decode_take(one);
    if (!take) return take.error();
    if (take->id != 0 && (!known.contains(take->parent) || known.contains(take->id)))
      return Error{.message = "a take of the project has no parent, or stands twice",
                   .file = "project.takes",
                   .value = std::to_string(take->id)};
    known.insert(take->id);
    all.push_back(std::move(*take));
  }
  const Json* name = project.find("name");
  const std::string file = name != nullptr ? name->string : "scene.json";
  timeline_.open(*scene, file, {}, make_reader(file));
  reset(0);
  for (Take& take : all) {
    if (take.id == 0) {
      timeline_.take(0).wanted = take.wanted;
      timeline_.take(0).inputs = std::move(take.inputs);
    } else {
      timeline_.put_back(std::move(take));
    }
  }
  syncs_ = decode_syncs(project.find("syncs"));
  for (const SyncPoint& s : syncs_) next_sync_ = std::max(next_sync_, s.id + 1);
  const Json* history = project.find("history");
  const Result<double> done = read_number(project, "history_at", 0, 1e6);
  history_at_ = 0;
  for (size_t i = 0; history != nullptr && i < history->items.size(); ++i) {
    std::optional<HistoryEntry> entry = decode_entry(history->items[i]);
    if (!entry) continue;
    history_.push_back(std::move(*entry));
    if (done && static_cast<double>(i) < *done) history_at_ = history_.size();
  }
  const Result<double> active = read_number(project, "active", 0, 1e6);
  const Result<double> step = read_number(project, "step", 0, kMostSteps);
  if (!active || !timeline_.contains(static_cast<int>(*active))) return Ok{};
  const int on_stage = static_cast<int>(*active);
  // the way to the playhead first; the rest comes in the background
  head_for({on_stage, static_cast<double>(reachable(on_stage, step ? *step : 0))});
  return Ok{};
}

}  // namespace tenon::studio
