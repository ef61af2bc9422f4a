// Checks of the assembly section: what belongs together.
#include "tenon/scene/formats/decode.h"

namespace tenon::scene {

void finish(Reader& r, const Json& json, Want& w) {
  const int kinds = (w.reach ? 1 : 0) + (w.orient ? 1 : 0) + (w.upright ? 1 : 0) + (w.stay ? 1 : 0);
  const std::string accepted = "one of \"reach\", \"orient\", \"upright\" and \"stay\": true";
  if (kinds == 0) {
    r.error(json, "the want of '" + w.body.name + "' does not say what", accepted);
  } else if (kinds > 1) {
    r.error(json, "the want of '" + w.body.name + "' says several things",
            accepted + "; several wants may name one body");
  }
  if (w.at && !w.reach && kinds == 1) {
    r.error(at(json, "at"), "only a want to reach a place has a point of the body",
            "\"reach\": [x, y, z], or no \"at\"");
  }
  if (w.axis && !w.upright && kinds == 1) {
    r.error(at(json, "axis"), "only a want to be upright has an axis of the body",
            "\"upright\": [x, y, z], or no \"axis\"");
  }
}

void read_named(Reader& r, const Json& json, std::vector<Importance>& out) {
  for (const JsonMember& member : json.members) {
    Importance entry;
    entry.name = member.key;
    entry.place = member.place;
    if (!r.read(member.value, entry.weight, spec::weight(), "importance")) continue;
    out.push_back(std::move(entry));
  }
}

}  // namespace tenon::scene
