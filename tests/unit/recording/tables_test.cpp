// The tables of events, diagnostics and bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "sample_run.h"
#include "tenon/recording/body_table.h"
#include "tenon/recording/export_csv.h"
#include "tenon/recording/recorder.h"

namespace tenon {
namespace {

using namespace test;

using ExportTable = Result<uint64_t> (*)(RecordingReader&, ByteSink&, const CsvOptions&);

std::string exported(ExportTable table, const std::vector<std::byte>& bytes,
                     const CsvOptions& options = {}) {
  MemorySource source(bytes, "run.tenon");
  auto reader = RecordingReader::open(source);
  TENON_DEMAND(reader.ok());
  MemorySink sink;
  const auto lines = table(*reader, sink, options);
  if (!lines) {
    EXPECT_TRUE(sink.bytes().empty());
    return "error: " + format(lines.error());
  }
  const std::string text(reinterpret_cast<const char*>(sink.bytes().data()), sink.bytes().size());
  EXPECT_EQ(static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n')), *lines + 1);
  return text;
}

std::string exported(ExportTable table, const SampleRun& sample, const CsvOptions& options = {}) {
  return exported(table, sample_bytes(sample, {}), options);
}

std::vector<std::vector<std::string>> cells(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    size_t begin = 0;
    for (size_t end; (end = line.find(',', begin)) != std::string::npos; begin = end + 1)
      rows.back().push_back(line.substr(begin, end - begin));
    rows.back().push_back(line.substr(begin));
  }
  return rows;
}

double value(const std::string& cell) { return std::strtod(cell.c_str(), nullptr); }

SampleRun sample_with_events() {
  SampleRun sample = make_sample(SampleMotion::kRest, 3, 61);
  sample.run.body_names = {"a,b", "ball", "floor"};
  sample.events = {{"contact_begin", 15, 0.25, 1, 2, -0.125, kNoJoint, 2.5},
                   {"contact_begin", 30, 0.5, 0, 2, -0.1},
                   {"body_frozen", 30, 0.5, 1, kNoBody, 0},
                   {"contact_end", 45, 0.75, 0, 2, -1e-300}};
  return sample;
}

TEST(EventsCsv, HasALinePerEventWithNamesOfBodies) {
  EXPECT_EQ(exported(export_events_csv, sample_with_events()),
            "t,step,event,a,b,value,joint,impulse\n"
            "0.25,15,contact_begin,ball,floor,-0.125,,2.5\n"
            "0.5,30,contact_begin,\"a,b\",floor,-0.1,,0\n"
            "0.5,30,body_frozen,ball,,0,,0\n"
            "0.75,45,contact_end,\"a,b\",floor,-1e-300,,0\n");
}

TEST(EventsCsv, KeepsEventsOfTheChosenBodiesAndTimes) {
  CsvOptions options;
  options.every = 1000;  // does not apply
  options.bodies = {"ball"};
  EXPECT_EQ(exported(export_events_csv, sample_with_events(), options),
            "t,step,event,a,b,value,joint,impulse\n"
            "0.25,15,contact_begin,ball,floor,-0.125,,2.5\n"
            "0.5,30,body_frozen,ball,,0,,0\n");
  // floor stands second in its events; both ends of the range are included
  options.bodies = {"floor"};
  options.from_s = 0.5;
  options.to_s = 0.75;
  EXPECT_EQ(exported(export_events_csv, sample_with_events(), options),
            "t,step,event,a,b,value,joint,impulse\n"
            "0.5,30,contact_begin,\"a,b\",floor,-0.1,,0\n"
            "0.75,45,contact_end,\"a,b\",floor,-1e-300,,0\n");
  options.from_s = 0.8;
  options.to_s = 1e300;
  EXPECT_EQ(exported(export_events_csv, sample_with_events(), options),
            "t,step,event,a,b,value,joint,impulse\n");
}

TEST(EventsCsv, HasEveryEventOnceHoweverTheyLieInChunks) {
  // Several chunks, and steps with so many events that they are spread over two or more chunks.
  SampleRun sample = make_sample(SampleMotion::kRest, 2, 41);
  sample.events.clear();
  for (uint64_t step = 1; step <= 40; ++step)
    for (int i = 0; i < (step % 10 == 0 ? 10000 : 100); ++i)
      sample.events.push_back({"contact_begin", step, sample.frames[step].time, 0, 1, 1.0 * i});
  const auto bytes = sample_bytes(sample, {});
  MemorySource source(bytes);
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  size_t chunks = 0;
  for (const auto& entry : reader->chunks()) chunks += entry.header.kind == kChunkEvents;
  ASSERT_GT(chunks, 2u);
  const auto rows = cells(exported(export_events_csv, bytes));
  ASSERT_EQ(rows.size(), 1 + sample.events.size());
  for (size_t i = 0; i < sample.events.size(); ++i) {
    ASSERT_EQ(rows[i + 1][1], std::to_string(sample.events[i].step));
    ASSERT_EQ(value(rows[i + 1][5]), sample.events[i].value);
  }
}

TEST(EventsCsv, RefusesUnknownBodiesAndBadRangesBeforeItWrites) {
  CsvOptions options;
  options.bodies = {"nobody"};
  EXPECT_NE(exported(export_events_csv, sample_with_events(), options).find("got nobody"),
            std::string::npos);
  options = {};
  options.from_s = std::numeric_limits<double>::quiet_NaN();
  for (ExportTable table : {export_events_csv, export_diagnostics_csv})
    EXPECT_EQ(exported(table, sample_with_events(), options).substr(0, 6), "error:");
  options = {};
  options.every = 0;
  for (ExportTable table : {export_events_csv, export_diagnostics_csv})
    EXPECT_EQ(exported(table, sample_with_events(), options).substr(0, 6), "error:");
}

TEST(DiagnosticsCsv, NumbersReadBackToTheSameBits) {
  SampleRun sample = make_sample(SampleMotion::kTumbling, 2, 70);
  sample.run.joint_names = {"leg", "arm"};
  Rng rng(7);
  for (auto& row : sample.diagnostics) {
    row.mechanics = {random_finite(rng), random_finite(rng), 2.5, random_vector(rng, 1e3),
                     random_vector(rng, 1e-9)};
    row.work_J = random_finite(rng);
    row.contact_pairs = rng.below(9);
    row.worst_joint = row.step % 2 ? 1 : kNoJoint;
    row.joint_iterations = 5;
    row.bisections = 1;
    row.softened_steps = 3;
    row.unconverged_joints = 2;
    row.contact_work_J = -1.5;
    row.contact_sweeps = 7;
    row.contact_residual = 0.25;
    row.candidate_pairs = 11;
    row.substeps = 4;
    row.fallbacks = 6;
    row.sleeping_bodies = 9;
    for (double* x :
         {&row.penetration_m, &row.joint_gap_m, &row.joint_gap_rel, &row.joint_angle_rad})
      *x = rng.uniform(0, 1);
  }
  const auto rows = cells(exported(export_diagnostics_csv, sample));
  ASSERT_EQ(rows.size(), 1 + sample.diagnostics.size());
  std::string header;
  for (const auto& cell : rows[0]) header += cell + " ";
  EXPECT_EQ(header,
            "t step kinetic_J potential_J work_J balance_J px py pz lx ly lz contacts "
            "contact_pairs penetration_m joint_gap_m joint_gap_rel joint_angle_rad frozen_bodies "
            "worst_joint joint_iterations bisections softened_steps unconverged_joints "
            "contact_work_J contact_sweeps contact_residual candidate_pairs substeps fallbacks "
            "sleeping_bodies elastic_J ");
  for (size_t i = 0; i < sample.diagnostics.size(); ++i) {
    const StepDiagnostics& d = sample.diagnostics[i];
    const Mechanics& m = d.mechanics;
    const Vec3 &p = m.linear_momentum, &l = m.angular_momentum;
    const double expected[] = {d.time,
                               static_cast<double>(d.step),
                               m.kinetic_J,
                               m.potential_J,
                               d.work_J,
                               m.kinetic_J + m.potential_J - d.work_J,
                               p.x,
                               p.y,
                               p.z,
                               l.x,
                               l.y,
                               l.z,
                               1.0 * d.contacts,
                               1.0 * d.contact_pairs,
                               d.penetration_m,
                               d.joint_gap_m,
                               d.joint_gap_rel,
                               d.joint_angle_rad,
                               1.0 * d.frozen_bodies};
    ASSERT_EQ(rows[i + 1].size(), std::size(expected) + 13);
    const std::vector<std::string> rest(rows[i + 1].end() - 13, rows[i + 1].end());
    EXPECT_EQ(rest, (std::vector<std::string>{i % 2 ? "" : "arm", "5", "1", "3", "2", "-1.5", "7",
                                              "0.25", "11", "4", "6", "9", "2.5"}));
    for (size_t c = 0; c < std::size(expected); ++c)
      EXPECT_TRUE(same_bits(value(rows[i + 1][c]), expected[c]) ||
                  (std::isnan(value(rows[i + 1][c])) && std::isnan(expected[c])))
          << rows[0][c] << " " << rows[i + 1][c];
  }
}

TEST(EventsCsv, NamesTheJointOfJointEvents) {
  SampleRun sample = sample_with_events();
  sample.run.joint_names = {"a \"b\"", "hinge"};
  sample.events = {{"joint_broke", 15, 0.25, 1, 2, 1.5, 1}, {"joint_made", 30, 0.5, 1, 2, 2, 7}};
  EXPECT_EQ(exported(export_events_csv, sample),
            "t,step,event,a,b,value,joint,impulse\n"
            "0.25,15,joint_broke,ball,floor,1.5,hinge,0\n"
            "0.5,30,joint_made,ball,floor,2,,0\n");
}

TEST(JointsCsv, HasALinePerFrameAndJoint) {
  SampleRun sample = make_sample(SampleMotion::kRest, 1, 31);
  add_joints(sample, 2);
  CsvOptions options;
  options.from_s = 0.1;
  options.every = 10;
  const auto rows = cells(exported(export_joints_csv, sample, options));
  std::string header;
  for (const auto& cell : rows[0]) header += cell + " ";
  EXPECT_EQ(header, "t joint gap_m angle_rad x y z rx ry rz fx fy fz tx ty tz enabled broken ");
  // frames 6, 16, 26
  ASSERT_EQ(rows.size(), 1u + 3 * 2);
  const RecordedJoint& joint = sample.joints[16][1];
  const auto& row = rows[4];
  ASSERT_EQ(row.size(), 18u);
  EXPECT_EQ(row[1], "joint1");
  EXPECT_TRUE(same_bits(value(row[0]), sample.frames[16].time));
  EXPECT_TRUE(same_bits(value(row[2]), joint.gap_m));
  EXPECT_TRUE(same_bits(value(row[7]), joint.coordinate[3]));
  EXPECT_TRUE(same_bits(value(row[11]), joint.force.y));
  EXPECT_EQ(row[16], "0");
  EXPECT_EQ(rows[5][17], "1");
  sample.joints.clear();
  sample.run.joint_track = false;
  EXPECT_NE(exported(export_joints_csv, sample).find("--joints"), std::string::npos);
}

TEST(ContactsCsv, HasALinePerStepAndPoint) {
  SampleRun sample = make_sample(SampleMotion::kRest, 3, 31);
  sample.run.body_names = {"a,b", "ball", "floor"};
  add_contacts(sample, 7);
  const auto rows = cells(exported(export_contacts_csv, sample));
  std::string header;
  for (const auto& cell : rows[0]) header += cell + " ";
  EXPECT_EQ(header, "t step a b x y z nx ny nz distance_m jx jy jz acts ");
  ASSERT_EQ(rows.size(), 1 + sample.contacts.size());
  const RecordedContact& c = sample.contacts[8];
  const auto& row = rows[9];
  // a quoted name has a comma, which the simple splitter takes for the end of a cell
  const size_t more = c.a == 0 ? 1 : 0;
  ASSERT_EQ(row.size(), 15u + more);
  EXPECT_TRUE(same_bits(value(row[0]), c.time));
  EXPECT_EQ(row[1], std::to_string(c.step));
  EXPECT_EQ(row[3 + more], "ball");
  EXPECT_TRUE(same_bits(value(row[4 + more]), c.point_W.x));
  EXPECT_TRUE(same_bits(value(row[7 + more]), -0.0));
  EXPECT_TRUE(same_bits(value(row[10 + more]), c.distance));
  EXPECT_TRUE(same_bits(value(row[13 + more]), c.impulse_W.z));
  EXPECT_EQ(row[14 + more], c.acts ? "1" : "0");
}

TEST(ContactsCsv, KeepsPointsOfTheChosenBodiesTimesAndSteps) {
  SampleRun sample = make_sample(SampleMotion::kRest, 3, 61);
  sample.run.body_names = {"a", "ball", "floor"};
  add_contacts(sample, 6);
  CsvOptions options;
  options.bodies = {"a"};
  // step 24 is the first in the range and has no contacts; counting begins there all the same
  options.from_s = 0.4;
  options.to_s = 0.9;
  options.every = 3;
  size_t expected = 0;
  for (const RecordedContact& c : sample.contacts)
    expected += c.a == 0 && c.step >= 24 && c.step <= 54 && c.step % 3 == 0;
  EXPECT_GT(expected, 5u);
  const auto rows = cells(exported(export_contacts_csv, sample, options));
  EXPECT_EQ(rows.size(), 1 + expected);
  for (size_t i = 1; i < rows.size(); ++i) EXPECT_EQ(std::stoi(rows[i][1]) % 3, 0);
  sample.contacts.clear();
  sample.run.contact_track = false;
  EXPECT_NE(exported(export_contacts_csv, sample).find("--contacts"), std::string::npos);
}

TEST(DiagnosticsCsv, HasTheSameTimesAsThePoses) {
  const SampleRun sample = make_sample(SampleMotion::kRest, 1, 200);
  for (double from_s : {-1.0, 0.0, 0.01, 0.5, 1.2345})
    for (uint64_t every : {1, 2, 7, 50}) {
      CsvOptions options;
      options.from_s = from_s;
      options.to_s = 2.5;
      options.every = every;
      auto poses = cells(exported(export_poses_csv, sample, options));
      const auto rows = cells(exported(export_diagnostics_csv, sample, options));
      // the initial state has no diagnostics
      if (from_s <= 0) poses.erase(poses.begin() + 1);
      ASSERT_EQ(rows.size(), poses.size()) << from_s << " " << every;
      ASSERT_GT(rows.size(), 1u);
      for (size_t i = 1; i < rows.size(); ++i) EXPECT_EQ(rows[i][0], poses[i][0]);
    }
}

const char* const kScene = R"({ "tenon": 1, "bodies": [
  { "name": "floor", "motion": "static", "shape": { "type": "box", "size": [20, 1, 20] } },
  { "name": "Würfel", "mass": 12, "position": [0, 4, 0],
    "shape": { "type": "box", "size": [1, 2, 3] } },
  { "name": "bead", "mass": 0.25, "position": [9, 4, 0], "shape": { "type": "point_mass" } } ] })";

std::vector<std::byte> recorded(const std::vector<std::string>* names = nullptr) {
  const SceneRecord scene{"three.json", "", kScene, {}};
  auto built = scene_builder()(scene, {});
  if (!built) {
    ADD_FAILURE() << format(built.error());
    return {};
  }
  MemorySink sink;
  Recorder recorder(sink);
  RunRecord run;
  run.body_names = names ? *names : built->names;
  EXPECT_TRUE(recorder.begin(built->world, built->handles, run, scene).ok());
  EXPECT_TRUE(recorder.finish(built->world, RunEnd::kCompleted).ok());
  return sink.bytes();
}

TEST(BodyTable, ShowsMassesAndMomentsOfTheRecordedScene) {
  const auto bytes = recorded();
  MemorySource source(bytes);
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  const auto bodies = read_bodies(*reader);
  ASSERT_TRUE(bodies.ok()) << format(bodies.error());
  ASSERT_EQ(bodies->size(), 3u);
  EXPECT_EQ((*bodies)[1].mass.mass, 12);
  // m/12 (b^2 + c^2): 1 + 4, 1 + 9, 4 + 9
  EXPECT_EQ(format(*bodies),
            "body    motion   mass (kg)  mass centre (m)  principal moments (kg m^2)\n"
            "floor   static   -          -                -\n"
            "Würfel  dynamic  12         0 0 0            5 10 13\n"
            "bead    dynamic  0.25       0 0 0            0 0 0\n");
}

TEST(BodyTable, RefusesASceneThatGivesOtherBodies) {
  const std::vector<std::string> names = {"floor", "cube", "bead"};
  const auto bytes = recorded(&names);
  MemorySource source(bytes, "run.tenon");
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  const auto bodies = read_bodies(*reader);
  ASSERT_FALSE(bodies.ok());
  EXPECT_NE(format(bodies.error()).find("run.tenon: the recorded scene gives other bodies"),
            std::string::npos);
}

}  // namespace
}  // namespace tenon
