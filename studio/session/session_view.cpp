// What a page looks at besides the take on the stage: curves, another take's ghost, contacts,
// timings; and hands that lead mechanisms while time stands still.
#include <algorithm>
#include <cmath>

#include "tenon/scene/formats/json_text.h"
#include "tenon/studio/session/json_list.h"
#include "tenon/studio/session/quantity.h"
#include "tenon/studio/session/session.h"

namespace tenon::studio {
namespace {

constexpr size_t kMostTraces = 64;

Result<std::vector<Quantity>> read_quantities(const Json& message) {
  const Json* wanted = message.find("quantities");
  if (wanted == nullptr || !wanted->is_array() || wanted->items.size() > kMostTraces)
    return Error{.message = "quantities must be a list",
                 .file = "quantities",
                 .accepted = "at most 64 such as \"energy\" or \"body:ball.speed\""};
  std::vector<Quantity> all;
  for (const Json& one : wanted->items) {
    Result<Quantity> quantity = Quantity::parse(one.is_string() ? one.string : "");
    if (!quantity) return quantity.error();
    all.push_back(std::move(*quantity));
  }
  return all;
}

}  // namespace

// Numbers over steps. What was let go is left out (null) rather than computed again.
Result<Json> Session::do_series(const Json& message) {
  Result<std::vector<Quantity>> quantities = read_quantities(message);
  if (!quantities) return quantities.error();
  int take = active_;
  if (const Json* other = message.find("take"); other != nullptr)
    take = static_cast<int>(other->number);
  if (!timeline_.contains(take))
    return Error{.message = "there is no such take", .file = "take", .value = std::to_string(take)};
  const auto end = static_cast<double>(end_of(take));
  const auto number = [&](const char* key, double otherwise) {
    const Json* value = message.find(key);
    return value != nullptr && value->is_number() ? std::clamp(value->number, 0.0, 1e12)
                                                  : otherwise;
  };
  const double from = std::floor(number("from", 0)), to = std::min(end, number("to", end));
  const double most = std::clamp(number("most", 1000), 1.0, 100000.0);
  const double stride = std::max(1.0, std::ceil((to - from + 1) / most));
  Json steps = Json::array(), times = Json::array();
  std::vector<Json> values(quantities->size(), Json::array());
  for (double step = std::ceil(from / stride) * stride; step <= to; step += stride) {
    const auto at = static_cast<uint64_t>(step);
    const Frame* frame = timeline_.peek(take, at);
    const Take& owner = timeline_.take(timeline_.owner(take, at));
    steps.push(step);
    times.push(frame != nullptr ? Json(frame->time) : Json());
    for (size_t i = 0; i < values.size(); ++i) {
      const double value = frame != nullptr ? (*quantities)[i].at(owner, *frame) : NAN;
      values[i].push(std::isfinite(value) ? Json(value) : Json());
    }
  }
  Json answer = Json::object();
  answer.set("take", take).set("from", from).set("to", to).set("stride", stride);
  answer.set("steps", std::move(steps)).set("times", std::move(times));
  return answer.set("values", Json::array(std::move(values)));
}

// Another take beside the one on the stage; none where the key is null or missing.
Result<Json> Session::do_ghost(const Json& message) {
  const Json* take = message.find("take");
  if (take == nullptr || take->is_null()) {
    ghost_ = -1;
    return Json::object();
  }
  const int id = static_cast<int>(take->number);
  if (!take->is_number() || !timeline_.contains(id))
    return Error{
        .message = "there is no such take", .file = "take", .value = scene::format_short(*take)};
  const Json* whole = message.find("scene");
  ghost_scene_ = whole != nullptr && whole->is_bool() && whole->boolean;
  ghost_ = id;
  told_ghost_ = -1;
  changed();
  return Json::object();
}

void Session::push_ghost() {
  if (ghost_ < 0 || !timeline_.contains(ghost_)) return;
  const double time = timeline_.time_at(active_, shown_step());
  const uint64_t step = std::min(timeline_.step_at(ghost_, time), end_of(ghost_));
  const int owner = timeline_.owner(ghost_, step);
  const Frame* frame = timeline_.peek(ghost_, step);
  if (frame == nullptr) frame = timeline_.frame(ghost_, step);
  if (frame == nullptr) return;
  if (told_ghost_ != owner) {
    told_ghost_ = owner;
    Json names = Json::array();
    for (const std::string& name : timeline_.take(owner).cast.names) names.push(name);
    const double number = timeline_.take(owner).number;
    Json told = Json::object().set("event", "ghost").set("scene", number);
    if (ghost_scene_) {
      const World* world = timeline_.world_of(owner);
      Json view = describe_scene(timeline_.take(owner), world, timeline_.reader(), told_meshes_);
      told.set("view", std::move(view));
    }
    push(told.set("names", std::move(names)));
    // what was looked up may have moved on
    frame = timeline_.frame(ghost_, step);
    if (frame == nullptr) return;
  }
  outgoing_.push_back({true, encode_frame(timeline_.take(owner), static_cast<double>(step), *frame,
                                          nullptr, 0, 8)});
}

Result<Json> Session::do_contacts(const Json&) {
  const Result<std::vector<TouchPoint>> touches = timeline_.touches(active_, shown_step());
  if (!touches) return touches.error();
  Json points = Json::array();
  for (const TouchPoint& touch : *touches)
    points.push(Json::object().set("point", list(touch.point_W)).set("force", list(touch.force_W)));
  return Json::object().set("contacts", std::move(points));
}

Result<Json> Session::do_timings(const Json&) {
  const Result<const World*> world = timeline_.look_at(active_, shown_step());
  if (!world) return world.error();
  Json phases = Json::array();
  for (int i = 0; i < kPhaseCount; ++i) {
    const double ms = (*world)->diagnostics().phase_ms[static_cast<size_t>(i)];
    phases.push(Json::object().set("phase", name(static_cast<Phase>(i))).set("ms", ms));
  }
  return Json::object().set("phases", std::move(phases));
}

void Session::push_led() {
  const int shown = timeline_.owner(active_, shown_step());
  std::string bytes =
      encode_frame(timeline_.take(shown), head_, timeline_.led_frame(), nullptr, 0, 16);
  put_numbers(bytes);
  outgoing_.push_back({true, std::move(bytes)});
}

// A body by a point of it, or a freedom of a joint.
Result<Json> Session::do_drag(const Json& message) {
  if (message.find("joint") != nullptr) {
    const Result<std::string> joint = read_text(message, "joint"),
                              axis = read_text(message, "axis");
    if (!joint) return joint.error();
    if (!axis) return axis.error();
    pause();
    if (Status s = timeline_.begin_posing(active_, shown_step(), *joint, *axis); !s)
      return s.error();
    led_name_ = *joint;
    return Json::object();
  }
  const Result<std::string> body = read_text(message, "body");
  if (!body) return body.error();
  const Result<Vec3> point = read_point(message, "point");
  if (!point) return point.error();
  pause();
  if (Status s = timeline_.begin_leading(active_, shown_step(), *body, *point); !s)
    return s.error();
  led_name_ = *body;
  return Json::object();
}

Result<Json> Session::do_drag_move(const Json& message) {
  if (const Json* value = message.find("value"); value != nullptr) {
    if (!value->is_number() || !std::isfinite(value->number))
      return Error{.message = "a joint goes to a number", .file = "value", .accepted = "m or rad"};
    const Result<double> reached = timeline_.pose_joint(value->number);
    if (!reached) return reached.error();
    push_led();
    return Json::object().set("value", *reached).set("miss", std::abs(*reached - value->number));
  }
  const Result<Vec3> target = read_point(message, "target");
  if (!target) return target.error();
  const Result<DragReport> report = timeline_.lead(*target);
  if (!report) return report.error();
  push_led();
  return Json::object()
      .set("miss", report->miss_m)
      .set("error", report->error)
      .set("behind", report->behind)
      .set("jumped", report->jumped);
}

Result<Json> Session::do_drag_end(const Json& message) {
  const Json* keep = message.find("keep");
  changed();
  if (keep != nullptr && keep->is_bool() && !keep->boolean) {
    timeline_.stop_leading();
    return Json::object();
  }
  Result<Json> operations = timeline_.end_leading();
  if (!operations) return operations.error();
  if (operations->items.empty()) return Json::object();
  return do_edit(
      Json::object().set("ops", std::move(*operations)).set("label", "Drag " + led_name_));
}

// Bodies fall as one until they touch what is below.
Result<Json> Session::do_drop(const Json& message) {
  const Json* bodies = message.find("bodies");
  std::vector<std::string> names;
  for (size_t i = 0; bodies != nullptr && i < bodies->items.size(); ++i)
    names.push_back(bodies->items[i].string);
  if (Status s = timeline_.ensure_scene(active_); !s) return s.error();
  const Cast& cast = timeline_.take(timeline_.owner(active_, shown_step())).cast;
  const auto known = [&](const std::string& name) {
    return std::find(cast.names.begin(), cast.names.end(), name) != cast.names.end();
  };
  if (names.empty() || !std::all_of(names.begin(), names.end(), known))
    return Error{.message = "which bodies are to be dropped?",
                 .file = "bodies",
                 .accepted = "a list of names of bodies"};
  const Result<Vec3> way = timeline_.find_drop(active_, shown_step(), names);
  if (!way) return way.error();
  // the page moves what has no entry of its own by other means
  if (const Json* edit = message.find("edit"); edit != nullptr && edit->is_bool() && !edit->boolean)
    return Json::object().set("way", list(*way));
  const Result<const World*> world = timeline_.look_at(active_, shown_step());
  if (!world) return world.error();
  Json ops = Json::array();
  for (const std::string& name : names) {
    const auto k = static_cast<size_t>(std::find(cast.names.begin(), cast.names.end(), name) -
                                       cast.names.begin());
    Json op = Json::object();
    op.set("op", "set").set("path", Json::array({"bodies", name, "position"}));
    ops.push(op.set("value", list((*world)->pose(cast.handles[k]).p + *way)));
  }
  Result<Json> answer = do_edit(Json::object().set("ops", std::move(ops)).set("label", "Drop"));
  if (answer) answer->set("way", norm(*way));
  return answer;
}

}  // namespace tenon::studio
