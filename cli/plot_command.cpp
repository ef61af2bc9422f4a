// plot: curves over time.
#include "tenon/cli/commands.h"
#include "tenon/cli/open_recording.h"
#include "tenon/cli/scene_source.h"
#include "tenon/render/plot/png.h"

namespace tenon::cli {
namespace {

bool ends_with(const std::string& path, const char* ending) {
  return std::string_view(path).ends_with(ending);
}

Status check_arguments(const PlotArguments& args) {
  if (!ends_with(args.output, ".svg") && !ends_with(args.output, ".png") &&
      !ends_with(args.output, ".html"))
    return Error{.message = "the name of the output does not say in which format",
                 .value = args.output,
                 .accepted = "NAME.svg, NAME.png or NAME.html"};
  if (same_file(args.recording, args.output))
    return Error{.message = "the plot would overwrite the recording", .file = args.output};
  if (Status writable = check_writable(args.output); !writable) return writable;
  return check_replaceable(args.output, Output::kOther);
}

std::string draw(const plot::Figure& figure, const plot::Chart& chart, const PlotArguments& args) {
  if (ends_with(args.output, ".svg")) return plot::to_svg(chart.drawing);
  if (ends_with(args.output, ".html")) return plot::to_html(figure, chart);
  return plot::to_png(plot::rasterize(chart.drawing, args.scale));
}

Result<std::string> plot_text(const PlotArguments& args) {
  if (Status good = check_arguments(args); !good) return good.error();
  Result<OpenRecording> recording = open_recording(args.recording);
  if (!recording) return recording.error();
  warn_if_cut_off(*recording->reader);
  plot::FigureOptions options;
  if (!args.what.empty()) options.panels.clear();
  for (const std::string& list : args.what)
    for (std::string& panel : plot::split_panels(list)) options.panels.push_back(std::move(panel));
  if (args.from_s) options.from_s = *args.from_s;
  if (args.to_s) options.to_s = *args.to_s;
  const Result<plot::Figure> figure = plot::read_figure(*recording->reader, options);
  if (!figure) return figure.error();
  const Result<plot::Chart> chart = plot::draw_chart(*figure, args.chart);
  if (!chart) return chart.error();
  return draw(*figure, *chart, args);
}

}  // namespace

int plot_recording(const PlotArguments& args) { return write_made(plot_text(args), args.output); }

}  // namespace tenon::cli
