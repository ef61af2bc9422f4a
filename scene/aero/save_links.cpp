// Connections and ball joints of a document as V records.
#include <optional>
#include <set>

#include "tenon/scene/aero/save_parts.h"
#include "tenon/scene/aero/world_words.h"
#include "tenon/scene/formats/number_text.h"

namespace tenon::scene::aero {
namespace {

// The two points of a link in the coordinates of the scene, and on the bodies where they are given
// so.
struct Ends {
  Vec3 a_W, b_W;
  std::optional<Vec3> a_B, b_B;
};

Vec3 apply(const Pose& X, const Vec3& p) { return X.p + rotate(X.q, p); }

Vec3 local_point(const WrittenBody& body, const Vec3& p_W) {
  return rotate(conjugate(body.X_WB.q), p_W - body.X_WB.p);
}

class LinkWriter {
 public:
  explicit LinkWriter(Writer& w);
  void write(const Connection& c);
  void write(const Joint& j);

 private:
  Writer& w_;
  std::set<int> own_;  // V3 keeps its number where it can
  int next_ = 1;       // of those that cannot
  std::set<std::string> named_;

  Pose pose_of(const Reference& reference) const {
    const auto found = w_.bodies.find(reference.name);
    return found == w_.bodies.end() ? Pose{} : found->second.X_WB;
  }
  bool written(const Reference& reference) const {
    return reference.name == kWorldName || w_.bodies.contains(reference.name);
  }
  Ends find_ends(const Connection& c) const;
  void write_record(const std::string& name, const Reference& a, const Reference& b,
                    const std::string& kind, const Ends& ends);
};

LinkWriter::LinkWriter(Writer& w) : w_(w) {
  for (const Connection& c : w.document.connections) {
    const std::optional<int> label = parse_label(c.name, 'V');
    if (label) own_.insert(*label);
  }
  if (!own_.empty()) next_ = *own_.rbegin() + 1;
}

Ends LinkWriter::find_ends(const Connection& c) const {
  const Pose A = pose_of(c.a), B = pose_of(c.b);
  Ends e;
  e.a_B = c.point_a;
  e.b_B = c.point_b;
  const bool a_given = c.at || c.point_a, b_given = c.to || c.point_b;
  const bool one_place = c.type == ConnectionType::kBall || c.type == ConnectionType::kRigid;
  e.a_W = c.at ? *c.at : apply(A, c.point_a.value_or(Vec3{}));
  e.b_W = c.to ? *c.to : apply(B, c.point_b.value_or(Vec3{}));
  if (one_place && !a_given) e.a_W = e.b_W;
  if (one_place && a_given && !b_given) e.b_W = e.a_W;
  if (!one_place && !a_given && c.a.name == kWorldName) e.a_W = {};
  return e;
}

void LinkWriter::write_record(const std::string& name, const Reference& a, const Reference& b,
                              const std::string& kind, const Ends& ends) {
  const WrittenBody *A = w_.find(a, ends.a_W), *B = w_.find(b, ends.b_W);
  if (A == nullptr || B == nullptr) return;
  const auto point = [](const WrittenBody& body, const Reference& reference,
                        const std::optional<Vec3>& p_B, const Vec3& p_W) {
    if (reference.name == kWorldName) return Vec3{};
    return Writer::point_of(body, p_B ? *p_B : local_point(body, p_W));
  };
  const Vec3 pa = point(*A, a, ends.a_B, ends.a_W), pb = point(*B, b, ends.b_B, ends.b_W);
  const std::optional<int> label = parse_label(name, 'V');
  const int number = label && own_.erase(*label) > 0 ? *label : next_++;
  w_.text += "\nV" + std::to_string(number) + " " + body_name(A->number) + " " +
             body_name(B->number) + " " + kind;
  // a shock absorber has two records, and the name only once
  if (named_.insert(name).second) w_.text += name_remark(name, "V" + std::to_string(number));
  w_.text += "\n";
  if (!(pa == Vec3{})) w_.text += "a " + numbers(pa) + "\n";
  if (!(pb == Vec3{})) w_.text += "b " + numbers(pb) + "\n";
}

void LinkWriter::write(const Connection& c) {
  if (!written(c.a) || !written(c.b)) {
    return w_.warn(c.place, "a body of the connection was left out, and so is it", c.name);
  }
  const Ends ends = find_ends(c);
  const double length = c.length.value_or(norm(ends.b_W - ends.a_W));
  const auto record = [&](const std::string& kind) { write_record(c.name, c.a, c.b, kind, ends); };
  if (c.min_separation > 0 || c.break_force) {
    w_.warn(c.place, "least separation and breaking are not in world files; left out", c.name);
  }
  const std::string spring = "spring " + format_number(c.stiffness) +
                             (c.length || c.damping > 0 ? " " + format_number(length) : "");
  switch (c.type) {
    case ConnectionType::kSpring:
    case ConnectionType::kShockAbsorber:
      record(spring);
      if (c.damping > 0) record("damper " + format_number(c.damping));
      return;
    case ConnectionType::kDamper:
      return record("damper " + format_number(c.damping));
    case ConnectionType::kRod:
      if (c.damping > 0) {
        w_.warn(c.place, "damping of a rod is not in world files; left out", c.name);
      }
      return record("rod" + (c.stiffness > 0 || c.length ? " " + format_number(c.stiffness) : "") +
                    (c.length ? " " + format_number(*c.length) : ""));
    case ConnectionType::kBall:
      return record("joint");
    case ConnectionType::kRope:
    case ConnectionType::kRigid:
      return w_.warn(c.place, "AERO has no such connection; left out", c.name);
  }
}

// Points of a ball joint, as scene/build finds them.
void LinkWriter::write(const Joint& j) {
  if (j.type != JointType::kPoint) {
    return w_.warn(j.place, "AERO has ball joints only; left out", j.name);
  }
  if (!written(j.parent) || !written(j.child)) {
    return w_.warn(j.place, "a body of the joint was left out, and so is it", j.name);
  }
  const Pose P = pose_of(j.parent), C = pose_of(j.child);
  Ends e;
  if (j.parent_frame || j.child_frame) {
    e.a_W = j.parent_frame ? apply(P, j.parent_frame->position) : apply(C, j.child_frame->position);
    e.b_W = j.child_frame ? apply(C, j.child_frame->position) : e.a_W;
  } else {
    e.a_W = j.at.value_or(j.to.value_or(C.p));
    e.b_W = j.to.value_or(e.a_W);
  }
  for (const JointLaw& law : j.laws) {
    if (law == JointLaw{}) continue;
    w_.warn(j.place, "limits, motors and springs of a joint are not in world files; left out",
            j.name);
    break;
  }
  write_record(j.name, j.parent, j.child, "joint", e);
}

}  // namespace

void write_links(Writer& w) {
  LinkWriter links(w);
  for (const Connection& c : w.document.connections) links.write(c);
  for (const Joint& j : w.document.joints) links.write(j);
}

}  // namespace tenon::scene::aero
