// The chunks that joints have: their track, and which of them events are about.
#include "tenon/recording/detail/payload.h"

namespace tenon::recording_detail {
namespace {

constexpr uint64_t kEnabled = 1, kBroken = 2;

TrackShape joint_shape(uint32_t frames, uint32_t joints) {
  std::vector<ColumnType> types(kJointChannels, ColumnType::kDouble);
  types.back() = ColumnType::kInteger;
  return {frames, joints, std::move(types), false, 0};
}

// place of the event in its chunk, place of the joint
std::vector<ColumnType> link_types() { return {ColumnType::kInteger, ColumnType::kInteger}; }

}  // namespace

void JointWords::joint(uint32_t frame, uint32_t index, RecordedJoint& out) const {
  const uint64_t* w = &words[(size_t{frame} * joints + index) * kJointChannels];
  const auto d = [w](size_t i) { return std::bit_cast<double>(w[i]); };
  out.gap_m = d(0);
  out.angle_rad = d(1);
  for (size_t k = 0; k < 6; ++k) out.coordinate[k] = d(2 + k);
  out.force = {d(8), d(9), d(10)};
  out.torque = {d(11), d(12), d(13)};
  out.enabled = (w[14] & kEnabled) != 0;
  out.broken = (w[14] & kBroken) != 0;
}

void JointWords::add_joint(const RecordedJoint& joint) {
  const auto add = [this](double value) { words.push_back(std::bit_cast<uint64_t>(value)); };
  add(joint.gap_m);
  add(joint.angle_rad);
  for (const double c : joint.coordinate) add(c);
  for (const Vec3* v : {&joint.force, &joint.torque})
    for (int i = 0; i < 3; ++i) add((*v)[i]);
  words.push_back((joint.enabled ? kEnabled : 0) | (joint.broken ? kBroken : 0));
}

void JointWords::clear() {
  frames = 0;
  words.clear();
}

std::vector<std::byte> encode_joints(const JointWords& joints) {
  Encoder out;
  out.u32(joints.frames);
  out.u32(joints.joints);
  encode_track(out, joint_shape(joints.frames, joints.joints), joints.words);
  return out.take();
}

std::optional<JointWords> decode_joints(std::span<const std::byte> bytes, bool check_crc) {
  Decoder in(bytes);
  JointWords joints;
  joints.frames = in.u32();
  joints.joints = in.u32();
  auto words = decode_track(in, joint_shape(joints.frames, joints.joints), check_crc);
  if (!words || !in.done()) return std::nullopt;
  joints.words = std::move(*words);
  return joints;
}

std::vector<std::byte> encode_event_joints(std::span<const RecordedEvent> events) {
  Table table;
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].joint == kNoJoint) continue;
    table.words.insert(table.words.end(), {uint64_t{i}, uint64_t{events[i].joint}});
    ++table.rows;
  }
  if (table.rows == 0) return {};
  return encode_table(table, link_types());
}

bool decode_event_joints(std::span<const std::byte> bytes, bool check_crc,
                         std::span<RecordedEvent> events) {
  const auto table = decode_table(bytes, link_types(), check_crc);
  if (!table) return false;
  for (size_t r = 0; r < table->rows; ++r) {
    const uint64_t event = table->words[2 * r], joint = table->words[2 * r + 1];
    if (event >= events.size() || joint > kNoJoint) return false;
    events[static_cast<size_t>(event)].joint = static_cast<uint32_t>(joint);
  }
  return true;
}

}  // namespace tenon::recording_detail
