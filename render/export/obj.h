// One instant as a Wavefront OBJ file with its materials, which every 3D program reads.
#pragma once

#include "tenon/render/stage.h"

namespace tenon::exports {

struct ObjFiles {
  std::string obj, mtl;
};

// One object per part of a body, spring or rope, in world coordinates (m, y up), with normals;
// planes are squares four times as wide as everything else. `mtl_name` is what the OBJ calls the
// file with the materials; those have the usual entries (Kd, Ks, Ns, d, Ni) and the metallic and
// roughness ones that newer programs read (Pm, Pr).
ObjFiles to_obj(const render::Stage& stage, const std::string& mtl_name);

}  // namespace tenon::exports
