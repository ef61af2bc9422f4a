// The names of a scene's bodies, joints, forces and rules while it is expanded, and what they may
// do with each other.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "tenon/engine/math/transform.h"
#include "tenon/scene/document/document.h"
#include "tenon/scene/formats/reader.h"

namespace tenon::scene {

// Moves a joint along with the instance it belongs to; its name becomes a whole one.
void place_joint(Joint& joint, const Pose& X_WF, const std::string& prefix);
// The same for a connection, a force, a rule and an anchor.
void place_connection(Connection& connection, const Pose& X_WF, const std::string& prefix);
void place_force(Force& force, const Pose& X_WF, const std::string& prefix);
void place_rule(Rule& rule, const Pose& X_WF, const std::string& prefix);
void place_anchor(RuleAnchor& anchor, const Pose& X_WF);
void place_want(Want& want, const Pose& X_WF);

class JointBook {
 public:
  // The first body of a name counts.
  void add_body(const Body& body);
  // Replaces the names in a joint by whole ones. A name is looked for in the instance the joint
  // belongs to, then in what that stands in, outwards up to the scene. Reports what is unknown,
  // what joins nothing, and names taken twice.
  void admit(Reader& r, Joint& joint, const std::string& prefix);
  // The same for a connection. Its name is a joint's, too.
  void admit(Reader& r, Connection& connection, const std::string& prefix);
  // The same for a force.
  void admit(Reader& r, Force& force, const std::string& prefix);
  // The same for a rule. Rules are numbered as they come.
  void admit(Reader& r, Rule& rule, const std::string& prefix);
  // The number of the rule an anchor belongs to; none after a mistake.
  std::optional<size_t> admit(Reader& r, Anchor& anchor, const std::string& prefix);

  // Names of a want, and of an assembly section, which stands in the scene itself.
  void admit(Reader& r, Want& want, const std::string& prefix);
  void admit(Reader& r, Assembly& assembly);

 private:
  struct KnownRule {
    Place place;
    size_t number = 0;
  };
  struct KnownBody {
    bool dynamic = false;
  };
  struct KnownJoint {
    Place place;
    std::array<bool, kJointAxes> free;
    std::optional<JointAxis> only;
  };
  std::unordered_map<std::string, KnownBody> bodies_;  // only looked up
  std::unordered_map<std::string, KnownJoint> joints_;
  std::unordered_map<std::string, KnownRule> rules_;
  std::unordered_map<std::string, Place> forces_;
  size_t rule_count_ = 0;
  std::vector<std::string> body_names_, joint_names_,
      rule_names_;  // in their order, for suggestions

  template <class Known>
  const Known* resolve(Reader& r, Reference& reference, const std::string& prefix,
                       const std::unordered_map<std::string, Known>& known,
                       const std::vector<std::string>& names, const char* what) const;
  void admit_bodies(Reader& r, Joint& joint, const std::string& prefix);
  bool admit_name(Reader& r, const std::string& name, const KnownJoint& known, const char* what);
  void admit_anchor(Reader& r, RuleAnchor& anchor, AnchorSide side, const std::string& prefix);
  void admit_gear(Reader& r, Joint& joint, const std::string& prefix);
  void admit_axis(Reader& r, const Reference& reference, const KnownJoint& known,
                  std::optional<JointAxis>& axis) const;
};

}  // namespace tenon::scene
