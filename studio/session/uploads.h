// Files that a page has handed over: meshes of its scene, and files of other programs to be
// imported. They live as long as the session; nothing touches a disk.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::studio {

class Uploads {
 public:
  // Appends bytes, given in base64, to the file of that name; `begins`: it starts anew. Its size so
  // far. Error: no name, no base64, more than kMostBytes altogether.
  Result<size_t> add(const std::string& name, const std::string& base64, bool begins);
  // The file that a scene or a model names. Pages know no folders: where the whole path is not
  // there, the only file with that last part is meant. nullptr: there is none.
  scene::FileBytes find(const std::string& name) const;
  // Another scene begins: what is here is of the one before.
  void age();
  // Lets go of files of earlier scenes, but for those that `used` names.
  void forget_old(const std::vector<std::string>& used);

  static constexpr size_t kMostBytes = size_t{256} << 20;

 private:
  std::map<std::string, std::shared_ptr<std::string>> files_;
  std::set<std::string> old_;  // names of files of earlier scenes
};

// A scene that an importer of the host has made, and what it has to say.
struct ImportedScene {
  std::string text, report;
};

}  // namespace tenon::studio
