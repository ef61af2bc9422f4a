#include "tenon/render/plot/figure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tenon/render/plot/detail/quantity.h"
#include "tenon/render/plot/drawing.h"

namespace tenon::plot {
namespace {

constexpr size_t kMaxPanels = 40;
constexpr double kSlack_s = 0.5e-9;  // a time that was printed and typed again finds its frame

using Times = std::shared_ptr<std::vector<double>>;

// Reads all series of all panels, each track of the recording once.
class Collector {
 public:
  Collector(RecordingReader& reader, double from, double to)
      : reader_(reader), from_(from - kSlack_s), to_(to + kSlack_s) {}

  void want(const Term& term, Series& series) {
    const bool steps = term.from == Term::From::kSteps || term.from == Term::From::kPhases;
    series.times = steps ? step_times_ : frame_times_;
    wanted_.push_back({term, &series});
    bodies_ = bodies_ || term.from == Term::From::kBody;
    joints_ = joints_ || term.from == Term::From::kJoint;
    steps_ = steps_ || steps;
  }

  Status collect() {
    if (bodies_ || joints_)
      if (Status read = read_frames(); !read) return read;
    return steps_ ? read_steps() : Status(Ok{});
  }

 private:
  Status read_frames() {
    if (reader_.frame_count() == 0) return Ok{};
    Result<uint64_t> first = reader_.find_frame(from_);
    if (!first) return first.error();
    RecordedFrame frame;
    std::vector<RecordedJoint> joints;
    for (uint64_t i = *first; i < reader_.frame_count(); ++i) {
      if (Status read = reader_.read_frame(i, frame); !read) return read;
      if (frame.time < from_) continue;
      if (frame.time > to_) break;
      if (joints_)
        if (Status read = reader_.read_joints(i, joints); !read) return read;
      frame_times_->push_back(frame.time);
      for (auto& [term, series] : wanted_) {
        if (term.from == Term::From::kBody)
          series->values.push_back(term.body->get(frame.bodies[term.place]));
        if (term.from == Term::From::kJoint)
          series->values.push_back(term.joint->get(joints[term.place]));
      }
    }
    return Ok{};
  }

  Status read_steps() {
    uint64_t next = 0;
    for (const ChunkEntry& entry : reader_.chunks()) {
      const ChunkHeader& header = entry.header;
      if (header.kind != kChunkDiagnostics || header.last_step < next) continue;
      const uint64_t first = std::exchange(next, header.last_step + 1);
      if (header.last_time < from_) continue;
      if (header.first_time > to_) break;
      const auto rows = reader_.read_diagnostics(first, header.last_step);
      if (!rows) return rows.error();
      for (const StepDiagnostics& d : *rows)
        if (d.time >= from_ && d.time <= to_) add(d);
    }
    return Ok{};
  }

  void add(const StepDiagnostics& d) {
    step_times_->push_back(d.time);
    for (auto& [term, series] : wanted_) {
      if (term.from == Term::From::kSteps) series->values.push_back(term.column->get(d));
      if (term.from == Term::From::kPhases) series->values.push_back(d.phase_ms[term.phase]);
    }
  }

  RecordingReader& reader_;
  double from_, to_;
  Times step_times_ = std::make_shared<std::vector<double>>();
  Times frame_times_ = std::make_shared<std::vector<double>>();
  struct Wanted {
    Term term;
    Series* series;
  };
  std::vector<Wanted> wanted_;
  bool bodies_ = false, joints_ = false, steps_ = false;
};

double sum_of(const Series& series) {
  double sum = 0;
  for (const double v : series.values) sum += std::isfinite(v) ? std::fabs(v) : 0;
  return sum;
}

// Leaves out what is not worth a line: springs where there are none, phases below a hundredth.
void drop_idle(Panel& panel, const std::string& name) {
  if (name == "energy")
    std::erase_if(panel.series,
                  [](const Series& s) { return s.name == "springs" && sum_of(s) == 0; });
  if (name != "phases") return;
  double all = 0;
  for (const Series& series : panel.series) all += sum_of(series);
  std::erase_if(panel.series, [&](const Series& s) { return !(sum_of(s) > 0.01 * all); });
}

// An error is seen as a change, not beside a large constant.
void subtract_first(Panel& panel) {
  for (Series& series : panel.series) {
    const double first = series.values.empty() ? 0 : series.values.front();
    for (double& value : series.values) value -= first;
  }
}

std::string mark_text(const RecordedEvent& event, const RunRecord& run) {
  std::string text = event.kind;
  std::replace(text.begin(), text.end(), '_', ' ');
  if (event.joint < run.joint_names.size()) return text + ": " + run.joint_names[event.joint];
  if (event.a < run.body_names.size()) text += ": " + run.body_names[event.a];
  if (event.b < run.body_names.size()) text += ", " + run.body_names[event.b];
  return text;
}

Result<std::vector<Mark>> read_marks(RecordingReader& reader, double from, double to) {
  const auto events = reader.read_events(0, reader.end().step);
  if (!events) return events.error();
  std::vector<Mark> marks;
  for (const RecordedEvent& event : *events) {
    if (event.time < from - kSlack_s || event.time > to + kSlack_s) continue;
    if (event.kind == "contact_end" || event.kind == "sensor_leave") continue;
    const bool minor = event.kind == "contact_begin" || event.kind == "sensor_enter";
    marks.push_back({event.time, mark_text(event, reader.run()), minor});
  }
  return marks;
}

// The span to show: what was asked for, cut to what was recorded.
Result<std::pair<double, double>> find_span(RecordingReader& reader, const FigureOptions& options) {
  if (std::isnan(options.from_s) || std::isnan(options.to_s))
    return Error{.message = "the times of the plot are no numbers"};
  if (reader.frame_count() == 0)
    return Error{.message = "the recording has no frames", .file = reader.source().name()};
  const auto first = reader.read_frame(0), last = reader.read_frame(reader.frame_count() - 1);
  if (!first) return first.error();
  if (!last) return last.error();
  const double from = std::max(options.from_s, first->time);
  const double to = std::min(options.to_s, last->time);
  if (from < to || (reader.frame_count() == 1 && from == to)) return std::pair(from, to);
  const auto text = [](double t) {
    return std::isfinite(t) ? decimal(t, 9) : t < 0 ? "the beginning" : "the end";
  };
  return Error{.message = "the recording has nothing between these times",
               .value = text(options.from_s) + " to " + text(options.to_s) + " s",
               .accepted = text(first->time) + " to " + text(last->time) + " s"};
}

std::string subtitle(const RunRecord& run, const std::string& scene) {
  std::string text = scene + ", method " + run.method;
  if (run.step_s > 0) text += ", step " + decimal(1000 * run.step_s, 3) + " ms";
  return text + ", tenon " + run.version;
}

}  // namespace

Result<Figure> read_figure(RecordingReader& reader, const FigureOptions& options) {
  if (options.panels.empty() || options.panels.size() > kMaxPanels)
    return Error{.message = "nothing, or too much, to plot",
                 .value = std::to_string(options.panels.size()) + " panels",
                 .accepted = "1 to " + std::to_string(kMaxPanels)};
  const auto span = find_span(reader, options);
  if (!span) return span.error();
  Figure figure;
  std::tie(figure.from, figure.to) = *span;
  Resolver resolver(reader);
  Collector collector(reader, figure.from, figure.to);
  figure.panels.resize(options.panels.size());
  for (size_t i = 0; i < figure.panels.size(); ++i) {
    const auto terms = resolver.resolve(options.panels[i]);
    if (!terms) return terms.error();
    Panel& panel = figure.panels[i];
    const Term& lead = terms->front();
    panel.title = terms->back().title == lead.title ? lead.title : options.panels[i];
    panel.unit = lead.unit;
    panel.small_positive = lead.small_positive;
    panel.series.resize(terms->size());
    for (size_t k = 0; k < terms->size(); ++k) {
      panel.series[k].name = (*terms)[k].name;
      collector.want((*terms)[k], panel.series[k]);
    }
  }
  if (const Status collected = collector.collect(); !collected) return collected.error();
  for (size_t i = 0; i < figure.panels.size(); ++i) {
    drop_idle(figure.panels[i], options.panels[i]);
    if (options.panels[i] == "energy-balance") subtract_first(figure.panels[i]);
  }
  auto marks = read_marks(reader, figure.from, figure.to);
  if (!marks) return marks.error();
  figure.marks = std::move(*marks);
  const auto scene = reader.scene();
  if (scene) figure.title = scene->title.empty() ? scene->name : scene->title;
  figure.subtitle = subtitle(reader.run(), scene ? scene->name : "scene unknown");
  return figure;
}

}  // namespace tenon::plot
