// A tree of links as bodies and joints of a scene document.
//
// Freedoms of one link that Tenon has a joint for become that joint, exactly: two hinges whose axes
// cross at right angles a universal joint, two or three slides at right angles a slider2 or
// slider3, two slides and a hinge at right angles to both a planar_twist, a slide along a hinge a
// cylindrical joint. Other freedoms of one link need something between them: a middle body that
// takes `middle_share` of the mass and inertia of the link, so that no mass is added.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tenon/scene/mesh/mesh_file.h"
#include "tenon/scene/model/tree.h"

namespace tenon::scene::model {

struct DocumentOptions {
  // Of a link's mass, for each body between its freedoms. Small enough not to be felt, large enough
  // that the solver loses no digits.
  double middle_share = 1e-4;
};

// Which coordinate of which joint a freedom became.
struct DofAxis {
  std::string joint;  // empty: a free link has none
  JointAxis axis = JointAxis::kRx;
  double sign = 1;  // the joint's coordinate is sign * q
};

struct MadeLinks {
  std::vector<std::string> body;           // of each link; "world" where it needs none
  std::vector<std::vector<DofAxis>> axes;  // of each link's freedoms
  std::vector<Pose> X_SL;                  // of each link as it starts, in the scene
  std::vector<Pose> X_SL0;                 // the same for q = 0
  std::set<std::string> names;             // of all joints and connections so far
};

// Adds the bodies and joints. Errors: what cannot move because it weighs nothing.
Result<MadeLinks> add_links(const Tree& tree, const DocumentOptions& options,
                            const std::string& file, Document& document, Report& report);

// A name that is not taken yet: the wish, or the wish with a number.
std::string make_name(const std::string& wish, std::set<std::string>& taken);

// The law of a coordinate that runs the other way.
JointLaw reversed(const JointLaw& law);

// Keeps q_a = multiplier q_b + constant by a gear. Precondition: both have an axis.
Joint make_gear(const std::string& name, const DofAxis& a, const DofAxis& b, double multiplier);

// Keeps pairs of bodies apart by groups of their own.
void keep_apart(const std::vector<std::pair<std::string, std::string>>& pairs, Document& document);

// Keeps bodies apart that overlap as they start and that no joint connects (joints do so already).
// Meshes are taken by their boxes, to be on the safe side.
void keep_overlaps_apart(const FileReader& meshes, Document& document);

// A plane at the height of the lowest point of the bodies as they start; none, and a note, where
// the model has a plane to stand on already.
void add_floor(const FileReader& meshes, Document& document, Report& report);

}  // namespace tenon::scene::model
