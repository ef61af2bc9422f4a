// Checks of whole forces: what belongs together, and when they act.
#include "tenon/scene/formats/decode.h"

namespace tenon::scene {
namespace {

void check_aim(Reader& r, const Json& json, const Force& f) {
  if (!f.toward) {
    if (json.find("magnitude")) {
      r.error(at(json, "magnitude"), "only a force towards something has a magnitude",
              "\"force\": [x, y, z], or \"toward\": {...} as well");
    } else if (f.force == Vec3{} && f.torque == Vec3{}) {
      r.error(f.place, "the force '" + f.name + "' has neither force nor torque", f.name,
              "\"force\", \"torque\", or \"toward\" with \"magnitude\"");
    }
    return;
  }
  for (const char* key : {"force", "torque", "frame"}) {
    if (!json.find(key)) continue;
    r.error(at(json, key), std::string("a force towards something has no '") + key + "'",
            "\"magnitude\": newtons");
  }
  if (f.magnitude == 0) {
    r.error(at(json, json.find("magnitude") ? "magnitude" : "toward"),
            "a force towards something needs a magnitude that is not 0",
            "newtons; negative to push away");
  }
}

void check_times(Reader& r, const Json& json, const Force& f) {
  const Json& list = at(json, "curve");
  for (size_t i = 1; i < f.curve.size(); ++i) {
    if (f.curve[i].t > f.curve[i - 1].t) continue;
    r.error(at(list.items[i], "t"), "the times of a curve must increase",
            "a time after that of the key before");
    return;
  }
  if (f.ramp && !f.curve.empty()) {
    r.error(at(json, "curve"), "both ramp and curve are given", "one of the two");
    return;
  }
  if (f.ramp && !f.until) {
    r.error(at(json, "ramp"), "a ramp needs an end of the force", "\"until\": ...");
    return;
  }
  if (f.curve.size() == 1 && !(f.from && f.until)) {
    r.error(list, "a curve of one key says nothing about when the force acts",
            "a second key, or \"from\" and \"until\"");
    return;
  }
  const std::optional<double> end = end_of(f);
  if (end && !(*end > begin_of(f))) {
    r.error(at(json, json.find("until") ? "until" : "from"),
            "the force '" + f.name + "' ends before it begins", "until after from");
  }
}

}  // namespace

void finish(Reader& r, const Json& json, Force& f) {
  if (f.name.empty()) r.error(at(json, "name"), "a force needs a name", "text");
  check_aim(r, json, f);
  check_times(r, json, f);
}

}  // namespace tenon::scene
