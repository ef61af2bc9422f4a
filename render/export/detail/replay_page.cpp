#include "tenon/render/export/detail/replay_page.h"

namespace tenon::exports {

const char* const kReplayStyle = R"css(
* { box-sizing: border-box; }
html, body { margin: 0; height: 100%; overflow: hidden; background: #dce9f5; }
/* the bar is below the picture: what a camera has at its lower edge is not hidden */
body { display: flex; flex-direction: column;
  font: 14px/1.3 system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; color: #1c2733; }
canvas { flex: 1 1 0; min-height: 0; width: 100%; display: block; touch-action: none;
  cursor: grab; outline: none; }
canvas.dragging { cursor: grabbing; }
header { position: absolute; left: 16px; top: 12px; right: 16px; pointer-events: none;
  text-shadow: 0 0 4px #fff, 0 0 8px #fff8; }
h1 { font-size: 18px; margin: 0; }
header p { margin: 2px 0; font-size: 13px; opacity: .8; }
#bar { flex: none; padding: 8px 12px; background: #fff; box-shadow: 0 0 12px #0003; display: flex; gap: 6px 8px; align-items: center;
  flex-wrap: wrap; }
#bar button, #bar select { font: inherit; height: 32px; min-width: 34px; border: 1px solid #c4ccd4;
  border-radius: 6px; background: #fff; color: inherit; padding: 0 8px; cursor: pointer; }
#bar button:hover, #bar select:hover { background: #eef3f8; }
#bar button:focus-visible, #bar select:focus-visible, #time:focus-visible, canvas:focus-visible
  { outline: 2px solid #0072b2; outline-offset: 1px; }
#bar button[aria-pressed=true] { background: #0072b2; border-color: #0072b2; color: #fff; }
#bar svg { width: 16px; height: 16px; fill: currentColor; display: block; margin: auto; }
#time { flex: 1 1 180px; min-width: 120px; accent-color: #0072b2; height: 32px; }
#clock { font-variant-numeric: tabular-nums; min-width: 9.5em; text-align: right; }
#help { position: absolute; right: 12px; bottom: 110px; padding: 12px 16px; border-radius: 10px;
  background: #fffffff4; box-shadow: 0 2px 12px #0003; font-size: 13px; max-width: min(92vw, 400px); }
#help td:first-child { padding-right: 14px; white-space: nowrap; font-weight: 600; vertical-align: top; }
#help[hidden] { display: none; }
#message { position: absolute; inset: 0; display: flex; align-items: center; justify-content: center;
  padding: 24px; text-align: center; font-size: 16px; background: #dce9f5; }
#message[hidden] { display: none; }
#message div { max-width: 34em; }
)css";

const char* const kReplayBody =
    R"html(<canvas id="view" tabindex="0" aria-label="The scene; drag to turn it"></canvas>
<header><h1 id="title"></h1><p id="facts"></p><p id="picked"></p></header>
<div id="help" hidden><table>
<tr><td>drag, one finger</td><td>turn the view</td></tr>
<tr><td>right drag, Shift drag, two fingers</td><td>move the view</td></tr>
<tr><td>wheel, pinch, + &minus;</td><td>nearer, farther</td></tr>
<tr><td>W A S D</td><td>turn the view</td></tr>
<tr><td>Space</td><td>play, stop</td></tr>
<tr><td>R</td><td>play the other way</td></tr>
<tr><td>&larr; &rarr;</td><td>one frame; with Shift ten</td></tr>
<tr><td>Home, End</td><td>first, last frame</td></tr>
<tr><td>[ ]</td><td>slower, faster</td></tr>
<tr><td>L</td><td>at the end: again, back and forth, stop</td></tr>
<tr><td>click</td><td>name of a body; F follows it</td></tr>
<tr><td>0</td><td>the view of the chosen camera again</td></tr>
</table></div>
<div id="bar">
<button id="back" title="Play backwards (R)" aria-label="Play backwards"><svg viewBox="0 0 16 16"><path d="M12 2v12L3 8z"/></svg></button>
<button id="previous" title="One frame back (Left)" aria-label="One frame back"><svg viewBox="0 0 16 16"><path d="M12 3v10L6 8zM4 3h2v10H4z"/></svg></button>
<button id="next" title="One frame on (Right)" aria-label="One frame on"><svg viewBox="0 0 16 16"><path d="M4 3v10l6-5zM10 3h2v10h-2z"/></svg></button>
<button id="play" title="Play (Space)" aria-label="Play"><svg viewBox="0 0 16 16"><path d="M4 2v12l9-6z"/></svg></button>
<input id="time" type="range" min="0" max="1000" value="0" step="any" aria-label="Time">
<span id="clock"></span>
<select id="speed" title="Speed ([ and ])" aria-label="Speed"></select>
<select id="loop" title="At the end (L)" aria-label="At the end">
<option value="again">again</option><option value="both">back and forth</option><option value="stop">stop</option></select>
<select id="camera" title="Camera" aria-label="Camera"></select>
<button id="shadows" title="Shadows" aria-pressed="true">shadows</button>
<button id="ask" title="Keys (H)" aria-label="Keys" aria-pressed="false">?</button>
</div>
<div id="message"><div>Unpacking &hellip;</div></div>
<noscript><p style="position:absolute;top:60px;left:16px">This page plays a recording with JavaScript, which is switched off here.</p></noscript>
)html";

}  // namespace tenon::exports
