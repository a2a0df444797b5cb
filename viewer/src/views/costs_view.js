// What language models were asked for this mind, and what that cost; what is left of today's budget.

import { el, fill, svg } from "../page/elements.js";
import { empty } from "../page/messages.js";
import { plain } from "../page/plain_text.js";
import { amount, count, day, t } from "../words/language.js";

const GROUPS = ["task", "model"];
const MOST_DAYS = 60;

export async function costsView(page, body) {
  const [days, ...groups] = await Promise.all(["day", ...GROUPS].map((by) => page.call("ledger.get", { by, limit: 1 })));
  const { today } = days;
  const budget = today.limits?.tokens_per_day;
  fill(body, 
    el("p", { class: "lead" }, t("costs_told")),
    el("div", { class: "figures" },
      el("div", { class: "figure wide" }, el("strong", {}, t("costs_tokens", { n: amount(today.tokens) })), el("span", {}, t("costs_today")),
        budget ? [el("meter", { min: "0", max: String(budget), value: String(today.tokens), "aria-label": t("costs_today") }), el("small", {}, t("costs_left", { n: amount(today.left.tokens ?? 0) }))] : null)),
    ...(days.totals.length ? [bars(days.totals), ...groups.map((found, at) => table(GROUPS[at], found.totals))] : [empty(t("costs_none"))]));
}

function bars(totals) {
  const shown = totals.slice(-MOST_DAYS);
  const sum = (each) => each.tokens_in + each.tokens_out;
  const most = Math.max(1, ...shown.map(sum));
  const wide = 10 * shown.length;
  return el("section", {}, el("h2", {}, t("by.day")),
    svg("svg", { class: "spent", viewBox: `0 0 ${wide} 100`, preserveAspectRatio: "none", role: "img", "aria-label": t("by.day") },
      shown.map((each, at) => svg("rect", { x: at * 10 + 1, width: 8, y: 100 - (96 * sum(each)) / most, height: (96 * sum(each)) / most, rx: 1.5 },
        svg("title", {}, `${day(each.day)}: ${t("costs_tokens", { n: amount(sum(each)) })}, ${count("calls", each.calls)}`)))));
}

function table(by, totals) {
  const heads = ["costs_name", "costs_calls", "costs_in", "costs_out", "costs_cost", "costs_time"];
  return el("section", { class: "scrolls", tabindex: "0", "aria-label": t(`by.${by}`) }, el("h2", {}, t(`by.${by}`)),
    el("table", {}, el("thead", {}, el("tr", {}, heads.map((each) => el("th", { scope: "col" }, t(each))))),
      el("tbody", {}, totals.map((each) => el("tr", {}, el("th", { scope: "row" }, plain(each[by])),
        [amount(each.calls), amount(each.tokens_in), amount(each.tokens_out), each.cost ? each.cost.toFixed(4) : "–", `${amount(Math.round(each.median_ms))} ms`].map((cell) => el("td", {}, cell)))))));
}
