#include "tenon/render/plot/detail/quantity.h"

#include <cmath>

namespace tenon::plot {
namespace {

using D = StepDiagnostics;
using B = RecordedBody;
using J = RecordedJoint;

constexpr StepColumn kEnergy[] = {
    {"kinetic", [](const D& d) { return d.mechanics.kinetic_J; }},
    {"potential", [](const D& d) { return d.mechanics.potential_J; }},
    {"springs", [](const D& d) { return d.mechanics.elastic_J; }},
    {"sum",
     [](const D& d) {
       const Mechanics& m = d.mechanics;
       return m.kinetic_J + m.potential_J + m.elastic_J;
     }},
};
constexpr StepColumn kBalance[] = {
    {"kinetic + potential - work",
     [](const D& d) { return d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J; }},
};
constexpr StepColumn kWork[] = {{"work", [](const D& d) { return d.work_J; }},
                                {"of contacts", [](const D& d) { return d.contact_work_J; }}};
constexpr StepColumn kContactWork[] = {
    {"work of contacts", [](const D& d) { return d.contact_work_J; }}};
constexpr StepColumn kJointGap[] = {{"largest gap", [](const D& d) { return d.joint_gap_m; }}};
constexpr StepColumn kGapRelative[] = {
    {"largest gap / body size", [](const D& d) { return d.joint_gap_rel; }}};
constexpr StepColumn kAngle[] = {
    {"largest angular error", [](const D& d) { return d.joint_angle_rad; }}};
constexpr StepColumn kPenetration[] = {
    {"deepest overlap", [](const D& d) { return d.penetration_m; }}};
constexpr StepColumn kMomentum[] = {
    {"px", [](const D& d) { return d.mechanics.linear_momentum.x; }},
    {"py", [](const D& d) { return d.mechanics.linear_momentum.y; }},
    {"pz", [](const D& d) { return d.mechanics.linear_momentum.z; }}};
constexpr StepColumn kAngular[] = {
    {"lx", [](const D& d) { return d.mechanics.angular_momentum.x; }},
    {"ly", [](const D& d) { return d.mechanics.angular_momentum.y; }},
    {"lz", [](const D& d) { return d.mechanics.angular_momentum.z; }}};
constexpr StepColumn kContacts[] = {{"points", [](const D& d) { return 1.0 * d.contacts; }},
                                    {"pairs", [](const D& d) { return 1.0 * d.contact_pairs; }}};
constexpr StepColumn kSolver[] = {
    {"joint iterations", [](const D& d) { return 1.0 * d.joint_iterations; }},
    {"contact sweeps", [](const D& d) { return 1.0 * d.contact_sweeps; }}};
constexpr StepColumn kSleeping[] = {
    {"sleeping bodies", [](const D& d) { return 1.0 * d.sleeping_bodies; }}};

constexpr StepTable kTables[] = {
    {"energy", "Energy", "J", false, kEnergy},
    {"energy-balance", "Energy balance, change since the start", "J", false, kBalance},
    {"work", "Work since the start", "J", false, kWork},
    {"contact-work", "Work of contacts since the start", "J", false, kContactWork},
    {"joint-gap", "Joint gap", "m", true, kJointGap},
    {"joint-gap-relative", "Joint gap, relative to the smaller body", "", true, kGapRelative},
    {"joint-angle", "Angular error of joints", "rad", true, kAngle},
    {"penetration", "Penetration", "m", false, kPenetration},
    {"momentum", "Momentum", "kg m/s", false, kMomentum},
    {"angular-momentum", "Angular momentum about the origin", "kg m²/s", false, kAngular},
    {"contacts", "Contacts", "", false, kContacts},
    {"solver", "Effort of the solver", "", false, kSolver},
    {"sleeping", "Sleeping bodies", "", false, kSleeping},
};

constexpr BodyQuantity kBodyQuantities[] = {
    {"x", "m", [](const B& b) { return b.X_WB.p.x; }},
    {"y", "m", [](const B& b) { return b.X_WB.p.y; }},
    {"z", "m", [](const B& b) { return b.X_WB.p.z; }},
    {"vx", "m/s", [](const B& b) { return b.v_WC.x; }},
    {"vy", "m/s", [](const B& b) { return b.v_WC.y; }},
    {"vz", "m/s", [](const B& b) { return b.v_WC.z; }},
    {"wx", "rad/s", [](const B& b) { return b.w_WB.x; }},
    {"wy", "rad/s", [](const B& b) { return b.w_WB.y; }},
    {"wz", "rad/s", [](const B& b) { return b.w_WB.z; }},
    {"speed", "m/s", [](const B& b) { return norm(b.v_WC); }},
    {"spin", "rad/s", [](const B& b) { return norm(b.w_WB); }},
    {"qw", "", [](const B& b) { return b.X_WB.q.w; }},
    {"qx", "", [](const B& b) { return b.X_WB.q.x; }},
    {"qy", "", [](const B& b) { return b.X_WB.q.y; }},
    {"qz", "", [](const B& b) { return b.X_WB.q.z; }},
};

constexpr JointQuantity kJointQuantities[] = {
    {"gap", "m", true, [](const J& j) { return j.gap_m; }},
    {"misalignment", "rad", true, [](const J& j) { return j.angle_rad; }},
    {"x", "m", false, [](const J& j) { return j.coordinate[0]; }},
    {"y", "m", false, [](const J& j) { return j.coordinate[1]; }},
    {"z", "m", false, [](const J& j) { return j.coordinate[2]; }},
    {"rx", "rad", false, [](const J& j) { return j.coordinate[3]; }},
    {"ry", "rad", false, [](const J& j) { return j.coordinate[4]; }},
    {"rz", "rad", false, [](const J& j) { return j.coordinate[5]; }},
    {"force", "N", false, [](const J& j) { return norm(j.force); }},
    {"fx", "N", false, [](const J& j) { return j.force.x; }},
    {"fy", "N", false, [](const J& j) { return j.force.y; }},
    {"fz", "N", false, [](const J& j) { return j.force.z; }},
    {"torque", "N m", false, [](const J& j) { return norm(j.torque); }},
    {"tx", "N m", false, [](const J& j) { return j.torque.x; }},
    {"ty", "N m", false, [](const J& j) { return j.torque.y; }},
    {"tz", "N m", false, [](const J& j) { return j.torque.z; }},
};

}  // namespace

std::span<const StepTable> step_tables() { return kTables; }
std::span<const BodyQuantity> body_quantities() { return kBodyQuantities; }
std::span<const JointQuantity> joint_quantities() { return kJointQuantities; }

}  // namespace tenon::plot
