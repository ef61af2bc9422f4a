// Checks of whole connections: what belongs to which type, and where a connection holds.
#include "tenon/scene/formats/decode.h"

namespace tenon::scene {
namespace {

using LinkType = ConnectionType;

std::string connection_of(LinkType type) {
  return "a connection of type '" + std::string(Words<LinkType>::list[static_cast<size_t>(type)]) +
         "'";
}

void refuse_key(Reader& r, const Json& json, LinkType type, const char* key,
                const std::string& accepted) {
  if (!json.find(key)) return;
  r.error(at(json, key), connection_of(type) + " has no '" + key + "'", accepted);
}

void require_key(Reader& r, const Json& json, LinkType type, const char* key) {
  if (json.find(key)) return;
  r.error(json.place, connection_of(type) + " has no '" + key + "'", format_short(json),
          "\"" + std::string(key) + "\": ...");
}

// Keys of the type. Which numbers will do is seen when all of them are read.
void check_connection_keys(Reader& r, const Json& json, LinkType type) {
  const std::string soft = "springs, shock absorbers, or rods and ropes with a stiffness";
  switch (type) {
    case LinkType::kSpring:
      require_key(r, json, type, "stiffness");
      break;
    case LinkType::kShockAbsorber:
      require_key(r, json, type, "stiffness");
      require_key(r, json, type, "damping");
      break;
    case LinkType::kDamper:
      require_key(r, json, type, "damping");
      refuse_key(r, json, type, "stiffness", "a spring or a shock_absorber");
      refuse_key(r, json, type, "length", "nothing: it damps at any length");
      break;
    case LinkType::kRope:
    case LinkType::kRod:
      if (type == LinkType::kRope) {
        refuse_key(r, json, type, "min_separation", "nothing: it acts from its length on");
      }
      if (json.find("stiffness")) break;
      refuse_key(r, json, type, "damping", "a stiffness as well");
      if (type == LinkType::kRod)
        refuse_key(r, json, type, "min_separation", "a stiffness as well");
      break;
    case LinkType::kRigid:
    case LinkType::kBall:
      for (const char* key : {"stiffness", "damping", "length", "min_separation"}) {
        refuse_key(r, json, type, key, soft);
      }
      break;
  }
}

// One end: `place` in the scene, `point` in the frame of its body. `other_place` stands for it
// where both ends are at one place.
void check_end(Reader& r, const Json& json, const Reference& body, const char* place,
               const char* point, const char* other_place) {
  if (json.find(place) && json.find(point)) {
    r.error(at(json, point), std::string("both ") + place + " and " + point + " are given",
            "one of the two");
  }
  const bool given =
      json.find(place) || json.find(point) || (other_place && json.find(other_place));
  if (given || body.name != kWorldName) return;
  r.error(body.place, "the connection does not say where it holds the world", "\"world\"",
          std::string("\"") + place + "\": a point");
}

}  // namespace

void check_references(Reader& r, const Json& json, const Connection& c) {
  if (!json.find("type")) return;  // told already
  check_connection_keys(r, json, c.type);
  const bool together = c.type == LinkType::kRigid || c.type == LinkType::kBall;
  check_end(r, json, c.a, "at", "point_a", together ? "to" : nullptr);
  check_end(r, json, c.b, "to", "point_b", together ? "at" : nullptr);
}

void finish(Reader& r, const Json& json, Connection& c) {
  if (c.name.empty()) r.error(at(json, "name"), "a connection needs a name", "text");
  const auto more_than_none = [&](const char* key, double value) {
    if (json.find(key) && !(value > 0)) {
      r.error(at(json, key), connection_of(c.type) + " needs more " + key + " than none",
              "more than 0");
    }
  };
  if (c.type == LinkType::kSpring || c.type == LinkType::kShockAbsorber) {
    more_than_none("stiffness", c.stiffness);
  }
  if (c.type == LinkType::kDamper || c.type == LinkType::kShockAbsorber) {
    more_than_none("damping", c.damping);
  }
  if (c.type == LinkType::kRope || (c.type == LinkType::kRod && !(c.stiffness > 0))) {
    if (c.length && !(*c.length > 0)) {
      r.error(at(json, "length"), connection_of(c.type) + " needs a length",
              "more than 0; a ball keeps two points together");
    }
  }
}

}  // namespace tenon::scene
