// Why it remembers just this: the seeds of a question, the links the recall spread along, what is shown, what is held back.

import { fadedText, noteLine } from "../mind/faded_text.js";
import { button, el, fill } from "../page/elements.js";
import { empty, whileWaiting } from "../page/messages.js";
import { plain, shortened } from "../page/plain_text.js";
import { amount, named, share, t } from "../words/language.js";

const SHOWN = 8;
const LOOKED_AT = 24; // to tell what was not sure enough

let asked = "";

export async function recallView(page, body) {
  const input = el("input", { type: "search", "aria-label": t("recall_question"), placeholder: t("recall_hint"), value: asked, maxlength: "400", class: "question" });
  const result = el("div", { class: "explained" });
  const ask = () => {
    asked = input.value.trim();
    if (asked) return whileWaiting(result, () => explain(page, asked, result));
    return fill(result, empty(t("recall_hint")));
  };
  fill(body, 
    el("form", { class: "asking", on: { submit: (event) => (event.preventDefault(), ask()) } },
      el("h2", {}, t("recall_question")), el("div", { class: "row" }, input, el("button", { type: "submit", class: "main" }, t("recall_go")))),
    page.source.isStored ? el("p", { class: "quiet" }, t("recall_stored")) : null,
    result);
  if (page.about && !asked) input.value = page.about;
  await ask();
}

async function explain(page, query, place) {
  const params = { query, k: SHOWN, explain: true, depth: "normal" };
  const found = await page.call("recall", params);
  const wider = found.below_floor ? await page.call("recall", { ...params, k: LOOKED_AT, min_score: 0 }) : { items: [] };
  const shown = new Set(found.items.map((item) => item.id));
  const unsure = wider.items.filter((item) => !shown.has(item.id)).slice(0, found.below_floor);
  const seeds = found.items.filter((item) => !item.why?.path?.length);
  const steps = [...found.items, ...unsure].flatMap((item) => (item.why?.path ?? []).map((step) => ({ step, item })));
  const held = [...(found.suppressed ?? []), ...unsure.map((item) => ({ ...item, because: "below_floor" }))];
  const kept = new Map([...found.items, ...unsure].map((item) => [item.id, item]));
  fill(place, 
    analysis(found),
    column("seeds", seeds.map((item) => seed(page, item)), null),
    column("spread", steps.map(({ step }) => walked(page, step, kept)), t("recall_no_spread")),
    column("shown", found.items.map((item, at) => brought(page, item, at)), t("recall_none")),
    column("held", held.map((item) => kept_back(page, item)), t("recall_no_held")));
}

function analysis(found) {
  const told = found.analysis ?? {};
  const leaning = Object.entries(told.leaning ?? {}).map(([name, value]) => `${plain(name)} ${share(value)}`);
  return el("p", { class: "analysis quiet" }, [t("recall_took", { ms: amount(Math.round(found.elapsed_ms ?? 0)) }), told.depth && plain(told.depth), ...leaning].filter(Boolean).join(" · "));
}

function column(name, rows, none) {
  return el("section", { class: `column column-${name}` },
    el("h3", {}, t(`recall_${name}`)), el("p", { class: "quiet" }, t(`recall_${name}_told`)),
    rows.length ? el("ol", {}, rows) : none && el("p", { class: "none" }, none));
}

function channels(why) {
  return Object.entries(why?.channels ?? {}).filter(([, value]) => value > 0).map(([name, value]) =>
    el("span", { class: "channel" }, named("channel", name), el("meter", { min: "0", max: "1", value: String(Math.min(1, value)), "aria-label": `${named("channel", name)} ${share(value)}` })));
}

const opens = (page, item) => (/^n\d|^n_/.test(item.id) ? { click: () => page.openNote(item.id) } : {});

function seed(page, item) {
  return el("li", {}, el("button", { type: "button", class: "card", on: opens(page, item) }, el("bdi", { dir: "auto" }, noteLine(item, 70))), el("div", { class: "channels" }, channels(item.why)));
}

function walked(page, step, kept) {
  const to = kept.get(step.dst);
  const way = step.verb ? plain(step.verb) : named("link", step.kind);
  return el("li", { class: "step" },
    button(shortened(step.from || step.src, 46), () => page.openNote(step.src), { class: "link", dir: "auto" }),
    el("span", { class: "way" }, el("span", { "aria-hidden": "true" }, step.backward ? "↑" : "↓"), ` ${step.kind === "name" ? `${named("link", "name")} ${way}` : way}`,
      step.strength ? ` · ${share(step.strength)}` : ""),
    button(to ? noteLine(to, 46) : step.dst, () => page.openNote(step.dst), { class: "link", dir: "auto" }));
}

function brought(page, item, at) {
  return el("li", {},
    el("button", { type: "button", class: "card", on: opens(page, item) }, fadedText(item),
      el("small", {}, `${at + 1} · ${share(item.score)} · ${named("tier", item.tier)}`)));
}

function kept_back(page, item) {
  return el("li", {},
    el("button", { type: "button", class: "card", on: opens(page, item) }, el("bdi", { dir: "auto" }, noteLine(item, 80)),
      el("small", {}, [named("because", item.because), item.like && plain(item.like), item.score !== undefined && share(item.score)].filter(Boolean).join(" · "))));
}
