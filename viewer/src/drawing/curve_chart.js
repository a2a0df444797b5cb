// The curves of a note: how clear each of its details is in the coming days, and where it blurs and goes blank.

import { svg } from "../page/elements.js";
import { span, t } from "../words/language.js";

const WIDE = 360;
const HIGH = 168;
const LEFT = 8;
const TOP = 10;
const BOTTOM = 24;

export function curveChart(forecast) {
  const days = Math.max(1, forecast.days);
  const x = (at) => LEFT + (at / days) * (WIDE - 2 * LEFT);
  const y = (opacity) => TOP + (1 - Math.min(1, opacity)) * (HIGH - TOP - BOTTOM);
  const line = (points) => points.map(([at, opacity], i) => `${i ? "L" : "M"}${x(at).toFixed(1)} ${y(opacity).toFixed(1)}`).join("");
  const levels = [[forecast.blur_below, "line_blur"], [forecast.blank_below, "line_blank"]];
  const ticks = [0.25, 0.5, 0.75, 1].map((part) => part * days);
  const seen = new Map();
  for (const [at, each] of forecast.elements.entries()) {
    const path = line(each.points);
    if (each.points.length > 1 && !seen.has(path)) seen.set(path, [at, each]);
  }
  const crossings = [...seen.values()].flatMap(([at, each]) => levels.map(([level]) => [at, crossing(each.points, level), level]));
  return svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "curves", role: "img", "aria-label": `${t("how_it_fades")}: ${span(days)}` },
    svg("rect", { class: "zone-clear", x: LEFT, y: TOP, width: WIDE - 2 * LEFT, height: y(forecast.blur_below) - TOP }),
    svg("rect", { class: "zone-blurred", x: LEFT, y: y(forecast.blur_below), width: WIDE - 2 * LEFT, height: y(forecast.blank_below) - y(forecast.blur_below) }),
    levels.map(([level, words]) => [
      svg("line", { class: "level", x1: LEFT, x2: WIDE - LEFT, y1: y(level), y2: y(level) }),
      svg("text", { class: "level-name", x: WIDE - LEFT - 4, y: y(level) - 4, "text-anchor": "end" }, t(words)),
    ]),
    ticks.map((at) => svg("text", { class: "tick", x: x(at), y: HIGH - 6, "text-anchor": at === days ? "end" : "middle" }, span(at))),
    [...seen].map(([path, [at]]) => svg("path", { class: `curve curve-${at % 6}`, d: path, pathLength: "1" })),
    crossings.map(([at, found, level]) => found !== null && svg("circle", { class: `cross curve-${at % 6}`, cx: x(found), cy: y(level), r: 3.4 })),
  );
}

// The day on which a curve falls below a level; null if it never does, or has.
function crossing(points, level) {
  for (let i = 1; i < points.length; i++) {
    const [[from, high], [to, low]] = [points[i - 1], points[i]];
    if (high >= level && low < level) return from + ((high - level) / (high - low || 1)) * (to - from);
  }
  return null;
}
