#include "tenon/recording/joint_table.h"

#include <algorithm>

#include "tenon/recording/detail/text.h"
#include "tenon/recording/detail/text_table.h"

namespace tenon {
namespace {

// The name that belongs to a handle, or `none`.
template <class Handle>
std::string name_of(Handle handle, const std::vector<Handle>& handles,
                    const std::vector<std::string>& names, const char* none) {
  const auto found = std::find(handles.begin(), handles.end(), handle);
  return found == handles.end() ? none : names[static_cast<size_t>(found - handles.begin())];
}

}  // namespace

Result<std::vector<JointDescription>> read_joint_table(RecordingReader& reader,
                                                       const SceneBuilder& build) {
  const auto scene = reader.scene();
  if (!scene) return scene.error();
  const auto built = build(*scene, reader.run());
  if (!built) return built.error();
  const auto& recorded = reader.run().joint_names;
  if (built->joint_names != recorded && !recorded.empty())
    return Error{.message = "the recorded scene gives other joints than the recording has",
                 .file = reader.source().name()};
  std::vector<JointDescription> joints;
  for (size_t i = 0; i < built->joint_handles.size(); ++i) {
    const JointDef& def = built->world.joint_def(built->joint_handles[i]);
    JointDescription joint{built->joint_names[i], built->joint_types[i], {}, {}, {}, {}};
    if (def.kind == JointKind::kGear) {
      joint.parent = name_of(def.first, built->joint_handles, built->joint_names, "?");
      joint.child = name_of(def.second, built->joint_handles, built->joint_names, "?");
    } else {
      joint.parent = name_of(def.parent, built->handles, built->names, "world");
      joint.child = name_of(def.child, built->handles, built->names, "?");
    }
    const uint8_t free_axes = built->world.read_joint(built->joint_handles[i]).free_axes;
    for (int k = 0; k < kJointAxisCount; ++k)
      if ((free_axes >> k & 1) != 0)
        joint.freedoms +=
            (joint.freedoms.empty() ? "" : " ") + std::string(name(static_cast<JointAxis>(k)));
    joint.vibration = built->world.calc_vibration(built->joint_handles[i]);
    joints.push_back(std::move(joint));
  }
  return joints;
}

std::string format(const std::vector<JointDescription>& joints) {
  std::vector<std::vector<std::string>> rows{{"joint", "type", "parent", "child", "freedoms"}};
  const bool swings = std::any_of(joints.begin(), joints.end(), [](const JointDescription& j) {
    return j.vibration.has_spring || j.vibration.has_damper;
  });
  if (swings) rows[0].insert(rows[0].end(), {"frequency", "damping ratio"});
  for (const JointDescription& j : joints) {
    rows.push_back({j.name, j.type, j.parent, j.child, j.freedoms.empty() ? "-" : j.freedoms});
    if (!swings) continue;
    const Vibration& v = j.vibration;
    rows.back().push_back(v.has_spring ? recording_detail::short_number(v.frequency_hz, 4) + " Hz"
                                       : "-");
    rows.back().push_back(v.has_spring ? recording_detail::short_number(v.damping_ratio, 4) : "-");
  }
  return recording_detail::format_table(rows);
}

}  // namespace tenon
