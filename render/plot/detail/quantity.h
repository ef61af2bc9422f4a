// The names that can be plotted: what they are called, their units, and how to get them.
#pragma once

#include <span>

#include "tenon/recording/joint_table.h"
#include "tenon/render/plot/figure.h"

namespace tenon::plot {

// A column of the per-step diagnostics.
struct StepColumn {
  const char* name;
  double (*get)(const StepDiagnostics& d);
};
struct StepTable {
  const char* name;  // "energy"
  const char* title;
  const char* unit;
  bool small_positive;
  std::span<const StepColumn> columns;
};
std::span<const StepTable> step_tables();

struct BodyQuantity {
  const char* name;
  const char* unit;
  double (*get)(const RecordedBody& body);
};
std::span<const BodyQuantity> body_quantities();

struct JointQuantity {
  const char* name;
  const char* unit;
  bool small_positive;
  double (*get)(const RecordedJoint& joint);
};
std::span<const JointQuantity> joint_quantities();

// What a panel asks for, resolved: where its series come from.
struct Term {
  enum class From { kSteps, kPhases, kBody, kJoint } from = From::kSteps;
  std::string name;  // of the series
  std::string unit;
  std::string title;
  bool small_positive = false;
  const StepColumn* column = nullptr;
  size_t phase = 0;
  size_t place = 0;  // of the body or joint
  const BodyQuantity* body = nullptr;
  const JointQuantity* joint = nullptr;
};

class Resolver {
 public:
  explicit Resolver(RecordingReader& reader) : reader_(reader) {}
  // All series of one panel.
  Result<std::vector<Term>> resolve(const std::string& panel);

 private:
  Status add(const std::string& name, std::vector<Term>& terms);
  Status add_body(const std::string& name, std::vector<Term>& terms);
  Status add_joint(const std::string& name, std::vector<Term>& terms);
  // The coordinate that a joint turns about, where there is one only.
  Result<std::string> find_turn(size_t place);

  RecordingReader& reader_;
  std::vector<JointDescription> joints_;  // read when first needed
};

}  // namespace tenon::plot
