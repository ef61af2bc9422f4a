// A figure as a drawing: panels below each other over a common axis of time.
#pragma once

#include "tenon/render/plot/axis.h"
#include "tenon/render/plot/drawing.h"
#include "tenon/render/plot/figure.h"

namespace tenon::plot {

struct ChartOptions {
  double width = 960;         // px, 320 ... 8000
  double panel_height = 190;  // px of the area that curves fill, 60 ... 4000
  bool heading = true;        // title and subtitle above
};

// Where a panel lies in the drawing, for those who point at it.
struct PanelPlace {
  double left = 0, top = 0, right = 0, bottom = 0;  // px
  Axis axis;
};
struct Chart {
  Drawing drawing;
  std::vector<PanelPlace> panels;
};

// Colours that people with any colour vision tell apart; repeated with dashes after seven.
Ink series_ink(size_t place);
double series_dash(size_t place);

Result<Chart> draw_chart(const Figure& figure, const ChartOptions& options = {});

// One file that needs nothing else: the chart as SVG, and the numbers at the pointer. Source of the
// numbers are the series themselves, thinned out to 3000 columns where they are longer.
std::string to_html(const Figure& figure, const Chart& chart);

}  // namespace tenon::plot
