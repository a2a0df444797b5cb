// One note beside the view: its words, how it fades, why it is remembered, and where it leads.

import { curveChart } from "../drawing/curve_chart.js";
import { fadedText, noteLine } from "../mind/faded_text.js";
import { amount, day, daysBetween, named, share, span, t } from "../words/language.js";
import { button, el, fill, icon } from "./elements.js";
import { isEditing } from "./live_view.js";
import { whileWaiting } from "./messages.js";
import { noteActions } from "./note_actions.js";
import { plain } from "./plain_text.js";

const MOST_TIES = 12;
let shown = null;
let cameFrom = null;
let told = null; // what of the note was shown that a change changes

export const panelIsOpen = () => shown;

export function closePanel() {
  const panel = document.getElementById("panel");
  if (!panel || panel.hidden) return;
  panel.hidden = true;
  document.body.classList.remove("with-panel");
  shown = null;
  if (cameFrom?.isConnected) cameFrom.focus();
}

export function openPanel(page, id) {
  const panel = document.getElementById("panel");
  if (panel.hidden) cameFrom = document.activeElement;
  shown = id;
  panel.hidden = false;
  panel.scrollTop = 0;
  document.body.classList.add("with-panel");
  const body = el("div", { class: "note" });
  fill(panel, button(icon("M6 6l12 12M18 6L6 18"), closePanel, { class: "close", "aria-label": t("close"), title: t("close") }), body);
  return whileWaiting(body, async () => {
    const found = await read(page, id);
    if (shown === id) show(page, body, found);
  });
}

// The note may have changed: it is told anew, if what changed shows. False: somebody edits, so it stays.
export async function refreshPanel(page) {
  const id = shown;
  const panel = document.getElementById("panel");
  const body = panel?.querySelector(".note");
  if (!id || !body) return true;
  let found;
  try {
    found = await read(page, id);
  } catch (error) {
    if (error.name === "not_found" && shown === id) closePanel();
    return true;
  }
  if (shown !== id || face(found) === told) return true;
  if (isEditing()) return false;
  const { scrollTop } = panel;
  const isOpen = body.querySelector("details")?.open === true;
  const had = body.contains(document.activeElement);
  show(page, body, found);
  if (isOpen) body.querySelector("details")?.setAttribute("open", "");
  if (had) panel.focus({ preventScroll: true });
  panel.scrollTop = scrollTop;
  return true;
}

async function read(page, id) {
  const [{ note, why_important: why }, forecast, ties, history] = await Promise.all([
    page.call("note.get", { id }),
    page.call("note.forecast", { id }).catch(() => null),
    page.call("link.list", { note: id, limit: 100 }),
    page.call("note.history", { id }).catch(() => null),
  ]);
  return { note, why, forecast, history, ends: await others(page, note, ties.items) };
}

function show(page, body, found) {
  const { note, why, forecast, history, ends } = found;
  told = face(found);
  fill(body, ...head(page, note), ...fading(note, forecast), ...reasons(note, why), ...leads(page, note, ends), ...versions(history));
}

// What makes a note another to look at; how much of it is left changes all the time, and does not count.
function face({ note, ends, history }) {
  const { version, rendered, state, lifecycle, pinned, tags, importance, valid_from, valid_to, superseded_by } = note;
  const tied = ends.map(([link, id, other]) => [link.id, id, other?.rendered]).sort();
  return JSON.stringify([version, rendered, state, lifecycle, pinned, tags, importance, valid_from, valid_to, superseded_by, tied, history?.versions?.length]);
}

async function others(page, note, links) {
  const strongest = links.sort((a, b) => b.strength - a.strength).slice(0, MOST_TIES);
  return Promise.all(strongest.map(async (link) => {
    const id = link.src === note.id ? link.dst : link.src;
    const other = await page.call("note.get", { id }).then((found) => found.note).catch(() => null);
    return [link, id, other];
  }));
}

const fact = (name, value) => value && [el("dt", {}, name), el("dd", {}, value)];

function head(page, note) {
  const marks = [
    el("span", { class: `chip kind-${note.kind}` }, named("kind", note.kind)),
    el("span", { class: `chip state-${note.state}` }, named("state", note.state)),
    note.pinned && el("span", { class: "chip" }, t("note_pinned")),
    note.lifecycle === "forgotten" && el("span", { class: "chip grave" }, t("note_was_forgotten")),
  ];
  const actions = [button(t("action_graph"), () => page.show("graph", note.id)), ...noteActions(page, note)];
  return [
    el("div", { class: "marks" }, marks, el("code", {}, note.id)),
    el("h2", {}, fadedText(note)),
    validity(page, note),
    el("dl", { class: "about" },
      fact(t("note_by"), note.speaker && plain(note.speaker)),
      fact(t("note_when"), day(note.at)),
      fact(t("note_importance"), share(note.importance)),
      fact(t("note_tags"), note.tags.length > 0 && note.tags.map((tag) => el("span", { class: "tag" }, plain(tag))))),
    el("div", { class: "actions" }, actions),
  ];
}

function validity(page, note) {
  if (!note.valid_to && !note.valid_from) return null;
  const held = note.valid_to
    ? note.valid_from ? t("valid", { from: day(note.valid_from), to: day(note.valid_to) }) : t("valid_until", { to: day(note.valid_to) })
    : t("valid_since", { from: day(note.valid_from) });
  const next = note.superseded_by;
  return el("p", { class: "validity" }, held, next && [" ", t("superseded"), " ", button(next, () => page.openNote(next), { class: "link" })]);
}

function reasons(note, why) {
  const quotes = note.sources.filter((each) => each.quote);
  const first = note.text !== note.rendered && note.text;
  return [
    el("h3", {}, t("why_remembered")),
    note.sources.length ? el("ul", { class: "quotes" }, quotes.map(({ conversation, id, quote }) =>
      el("li", {}, el("q", { dir: "auto" }, plain(quote)), el("small", {}, `${plain(conversation)} / ${plain(id)}`))))
      : el("p", { class: "quiet" }, t("why_none")),
    why?.length ? el("p", { class: "quiet" }, t("why_matters", { reasons: why.map((each) => plain(named("matter", each))).join(" · ") })) : null,
    first ? el("details", {}, el("summary", {}, t("what_was_told")), el("p", { class: "told", dir: "auto" }, plain(first))) : null,
  ].filter(Boolean);
}

function ahead(value, now) {
  if (!value) return t("never");
  const days = daysBetween(now, value);
  if (days <= 0) return t("already");
  return t("on_day", { day: day(value), in: t("in_span", { span: span(days) }) });
}

function fading(note, forecast) {
  if (!forecast) return [];
  const parts = [el("h3", {}, t("how_it_fades"), " ", el("small", {}, t("fades_if")))];
  const moving = forecast.elements.filter((each) => each.points.length > 1 && each.points[0][1] !== each.points.at(-1)[1]);
  if (moving.length) {
    parts.push(curveChart(forecast));
    parts.push(el("ul", { class: "fades" }, forecast.elements.map((each, at) => el("li", {},
      el("i", { class: `stroke curve-${at % 6}` }),
      el("span", { class: "what", dir: "auto" }, each.quote ? plain(each.quote) : each.gist ? el("span", { class: "blurred" }, plain(each.gist)) : t("detail_lost")),
      el("span", { class: "when" }, `${t("blurs", { when: ahead(each.blurs_at, forecast.now) })} · ${t("blanks", { when: ahead(each.blanks_at, forecast.now) })}`),
      each.anchor !== "none" && el("small", {}, named("anchor", each.anchor))))));
  } else {
    parts.push(el("p", { class: "quiet" }, t("fade_never")));
  }
  const end = forecast.dies;
  if (end?.at && note.lifecycle !== "forgotten") parts.push(el("p", { class: "quiet" }, t("dies", { day: day(end.at) })));
  else if (end?.at) parts.push(el("p", { class: "quiet" }, t("forgotten_until", { day: day(end.at) })));
  else if (end?.kept_by) parts.push(el("p", { class: "quiet" }, named("kept", end.kept_by)));
  return parts;
}

function leads(page, note, ends) {
  if (!ends.length) return [el("h3", {}, t("tied_to")), el("p", { class: "quiet" }, t("tied_none"))];
  const rows = ends.map(([link, id, other]) => el("li", {},
    el("meter", { min: "0", max: "1", value: String(Math.min(1, link.strength)), "aria-label": `${named("link", link.kind)} ${amount(Number(link.strength.toFixed(2)))}` }),
    button(other ? noteLine(other, 90) : id, () => page.openNote(id), { class: "link", dir: "auto" }),
    el("small", {}, [link.verb ? plain(link.verb) : named("link", link.kind), named("origin", link.origin), link.dies_at && t("link_dies", { day: day(link.dies_at) })].filter(Boolean).join(" · "))));
  return [el("h3", {}, t("tied_to")), el("ul", { class: "ties" }, rows)];
}

function versions(history) {
  const former = history?.versions ?? [];
  if (!former.length) return [];
  return [el("h3", {}, t("history")), el("ol", { class: "versions" }, former.map((each) =>
    el("li", {}, el("small", {}, t("version", { n: each.version ?? "" })), el("p", { class: "told", dir: "auto" }, plain(each.text ?? "")))))];
}
