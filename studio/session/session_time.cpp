// The playhead: playing forwards and backwards, scrubbing, running until something happens, hands.
#include <algorithm>
#include <cmath>

#include "tenon/scene/formats/json_text.h"
#include "tenon/studio/session/session.h"

namespace tenon::studio {

namespace {

constexpr double kNearEnd_s = 0.5;   // of a recording, from where Run goes on computing
constexpr double kRateOver_s = 0.8;  // wall time over which the speed of a run is averaged

std::string hex(uint64_t bits) {
  std::string text(16, '0');
  for (size_t i = 16; i-- > 0; bits >>= 4) text[i] = "0123456789abcdef"[bits & 15];
  return text;
}

}  // namespace

bool Session::busy() const {
  if (mode_ != Mode::kPaused || goal_) return true;
  for (const int id : timeline_.ids())
    if (timeline_.take(id).end < timeline_.take(id).wanted) return true;
  return false;
}

uint64_t Session::shown_step() const { return static_cast<uint64_t>(std::floor(head_ + 1e-9)); }

double Session::step_length() const {
  return timeline_.step_length(timeline_.owner(active_, shown_step()));
}

void Session::go(int take, double step) {
  if (grabbing_) let_go();
  goal_.reset();
  active_ = take;
  head_ = step;
  changed();
}

// The hand opens.
void Session::let_go() {
  grabbing_ = false;
  timeline_.add_input(active_, {end_of(active_), GrabInput::Kind::kEnd, "", {}, {}});
}

void Session::pause() {
  if (mode_ != Mode::kPaused) head_ = std::floor(head_ + 0.5);
  goal_.reset();
  mode_ = Mode::kPaused;
  changed();
}

// Computes up to a step, as far as the time of one call goes; false: not there yet.
bool Session::compute(uint64_t to) {
  const auto clock = options_.timeline.clock;
  const double until = clock != nullptr ? clock() + options_.work_s : 0;
  while (end_of(active_) < to) {
    if (Status s = timeline_.step(active_); !s) {
      mode_ = Mode::kPaused;
      stopped_by_ = "error";
      push(Json::object().set("event", "trouble").set("error", to_json(s.error())));
      return false;
    }
    if (mode_ == Mode::kUntilEvent && stops_at(end_of(active_))) return true;
    if (clock != nullptr && clock() > until) return end_of(active_) >= to;
  }
  return true;
}

void Session::play_on(double seconds) {
  const double h = step_length();
  const double before = head_;
  double target = head_ + speed_ * std::min(seconds, 0.1) / h;
  if (speed_ > 0) {
    target = std::min(target, static_cast<double>(limit_));
    compute(static_cast<uint64_t>(std::ceil(target - 1e-9)));
    // what could not be computed in time is played later: the run is slower than the clock
    head_ = std::min(target, static_cast<double>(end_of(active_)));
    if (head_ >= static_cast<double>(limit_)) {
      stopped_by_ = "limit";
      pause();
    }
  } else {
    head_ = std::max(target, 0.0);
    if (head_ <= 0) {
      stopped_by_ = "start";
      pause();
    }
  }
  const double rate = seconds > 0 ? (head_ - before) * h / seconds : 0;
  rate_ += std::min(1.0, seconds / kRateOver_s) * (rate - rate_);
}

// Whether what is looked for happens in the step that ends there.
bool Session::stops_at(uint64_t step) {
  const Take& take = timeline_.take(timeline_.owner(active_, step));
  if (until_kind_ == "rest" || until_kind_ == "value") {
    const Frame* now = timeline_.peek(active_, step);
    const Frame* before = step > 0 ? timeline_.peek(active_, step - 1) : nullptr;
    if (now == nullptr || before == nullptr) return false;
    if (until_kind_ == "rest") {
      size_t movable = 0;
      for (const scene::Body& body : take.flat->bodies)
        movable += body.motion == scene::Motion::kDynamic ? 1 : 0;
      return movable > 0 && now->stats.sleeping >= static_cast<float>(movable);
    }
    const double a =
        until_quantity_->at(timeline_.take(timeline_.owner(active_, step - 1)), *before);
    const double b = until_quantity_->at(take, *now);
    return (a < until_value_) != (b < until_value_) && std::isfinite(a) && std::isfinite(b);
  }
  for (size_t i = take.events.size(); i-- > 0 && take.events[i].step >= step;)
    if (take.events[i].step == step && stops(take.events[i])) return true;
  return false;
}

bool Session::stops(const TakeEvent& event) const {
  const bool contact = event.kind == EventKind::kContactBegin;
  const bool notable = contact || event.kind == EventKind::kJointBroke ||
                       event.kind == EventKind::kBodyReleased ||
                       event.kind == EventKind::kSensorEnter || is_health(event.kind);
  if (!(until_kind_ == "any" ? notable : contact)) return false;
  return until_body_.empty() || event.a == until_body_ || event.b == until_body_;
}

bool Session::stop_at_event() {
  for (uint64_t step = until_from_ + 1; step <= end_of(active_); ++step) {
    if (!stops_at(step)) continue;
    head_ = static_cast<double>(step);
    stopped_by_ = "event";
    pause();
    return true;
  }
  until_from_ = std::max(until_from_, end_of(active_));
  return false;
}

void Session::look_for_event() {
  if (stop_at_event()) return;
  compute(limit_);
  if (mode_ != Mode::kUntilEvent || stop_at_event()) return;
  head_ = static_cast<double>(end_of(active_));
  if (end_of(active_) < limit_) return;
  stopped_by_ = "limit";
  pause();
}

void Session::advance(double seconds) {
  if (!(seconds >= 0)) seconds = 0;
  if (mode_ == Mode::kPlaying) {
    play_on(seconds);
    push_frame();
  } else if (mode_ == Mode::kUntilEvent) {
    look_for_event();
    push_frame();
  } else if (goal_ && !timeline_.leading()) {
    (void)pursue_goal(options_.work_s, 1);
    changed();
    push_frame();
  } else if (!timeline_.leading() && timeline_.catch_up(options_.work_s)) {
    changed();
    push_frame();
  }
  timeline_.evict(active_, shown_step(), syncs_);
}

Result<Json> Session::do_play(const Json& message) {
  double speed = 1;
  if (message.find("speed") != nullptr) {
    const Result<double> given = read_number(message, "speed", -1000, 1000);
    if (!given) return given.error();
    speed = *given;
  }
  if (speed == 0)
    return Error{.message = "a speed must not be zero", .file = "speed", .accepted = "1, 0.25, -1"};
  if (const auto& errors = timeline_.take(active_).errors; !errors.empty()) {
    edit_errors_ = errors;
    return Error{.message = "the scene has mistakes and cannot run",
                 .value = std::to_string(errors.size()),
                 .accepted = "a scene without mistakes"};
  }
  if (Status s = timeline_.ensure_scene(active_); !s) return s.error();
  speed_ = speed;
  stopped_by_.clear();
  goal_.reset();
  // a run goes on for the duration of the scene, and so again from there
  const scene::Document& flat = *timeline_.take(active_).flat;
  uint64_t whole = timeline_.step_at(active_, flat.world.duration);
  const double covered = timeline_.time_at(active_, whole);
  if (whole == 0 || covered < flat.world.duration * (1 - 1e-12)) ++whole;
  const uint64_t end = std::max(end_of(active_), shown_step());
  // a picture may be a few steps behind what is computed: that is the end as well
  const double left = timeline_.time_at(active_, end) - timeline_.time_at(active_, shown_step());
  const bool at_end = left <= kNearEnd_s;
  limit_ = end < whole ? whole : (at_end ? end + whole : end);
  mode_ = Mode::kPlaying;
  rate_ = std::fabs(speed);
  changed();
  return Json::object().set("limit", static_cast<double>(limit_));
}

Result<Json> Session::do_pause(const Json&) {
  pause();
  stopped_by_.clear();
  return Json::object().set("step", static_cast<double>(shown_step()));
}

Result<Json> Session::do_seek(const Json& message) {
  double step = 0;
  if (message.find("time") != nullptr) {
    const Result<double> time = read_number(message, "time", 0, 1e9);
    if (!time) return time.error();
    step = static_cast<double>(timeline_.step_at(active_, *time));
  } else {
    const Result<double> given = read_number(message, "step", 0, 1e12);
    if (!given) return given.error();
    step = std::floor(*given);
  }
  mode_ = Mode::kPaused;
  stopped_by_.clear();
  go(active_, std::min(step, static_cast<double>(end_of(active_))));
  return Json::object().set("step", head_);
}

Result<Json> Session::do_step(const Json& message) {
  double count = 1;
  if (message.find("count") != nullptr) {
    const Result<double> given = read_number(message, "count", -kMostSteps, kMostSteps);
    if (!given) return given.error();
    count = std::trunc(*given);
  }
  // counted from where it is on its way to
  const double from =
      goal_ && goal_->take == active_ ? goal_->step : static_cast<double>(shown_step());
  pause();
  const double target = std::clamp(from + count, 0.0, kMostSteps);
  if (Status s = timeline_.ensure_scene(active_); !s && target > 0) return s.error();
  head_for({active_, target});
  return Json::object().set("step", goal_ ? goal_->step : head_);
}

Result<Json> Session::do_until(const Json& message) {
  const Json *kind = message.find("kind"), *body = message.find("body");
  until_kind_ = kind != nullptr ? kind->string : "contact";
  until_body_ = body != nullptr ? body->string : "";
  static const std::set<std::string> kinds{"contact", "any", "rest", "value"};
  if (!kinds.contains(until_kind_))
    return Error{.message = "unknown kind of event",
                 .file = "kind",
                 .value = until_kind_,
                 .accepted = "contact, any, rest, value"};
  if (until_kind_ == "value") {
    const Result<std::string> word = read_text(message, "quantity");
    if (!word) return word.error();
    Result<Quantity> quantity = Quantity::parse(*word);
    if (!quantity) return quantity.error();
    const Result<double> value = read_number(message, "value", -1e15, 1e15);
    if (!value) return value.error();
    until_quantity_ = std::move(*quantity);
    until_value_ = *value;
  }
  const Result<Json> ready = do_play(Json::object());
  if (!ready) return ready.error();
  const auto longest = static_cast<uint64_t>(std::ceil(60 / timeline_.step_length(active_)));
  mode_ = Mode::kUntilEvent;
  until_from_ = shown_step();
  limit_ = std::max(end_of(active_), until_from_) + longest;
  changed();
  return Json::object();
}

Result<Json> Session::do_hash(const Json& message) {
  uint64_t step = shown_step();
  if (message.find("step") != nullptr) {
    const Result<double> given =
        read_number(message, "step", 0, static_cast<double>(end_of(active_)));
    if (!given) return given.error();
    step = static_cast<uint64_t>(*given);
  }
  if (Status s = timeline_.ensure_scene(active_); !s) return s.error();
  return Json::object()
      .set("step", static_cast<double>(step))
      .set("hash", hex(timeline_.hash_at(active_, step)));
}

// A hand takes a body: what follows is another future than the one recorded.
Result<Json> Session::do_grab(const Json& message) {
  const Result<std::string> body = read_text(message, "body");
  if (!body) return body.error();
  const Result<Vec3> point = read_point(message, "point"), target = read_point(message, "target");
  if (!point) return point.error();
  if (!target) return target.error();
  if (Status s = timeline_.ensure_scene(active_); !s) return s.error();
  const Cast& cast = timeline_.take(timeline_.owner(active_, shown_step())).cast;
  if (std::find(cast.names.begin(), cast.names.end(), *body) == cast.names.end())
    return Error{.message = "there is no such body", .file = "body", .value = *body};
  if (grabbing_) return Error{.message = "a body is held already", .accepted = "grab_end first"};
  head_ = static_cast<double>(shown_step());
  const uint64_t step = shown_step();
  const Result<int> take =
      timeline_.branch(active_, step, Json::array(), "Pull " + *body, &edit_errors_);
  if (!take) return take.error();
  remember({active_, *take, step, step, "Pull " + *body, ""});
  timeline_.add_input(*take, {step, GrabInput::Kind::kBegin, *body, *point, *target});
  const Mode mode = mode_;
  go(*take, head_);
  grabbing_ = true;
  if (mode == Mode::kPlaying && limit_ <= step) limit_ = step + 600;
  return Json::object().set("take", *take).set("step", static_cast<double>(step));
}

Result<Json> Session::do_grab_move(const Json& message) {
  if (!grabbing_) return Error{.message = "no body is held", .accepted = "grab first"};
  const Result<Vec3> target = read_point(message, "target");
  if (!target) return target.error();
  GrabInput input{end_of(active_), GrabInput::Kind::kMove, "", {}, *target};
  auto& inputs = timeline_.take(active_).inputs;
  if (!inputs.empty() && inputs.back().step == input.step &&
      inputs.back().kind == GrabInput::Kind::kMove) {
    inputs.back() = input;
  } else {
    inputs.push_back(input);
  }
  // how hard it pulls, of the last step
  return Json::object().set("force", norm(timeline_.grab_force()));
}

Result<Json> Session::do_grab_end(const Json&) {
  if (!grabbing_) return Error{.message = "no body is held", .accepted = "grab first"};
  let_go();
  changed();
  return Json::object();
}

}  // namespace tenon::studio
