// The scenes that come with Tenon, inside the program.
#pragma once

#include <string>
#include <vector>

namespace tenon::cli {

struct GalleryScene {
  std::string name;  // with the folder, as in "bench/s2"
  std::string text;  // the scene file
};

// Sorted by name.
const std::vector<GalleryScene>& gallery();

}  // namespace tenon::cli
