#include "tenon/render/report/page.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tenon/render/export/base64.h"
#include "tenon/render/plot/chart.h"
#include "tenon/render/report/style.h"
#include "tenon/render/stage.h"

namespace tenon::report {
namespace {

using plot::decimal;
using plot::escape;

std::string figure(double value, int digits = 4) {
  char buffer[48];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits).ptr;
  return {buffer, end};
}
std::string count(uint64_t value) { return std::to_string(value); }

std::string cell(const std::string& tag, const std::string& content) {
  return "<" + tag + ">" + content + "</" + tag + ">";
}
// A row of a table: a name and its values.
std::string row(const std::string& name, std::initializer_list<std::string> values) {
  std::string text = "<tr>" + cell("th", escape(name));
  for (const std::string& value : values) text += cell("td", escape(value));
  return text + "</tr>\n";
}
std::string head(std::initializer_list<const char*> names) {
  std::string text = "<tr class=\"head\">";
  for (const char* name : names) text += cell("th", name);
  return text + "</tr>\n";
}
std::string section(const std::string& title, const std::string& content) {
  return content.empty() ? "" : "<section>\n<h2>" + title + "</h2>\n" + content + "</section>\n";
}
std::string table(const std::string& rows) { return "<table>\n" + rows + "</table>\n"; }

std::string times_of(const Course& course, const char* unit, double time) {
  return figure(course.max) + unit + " at " + figure(time) + " s";
}

std::string facts(const RunSummary& s, const scene::Document& document) {
  const RunRecord& run = s.info.run;
  size_t dynamic = 0, fixed = 0, moved = 0;
  for (const scene::Body& body : document.bodies) {
    dynamic += body.motion == scene::Motion::kDynamic;
    fixed += body.motion == scene::Motion::kStatic;
    moved += body.motion == scene::Motion::kKinematic;
  }
  const Vec3& g = document.world.gravity;
  std::string rows = row("scene", {s.info.scene.name});
  rows += row("bodies", {count(document.bodies.size()) + ": " + count(dynamic) + " free, " +
                         count(fixed) + " fixed, " + count(moved) + " moved by a script"});
  rows += row("joints and connections",
              {count(document.joints.size()) + " and " + count(document.connections.size())});
  rows += row("gravity", {"(" + figure(g.x) + ", " + figure(g.y) + ", " + figure(g.z) + ") m/s²"});
  rows += row("method", {run.method});
  rows += row("step", {run.step_s > 0 ? figure(1000 * run.step_s, 6) + " ms" : "varies"});
  rows +=
      row("simulated", {figure(s.info.first_time) + " s to " + figure(s.info.last_time, 6) +
                        " s, " + count(s.steps) + " steps, " + count(s.info.frames) + " frames"});
  if (s.info.end.end != RunEnd::kCompleted)
    rows += row("state", {std::string(name(s.info.end.end)) + ": " + s.info.end.reason});
  return table(rows);
}

std::string strip(const std::vector<Still>& stills) {
  std::string text;
  for (const Still& still : stills) {
    const std::string t = decimal(still.time, 3) + " s";
    text += "<figure><img alt=\"The scene at " + t + "\" src=\"data:image/png;base64," +
            exports::base64(still.png) + "\"><figcaption>" + t + "</figcaption></figure>\n";
  }
  return text.empty() ? "" : "<div class=\"strip\">\n" + text + "</div>\n";
}

std::string accuracy(const RunSummary& s, const scene::Document& document) {
  std::string rows;
  const auto add = [&](const char* name, Course c, const char* unit, double scale = 1) {
    c.max *= scale;
    rows += row(name, {times_of(c, unit, c.max_time), figure(scale * c.rms()) + unit,
                       figure(scale * c.end) + unit});
  };
  if (!document.joints.empty() || !document.connections.empty()) {
    add("joint gap", s.gap_m, " mm", 1000);
    add("joint gap, relative to the smaller body", s.gap_rel, "");
    add("angular error of joints", s.angle_rad, " rad");
  }
  if (s.contacts.max > 0) {
    add("overlap of bodies", s.penetration_m, " mm", 1000);
    add("contact points", s.contacts, "");
  }
  if (rows.empty()) return "<p>No joints, no contacts.</p>\n";
  std::string text = table(head({"", "largest", "root mean square", "at the end"}) + rows);
  if (!s.worst_joint.empty())
    text += "<p>Worst joint: " + escape(s.worst_joint) + ". Joints are solved to a tolerance of " +
            figure(document.world.tolerance) + " of body size" +
            (s.unconverged_steps > 0 ? "; " + count(s.unconverged_steps) + " of " + count(s.steps) +
                                           " steps had joints beyond it"
                                     : "; no step had a joint beyond it") +
            ".</p>\n";
  if (s.frozen_bodies > 0)
    text +=
        "<p>" + count(s.frozen_bodies) + " bodies were frozen: their motion left all bounds.</p>\n";
  return text;
}

std::string energy(const RunSummary& s) {
  if (s.steps == 0) return {};
  const auto joule = [](double v) { return figure(v, 6); };
  const auto change = [&](double a, double b) { return joule(b - a); };
  const RunSummary::Energy &a = s.first, &b = s.last;
  std::string rows = head({"J", "first step", "last step", "change"});
  rows += row("kinetic", {joule(a.kinetic), joule(b.kinetic), change(a.kinetic, b.kinetic)});
  rows += row("potential, of gravity",
              {joule(a.potential), joule(b.potential), change(a.potential, b.potential)});
  if (a.elastic != 0 || b.elastic != 0)
    rows += row("of springs", {joule(a.elastic), joule(b.elastic), change(a.elastic, b.elastic)});
  rows +=
      row("work of everything but gravity", {joule(a.work), joule(b.work), change(a.work, b.work)});
  if (b.contact_work != 0)
    rows += row("of it by contacts", {joule(a.contact_work), joule(b.contact_work),
                                      change(a.contact_work, b.contact_work)});
  rows += row("balance: kinetic + potential - work",
              {joule(a.balance()), joule(b.balance()), change(a.balance(), b.balance())});
  std::string text = table(rows);
  text += "<p>The balance strayed by at most " + figure(s.balance_error_J) + " J";
  if (s.largest_kinetic_J > 0)
    text += ", " + figure(100 * s.balance_error_J / s.largest_kinetic_J, 3) +
            " % of the largest kinetic energy";
  return text + ". Momentum less impulses strayed by at most " + figure(s.linear_error) +
         " kg m/s (linear) and " + figure(s.angular_error) + " kg m²/s (angular).</p>\n";
}

std::string phases(const RunSummary& s) {
  const double all = s.step_ms();
  if (!(all > 0)) return {};
  std::string rows = head({"phase", "ms per step", "share"});
  for (size_t i = 0; i < kPhaseCount; ++i) {
    if (!(s.phase_ms[i] > 0)) continue;
    const double share = s.phase_ms[i] / all;
    rows += "<tr>" + cell("th", escape(name(static_cast<Phase>(i)))) +
            cell("td", decimal(s.phase_ms[i], 4)) +
            "<td class=\"bar\"><span style=\"width:" + decimal(100 * share, 1) + "%\"></span><b>" +
            decimal(100 * share, 1) + " %</b></td></tr>\n";
  }
  rows += row("all", {decimal(all, 4), "100 %"});
  std::string text = table(rows);
  const double step_ms = 1000 * s.info.run.step_s;
  if (step_ms > 0)
    text += "<p>" + figure(step_ms / all, 3) + " times real time, recording not counted, with " +
            count(s.info.run.threads) + (s.info.run.threads == 1 ? " thread" : " threads") +
            " on the machine that made it.</p>\n";
  return text;
}

std::string hints(const RunSummary& s) {
  if (s.info.health.empty()) return "<p>Nothing was found that makes the run doubtful.</p>\n";
  std::string text = "<ul>\n";
  for (const std::string& hint : s.info.health) text += cell("li", escape(hint)) + "\n";
  return text + "</ul>\n";
}

// A word of a command line, quoted where a shell needs it.
std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=./:,@%[]") == std::string::npos;
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string reproduce(const RunSummary& s, const std::string& recording) {
  std::string command = "tenon run " + shell_word(s.info.scene.name);
  for (const std::string& change : s.info.scene.overrides)
    command += " --set " + shell_word(change);
  command += " -o " + shell_word(recording);
  char hash[24];
  const auto end = std::to_chars(hash, hash + sizeof hash, s.state_hash, 16).ptr;
  std::string digits(hash, end);
  digits.insert(0, 16 - std::min<size_t>(16, digits.size()), '0');
  std::string text = "<pre>" + escape(command) + "</pre>\n";
  text += "<p>Tenon " + escape(s.info.run.version) + "; state after the last frame " +
          cell("code", digits) +
          ": a run of the same version that ends with these digits is the same in every bit, with "
          "any number "
          "of threads. The scene is part of the recording.";
  if (!s.info.run.resumed_from.empty())
    text += " This recording continues " + escape(s.info.run.resumed_from) + ".";
  return text + "</p>\n";
}

// What the lines and ticks across the curves are, where there are any.
std::string legend(const plot::Figure& figure) {
  const auto has = [&](bool minor) {
    return std::any_of(figure.marks.begin(), figure.marks.end(),
                       [&](const plot::Mark& mark) { return mark.minor == minor; });
  };
  std::string text;
  if (has(false))
    text +=
        "Red dashed lines: joints that broke, were made or released, bodies let go or frozen, "
        "and hints on health. ";
  if (has(true)) text += "Grey ticks at the top: bodies begin to touch, or enter a sensor. ";
  return text.empty() ? "" : "<p class=\"legend\">" + text + "The pointer over one names it.</p>\n";
}

Result<std::string> plots(RecordingReader& reader, const RunSummary& s,
                          const scene::Document& document) {
  plot::FigureOptions options;
  options.panels = {"energy", "energy-balance"};
  if (!document.joints.empty() || !document.connections.empty())
    options.panels.emplace_back("joint-gap");
  if (s.contacts.max > 0) {
    options.panels.emplace_back("penetration");
    options.panels.emplace_back("contacts");
  }
  if (s.step_ms() > 0) options.panels.emplace_back("phases");
  const auto figure = plot::read_figure(reader, options);
  if (!figure) return figure.error();
  const auto chart =
      plot::draw_chart(*figure, {.width = 860, .panel_height = 130, .heading = false});
  if (!chart) return chart.error();
  return plot::to_svg(chart->drawing) + legend(*figure);
}

}  // namespace

Result<std::string> make_page(RecordingReader& reader, const PageOptions& options) {
  auto summary = summarize(reader);
  if (!summary) return summary.error();
  auto source = render::StageSource::open(reader);
  if (!source) return source.error();
  const scene::Document& document = source->document();
  const auto curves = plots(reader, *summary, document);
  if (!curves) return curves.error();
  const SceneRecord& scene = summary->info.scene;
  const std::string title = scene.title.empty() ? scene.name : scene.title;
  std::string page =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" +
      escape(title) + "</title>\n<style>" + kPageStyle + "</style>\n</head>\n<body>\n";
  page += "<h1>" + escape(title) + "</h1>\n";
  if (!document.description.empty()) page += "<p>" + escape(document.description) + "</p>\n";
  page += strip(options.stills);
  page += section("Run", facts(*summary, document));
  page += section("Course", *curves);
  page += section("Accuracy", accuracy(*summary, document));
  page += section("Energy and momentum", energy(*summary));
  page += section("Time", phases(*summary));
  page += section("Health", hints(*summary));
  page += section("To make it again", reproduce(*summary, options.recording));
  return page + "</body>\n</html>\n";
}

}  // namespace tenon::report
