#include "tenon/scene/build/force_parts.h"

#include <limits>

namespace tenon::scene {

static_assert(static_cast<int>(ForceFrame::kBody) == static_cast<int>(tenon::ForceFrame::kBody));

Result<TimedForceDef> make_force_def(const Force& f, const std::map<std::string, JointEnd>& ends) {
  TimedForceDef def;
  const auto body = ends.find(f.body.name);
  if (body == ends.end()) return Error{.message = "unknown body", .value = f.body.name};
  def.body = body->second.body;
  def.point = f.point;
  def.frame = static_cast<tenon::ForceFrame>(f.frame);
  def.force = f.force;
  def.torque = f.torque;
  if (f.toward) {
    def.frame = tenon::ForceFrame::kToward;
    def.magnitude = f.magnitude;
    def.target_point = f.toward->point;
    if (f.toward->body.name != kWorldName) {
      const auto target = ends.find(f.toward->body.name);
      if (target == ends.end()) {
        return Error{.message = "unknown body", .value = f.toward->body.name};
      }
      def.target = target->second.body;
    }
  }
  def.begin = begin_of(f);
  def.end = end_of(f).value_or(std::numeric_limits<double>::infinity());
  if (f.ramp) def.curve = make_ramp(def.begin, def.end, f.ramp->from, f.ramp->to);
  for (const ForceKey& key : f.curve) def.curve.push_back({key.t, key.scale});
  return def;
}

}  // namespace tenon::scene
