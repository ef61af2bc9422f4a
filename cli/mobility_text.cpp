#include "tenon/cli/mobility_text.h"

#include <map>

#include "tenon/cli/line.h"
#include "tenon/cli/scene_source.h"

namespace tenon::cli {
namespace {

constexpr size_t kListedJoints = 8;  // names in a list before "and n more"

struct Names {
  std::map<uint32_t, std::string> body, joint;  // by slot
};

std::string quoted(const std::map<uint32_t, std::string>& names, uint32_t slot) {
  const auto found = names.find(slot);
  return found == names.end() ? "?" : "\"" + found->second + "\"";
}

std::string list(const std::map<uint32_t, std::string>& names, const std::vector<uint32_t>& slots) {
  std::string text;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (i == kListedJoints && slots.size() > kListedJoints + 1)
      return text + line(" and %zu more", slots.size() - i);
    text += (i == 0 ? "" : ", ") + quoted(names, slots[i]);
  }
  return text;
}

// "\"a\" by 0.3 m and 0.1 rad, ..."
std::string gaps(const Names& names, const std::vector<JointGap>& open) {
  std::string text;
  for (size_t i = 0; i < open.size(); ++i) {
    if (i == kListedJoints && open.size() > kListedJoints + 1)
      return text + line(" and %zu more", open.size() - i);
    text += (i == 0 ? "" : ", ") + quoted(names.joint, open[i].joint) + " by";
    if (open[i].gap_m > 0) text += line(" %.3g m", open[i].gap_m);
    if (open[i].gap_m > 0 && open[i].angle_rad > 0) text += " and";
    if (open[i].angle_rad > 0) text += line(" %.3g rad", open[i].angle_rad);
  }
  return text;
}

std::string freedoms_text(const MechanismReport& r) {
  std::string text = line("  freedoms   %u", r.freedoms_nearby);
  if (r.freedoms_nearby < r.freedoms)
    text += line(", but %u in this very position, which is singular%s", r.freedoms,
                 r.freedoms_nearby == 0 ? ": it gives way a little and does not move" : "");
  if (!r.idle.empty())
    text += line("; %s by %s own axis",
                 counted(r.idle.size(), "body turns idly", "bodies turn idly").c_str(),
                 r.idle.size() == 1 ? "its" : "their");
  return text + "\n";
}

std::string redundant_text(const Names& names, const MechanismReport& r) {
  std::string text;
  for (size_t i = 0; i < r.redundant.size(); ++i) {
    const RedundantJoint& joint = r.redundant[i];
    if (i == kListedJoints && r.redundant.size() > kListedJoints + 1)
      return text + line("  redundant  and %s\n",
                         counted(r.redundant.size() - i, "more joint", "more joints").c_str());
    text += line("  redundant  joint %s: %u of the %u things it says %s said already",
                 quoted(names.joint, joint.joint).c_str(), joint.rows, joint.held,
                 joint.rows == 1 ? "is" : "are");
    if (joint.circuit.size() > 1)
      text += "; any one of " + list(names.joint, joint.circuit) + " could say less";
    text += "\n";
  }
  return text;
}

std::string closure_text(const Names& names, const MechanismReport& r) {
  std::string text;
  if (!r.open.empty()) text += "  open       " + gaps(names, r.open) + "\n";
  if (r.closure == Closure::kClosable)
    text += line("  closing    possible; a body has to move by %.3g m\n", r.moved_m);
  if (r.closure == Closure::kContradiction)
    text += "  MISTAKE    these joints contradict each other; at best they stay open: " +
            gaps(names, r.conflicts) + "\n";
  if (r.closure == Closure::kOutOfReach)
    text +=
        "  MISTAKE    something is too short or too far away; at best these joints stay open: " +
        gaps(names, r.conflicts) + "\n";
  return text;
}

}  // namespace

MobilityText describe_mobility(const scene::BuiltScene& built) {
  Names names;
  for (size_t i = 0; i < built.handles.size(); ++i)
    names.body[built.handles[i].index] = built.names[i];
  for (size_t i = 0; i < built.joint_handles.size(); ++i)
    names.joint[built.joint_handles[i].index] = built.joint_names[i];
  MobilityText out;
  const std::vector<MechanismReport> reports = built.world.calc_mobility();
  if (reports.empty()) out.text = "no mechanism: no joint holds a moving body\n";
  for (size_t i = 0; i < reports.size(); ++i) {
    const MechanismReport& r = reports[i];
    out.text +=
        line("mechanism %zu: %s, %s: ", i + 1, counted(r.bodies.size(), "body", "bodies").c_str(),
             counted(r.joints.size(), "joint", "joints").c_str()) +
        list(names.body, r.bodies) + "\n";
    if (!r.analysed) {
      out.text += line("  freedoms   not counted: more than %u rows\n", kMaxMobilityRows);
      continue;
    }
    out.text += freedoms_text(r) + redundant_text(names, r) + closure_text(names, r);
    if (r.closure == Closure::kContradiction || r.closure == Closure::kOutOfReach)
      out.holds_together = false;
  }
  return out;
}

}  // namespace tenon::cli
