#include "tenon/cli/assembly_text.h"

#include <algorithm>

#include "tenon/cli/line.h"
#include "tenon/cli/scene_source.h"

namespace tenon::cli {
namespace {

using displacement::Outcome;
using displacement::Solver;
using scene::Json;

constexpr size_t kListedErrors = 10;
constexpr double kDegrees = 57.29577951308232;

std::string body_name(const scene::BuiltScene& built, BodyHandle body) {
  const auto at = std::find(built.handles.begin(), built.handles.end(), body);
  return at == built.handles.end() ? "?"
                                   : built.names[static_cast<size_t>(at - built.handles.begin())];
}

std::string joint_name(const scene::BuiltScene& built, JointHandle joint) {
  const auto& all = built.joint_handles;
  const auto at = std::find(all.begin(), all.end(), joint);
  return at == all.end() ? "?" : built.joint_names[static_cast<size_t>(at - all.begin())];
}

// "0.3 m and 0.1 rad"; parts that are round-off beside the other are left out.
std::string gap_text(const OpenJoint& open) {
  std::string text;
  if (open.gap_m > 1e-6 * open.angle_rad) text += line("%.4g m", open.gap_m);
  if (open.angle_rad > 1e-6 * open.gap_m) {
    text += (text.empty() ? "" : " and ") + line("%.4g rad", open.angle_rad);
  }
  return text;
}

std::string bodies_of(const scene::BuiltScene& built, JointHandle joint) {
  const JointDef& def = built.world.joint_def(joint);
  if (!def.child.valid()) return "";
  const std::string parent = def.parent.valid() ? body_name(built, def.parent) : "the world";
  return " (" + parent + " - " + body_name(built, def.child) + ")";
}

std::string outcome_text(const AssemblyReport& r, double precision) {
  switch (r.outcome) {
    case Outcome::kAssembled:
      return line("assembled: all joints fit to %.3g", precision);
    case Outcome::kConflict:
      return "CONFLICT: the joints contradict each other or do not reach; this is the nearest miss";
    case Outcome::kStopped:
      return "stopped: the budget ran out before all joints fit";
  }
  return "?";
}

std::string solver_text(const AssemblyReport& r) {
  std::string text = r.solver == Solver::kDirect        ? "direct"
                     : r.solver == Solver::kBiconjugate ? "biconjugate gradients"
                                                        : "conjugate gradients";
  text += ", " + counted(r.geometric, "iteration", "iterations");
  if (r.inner > 0) text += line(" with %u inner ones in all", r.inner);
  return text + " in " + counted(r.mechanisms, "mechanism", "mechanisms");
}

// Farthest first.
std::vector<MovedBody> sorted_by_way(std::vector<MovedBody> moved) {
  std::sort(moved.begin(), moved.end(), [](const MovedBody& a, const MovedBody& b) {
    if (a.distance_m != b.distance_m) return a.distance_m > b.distance_m;
    return a.angle_rad != b.angle_rad ? a.angle_rad > b.angle_rad : a.body.index < b.body.index;
  });
  return moved;
}

std::string moved_text(const AssemblyReport& r, const scene::BuiltScene& built) {
  const size_t all = built.handles.size();
  if (r.moved.empty()) return line("  moved      none of %zu bodies\n", all);
  std::string text =
      line("  moved      %zu of %s", r.moved.size(), counted(all, "body", "bodies").c_str());
  text += r.moved.size() > kListedErrors ? line("; the farthest %zu:\n", kListedErrors)
                                         : std::string(":\n");
  const std::vector<MovedBody> moved = sorted_by_way(r.moved);
  for (size_t i = 0; i < std::min(kListedErrors, moved.size()); ++i) {
    text += line("             %-24s %10.4g m %8.3g deg\n", body_name(built, moved[i].body).c_str(),
                 moved[i].distance_m, kDegrees * moved[i].angle_rad);
  }
  return text;
}

std::string open_text(const AssemblyReport& r, const scene::BuiltScene& built) {
  std::string text;
  const char* label = r.outcome == Outcome::kConflict ? "conflict" : "open";
  for (size_t i = 0; i < r.open.size(); ++i) {
    if (i == kListedErrors && r.open.size() > kListedErrors + 1) {
      return text + line("  %-10s and %zu more\n", label, r.open.size() - i);
    }
    const OpenJoint& open = r.open[i];
    text += line("  %-10s joint \"%s\"%s by %s\n", label, joint_name(built, open.joint).c_str(),
                 bodies_of(built, open.joint).c_str(), gap_text(open).c_str());
  }
  return text;
}

const char* want_text(const scene::Want& want) {
  return want.reach     ? "to reach a place"
         : want.orient  ? "to be turned so"
         : want.upright ? "to be upright"
                        : "to stay";
}

}  // namespace

std::string describe_assembly(const AssemblyReport& r, const scene::Assembly& assembly,
                              const scene::BuiltScene& built) {
  if (r.mechanisms == 0 && r.open.empty()) {
    return "  outcome    nothing to do: no joint or want holds a body that may move\n";
  }
  std::string text = "  outcome    " + outcome_text(r, assembly.precision) + "\n";
  text += "  solver     " + solver_text(r) + "\n";
  text +=
      line("  error      from %.3g to %.3g, as a share of body size or in rad\n", r.start, r.error);
  text += moved_text(r, built) + open_text(r, built);
  for (size_t i = 0; i < r.misses.size() && i < assembly.wants.size(); ++i) {
    const scene::Want& want = assembly.wants[i];
    if (r.misses[i] <= assembly.precision) continue;
    text += line("  missed     \"%s\" wants %s, is off by %.4g m\n", want.body.name.c_str(),
                 want_text(want), r.misses[i]);
  }
  if (r.escaped) {
    text +=
        "  escaped    the way down ended in a dead point; bodies were turned at random to leave it,"
        "\n             so this need not be the nearest of several ways to fit\n";
  }
  return text;
}

std::string summarize_assembly(const AssemblyReport& r, const scene::BuiltScene& built) {
  if (r.moved.empty() && r.outcome == Outcome::kAssembled) {
    return "  assembled  nothing had to move\n";
  }
  std::string text = r.outcome == Outcome::kAssembled ? "  assembled  " : "  ASSEMBLED  in part: ";
  if (r.moved.empty()) {
    text += "no body could be moved";
  } else {
    const std::vector<MovedBody> moved = sorted_by_way(r.moved);
    text +=
        line("%s moved, \"%s\" farthest by %.3g m", counted(moved.size(), "body", "bodies").c_str(),
             body_name(built, moved.front().body).c_str(), moved.front().distance_m);
  }
  text += line("; error from %.3g to %.3g\n", r.start, r.error);
  return r.outcome == Outcome::kAssembled ? text : text + open_text(r, built);
}

Json assembly_to_json(const AssemblyReport& r, const scene::Assembly& assembly,
                      const scene::BuiltScene& built) {
  Json json = Json::object();
  json.set("outcome", name(r.outcome)).set("solver", name(r.solver));
  json.set("mechanisms", static_cast<int>(r.mechanisms));
  json.set("geometric", static_cast<int>(r.geometric)).set("inner", static_cast<int>(r.inner));
  json.set("error_start", r.start).set("error", r.error).set("precision", assembly.precision);
  json.set("escaped", r.escaped);
  Json moved = Json::array(), open = Json::array(), wants = Json::array();
  for (const MovedBody& m : r.moved) {
    Json entry = Json::object();
    entry.set("body", body_name(built, m.body));
    moved.push(entry.set("distance_m", m.distance_m).set("angle_rad", m.angle_rad));
  }
  for (const OpenJoint& o : r.open) {
    Json entry = Json::object();
    entry.set("joint", joint_name(built, o.joint));
    open.push(entry.set("gap_m", o.gap_m).set("angle_rad", o.angle_rad));
  }
  for (size_t i = 0; i < r.misses.size() && i < assembly.wants.size(); ++i) {
    Json entry = Json::object();
    entry.set("body", assembly.wants[i].body.name).set("what", want_text(assembly.wants[i]));
    wants.push(entry.set("miss_m", r.misses[i]));
  }
  json.set("moved", std::move(moved)).set("open", std::move(open)).set("wants", std::move(wants));
  return json;
}

}  // namespace tenon::cli
