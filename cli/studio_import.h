// Files of other programs that a page of the studio has handed over.
#pragma once

#include <string>

#include "tenon/studio/session/uploads.h"

namespace tenon::cli {

// As `tenon import` does it, on a floor: URDF, MJCF, glTF with rigid bodies, BVH.
Result<studio::ImportedScene> import_uploaded(const std::string& name,
                                              const studio::Uploads& uploads);

}  // namespace tenon::cli
