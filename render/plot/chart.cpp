#include "tenon/render/plot/chart.h"

#include <algorithm>
#include <cmath>

#include "tenon/render/plot/thin_out.h"

namespace tenon::plot {
namespace {

// [Okabe2008]: black is the last of them here, for axes are nearly black, too
constexpr Ink kInks[] = {{0, 114, 178}, {213, 94, 0},   {0, 158, 115}, {204, 121, 167},
                         {230, 159, 0}, {86, 180, 233}, {40, 40, 40}};
constexpr Ink kText{34, 40, 48}, kFaint{110, 118, 128}, kGrid{228, 231, 235}, kFrame{120, 126, 134};
constexpr Ink kMark{170, 40, 40}, kTouch{150, 156, 164};
constexpr double kLeft = 74, kRight = 20, kGap = 34, kLine = 16;

class Drawer {
 public:
  Drawer(const Figure& figure, const ChartOptions& options) : figure_(figure), options_(options) {}

  Chart draw() {
    Drawing& d = chart_.drawing;
    d.width = options_.width;
    if (options_.heading) draw_heading();
    time_ = make_axis(figure_.from, figure_.to, "s", static_cast<int>(options_.width / 90));
    for (const Panel& panel : figure_.panels) draw_panel(panel);
    draw_time_labels();
    d.height = std::ceil(y_ + 12);
    return std::move(chart_);
  }

 private:
  template <class Part>
  void put(Part part) {
    chart_.drawing.parts.push_back(std::move(part));
  }
  void put_line(double x0, double y0, double x1, double y1, Ink ink, double dash = 0) {
    put(Polyline{{{x0, y0}, {x1, y1}}, ink, 1, dash, {}, true});
  }
  double right() const { return options_.width - kRight; }
  double x_of(double time) const { return kLeft + (right() - kLeft) * time_.share(time); }

  void draw_heading() {
    put(Words{{16, 26},
              shortened(figure_.title, 17, options_.width - 40),
              17,
              kText,
              Anchor::kStart,
              true});
    put(Words{{16, 44}, shortened(figure_.subtitle, 12, options_.width - 40), 12, kFaint});
    y_ = 52;
  }

  void draw_panel(const Panel& panel) {
    y_ += kGap - 8;
    PanelPlace place{kLeft, 0, right(), 0, {}};
    draw_legend(panel);
    place.top = y_ + 8;
    place.bottom = place.top + options_.panel_height;
    const int wanted = std::clamp(static_cast<int>(options_.panel_height / 28), 3, 12);
    place.axis = fit_axis(panel.series, panel.unit, panel.small_positive, wanted);
    draw_grid(place);
    draw_marks(place);
    for (size_t k = 0; k < panel.series.size(); ++k) draw_series(panel.series[k], k, place);
    draw_frame(place, panel);
    y_ = place.bottom;
    chart_.panels.push_back(std::move(place));
  }

  // Title, then the names of the series with a piece of their lines; in several rows if need be.
  void draw_legend(const Panel& panel) {
    put(Words{
        {kLeft, y_}, shortened(panel.title, 13, right() - kLeft), 13, kText, Anchor::kStart, true});
    // browsers have wider letters than ours
    double x = kLeft + 1.2 * text_width(panel.title, 13, true) + 20;
    for (size_t k = 0; k < panel.series.size(); ++k) {
      const std::string name = shortened(panel.series[k].name, 12, 0.5 * (right() - kLeft));
      const double width = 26 + 1.12 * text_width(name, 12);
      if (x + width > right() && x > kLeft) {
        x = kLeft;
        y_ += kLine;
      }
      put(Polyline{{{x, y_ - 4}, {x + 20, y_ - 4}}, series_ink(k), 2, series_dash(k)});
      put(Words{{x + 25, y_}, name, 12, kText});
      x += width + 18;
    }
  }

  void draw_grid(const PanelPlace& place) {
    put(Area{place.left,
             place.top,
             place.right - place.left,
             place.bottom - place.top,
             {255, 255, 255}});
    for (const Tick& tick : time_.ticks)
      put_line(x_of(tick.value), place.top, x_of(tick.value), place.bottom, kGrid);
    for (const Tick& tick : place.axis.ticks) {
      const double y = y_of(tick.value, place);
      put_line(place.left, y, place.right, y, kGrid);
      if (!tick.label.empty())
        put(Words{{place.left - 7, y + 4}, tick.label, 11.5, kText, Anchor::kEnd});
    }
  }

  static double y_of(double value, const PanelPlace& place) {
    return place.bottom - (place.bottom - place.top) * place.axis.share(value);
  }

  // Events: lines through the panel; contacts that begin: short strokes at its upper edge.
  void draw_marks(const PanelPlace& place) {
    double drawn = -1e9, drawn_minor = -1e9;
    for (const Mark& mark : figure_.marks) {
      const double x = x_of(mark.time);
      double& last = mark.minor ? drawn_minor : drawn;
      if (x - last < (mark.minor ? 1 : 2)) continue;
      last = x;
      const double end = mark.minor ? place.top + 6 : place.bottom;
      Polyline line{{{x, place.top}, {x, end}},
                    mark.minor ? kTouch : kMark,
                    1,
                    mark.minor ? 0.0 : 3,
                    mark.text,
                    true};
      put(std::move(line));
    }
  }

  void draw_series(const Series& series, size_t k, const PanelPlace& place) {
    const auto columns = static_cast<size_t>(place.right - place.left);
    std::vector<double> shown(series.values.size());
    for (size_t i = 0; i < shown.size(); ++i) {
      const double v = series.values[i];
      shown[i] = std::isfinite(v) && std::fabs(v) <= 1e300 ? y_of(v, place) : std::nan("");
    }
    for (const auto& run : thin_out(*series.times, shown, figure_.from, figure_.to, columns)) {
      Polyline line{{}, series_ink(k), 1.4, series_dash(k), series.name};
      for (const Point& p : run)
        line.points.push_back({x_of(p.x), std::clamp(p.y, place.top, place.bottom)});
      // a single point is still to be seen
      if (line.points.size() == 1)
        line.points.push_back({line.points[0].x + 1.5, line.points[0].y});
      put(std::move(line));
    }
  }

  void draw_frame(const PanelPlace& place, const Panel& panel) {
    put(Polyline{{{place.left, place.top},
                  {place.right, place.top},
                  {place.right, place.bottom},
                  {place.left, place.bottom},
                  {place.left, place.top}},
                 kFrame,
                 1,
                 0,
                 {},
                 true});
    const bool count = place.axis.unit.empty();
    put(Words{{16, 0.5 * (place.top + place.bottom)},
              count ? "number" : place.axis.unit,
              12,
              kText,
              Anchor::kMiddle,
              false,
              true});
    if (panel.series.empty() || panel.series.front().values.empty())
      put(Words{{0.5 * (place.left + place.right), 0.5 * (place.top + place.bottom)},
                "nothing recorded",
                13,
                kFaint,
                Anchor::kMiddle});
  }

  void draw_time_labels() {
    for (const Tick& tick : time_.ticks) {
      const double x = x_of(tick.value);
      put_line(x, y_, x, y_ + 4, kFrame);
      put(Words{{x, y_ + 17}, tick.label, 11.5, kText, Anchor::kMiddle});
    }
    y_ += 34;
    put(Words{
        {0.5 * (kLeft + right()), y_}, "time (" + time_.unit + ")", 12, kText, Anchor::kMiddle});
  }

  const Figure& figure_;
  const ChartOptions& options_;
  Chart chart_;
  Axis time_;
  double y_ = 0;  // px, drawn so far
};

}  // namespace

Ink series_ink(size_t place) { return kInks[place % std::size(kInks)]; }
double series_dash(size_t place) {
  return place < std::size(kInks) ? 0 : place < 2 * std::size(kInks) ? 5 : 2;
}

Result<Chart> draw_chart(const Figure& figure, const ChartOptions& options) {
  if (!(options.width >= 320 && options.width <= 8000))
    return Error{.message = "the width of the plot is out of range",
                 .value = decimal(options.width, 3),
                 .accepted = "320 to 8000 pixels"};
  if (!(options.panel_height >= 60 && options.panel_height <= 4000))
    return Error{.message = "the height of a panel is out of range",
                 .value = decimal(options.panel_height, 3),
                 .accepted = "60 to 4000 pixels"};
  return Drawer(figure, options).draw();
}

}  // namespace tenon::plot
