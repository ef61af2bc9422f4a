// Inertias of model files: what a body cannot have is named and replaced.
//
// Policy. A file that simulates elsewhere should simulate here, and nobody should be left in the
// dark, so wrong inertias are mended by these rules and told with place, value and what would be
// accepted:
//   - all moments zero or below: those of the link's shapes with the given mass; refused where the
//     link has no shape with volume;
//   - the smallest moment zero or below: a thousandth of the largest (a thin rod);
//   - the largest above the sum of the other two (no body has that): the two smaller are raised
//     equally until the sum is reached; the largest, which joints feel most, is kept.
// Axes of the tensor and the mass stay as they are.
#pragma once

#include <string>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/scene/mesh/mesh_file.h"
#include "tenon/scene/model/tree.h"

namespace tenon::scene::model {

// `where` is the place for messages: its file, line; its message is replaced.
Status mend_inertia(const std::vector<Part>& parts, const std::string& link, const Error& where,
                    const FileReader& meshes, Inertial& inertial, Report& report);

// Mass, centre and inertia of the parts with a density of 1. Parts that are only seen count as
// well; open meshes, which enclose nothing, do not.
Result<Inertial> calc_inertial(const std::vector<Part>& parts, const FileReader& meshes);

// A box that has this inertia, to be seen where a link has no shape.
Part inertia_box(const Inertial& inertial);

}  // namespace tenon::scene::model
