// What happened when: a bar for each month, and the notes under their days, the latest first.

import { fadedText } from "../mind/faded_text.js";
import { button, el, fill, svg } from "../page/elements.js";
import { empty } from "../page/messages.js";
import { plain } from "../page/plain_text.js";
import { amount, clock, day, month, named, t } from "../words/language.js";

const AT_ONCE = 120;

const monthOf = (note) => (note.at ? note.at.slice(0, 7) : "");

export async function timelineView(page, body, progress) {
  const notes = [...(await page.cache.notes(progress))].sort((a, b) => (b.at ?? "").localeCompare(a.at ?? ""));
  if (!notes.length) {
    fill(body, empty(t("nothing_yet")));
    return;
  }
  const days = el("div", { class: "days" });
  const more = button(t("timeline_more"), () => show(AT_ONCE), { class: "more" });
  let next = 0;
  let lastDay = null;
  let rows = null;

  function show(count) {
    for (const note of notes.slice(next, next + count)) {
      const of = note.at ? note.at.slice(0, 10) : "";
      if (of !== lastDay) {
        rows = el("ol", {});
        days.append(el("section", { "data-month": monthOf(note) }, el("h2", {}, day(note.at && of)), rows));
        lastDay = of;
      }
      rows.append(row(page, note));
    }
    next += count;
    page.kept.shown = next;
    more.hidden = next >= notes.length;
  }

  function jump(wanted) {
    while (next < notes.length && !days.querySelector(`[data-month="${wanted}"]`)) show(AT_ONCE);
    days.querySelector(`[data-month="${wanted}"]`)?.scrollIntoView({ block: "start" });
  }

  show(Math.max(AT_ONCE, page.kept.shown ?? 0));
  fill(body, bars(notes, jump), days, more);
}

function row(page, note) {
  return el("li", { class: `kind-${note.kind}` },
    el("button", { type: "button", class: "card", "data-note": note.id, on: { click: () => page.openNote(note.id) } },
      fadedText(note),
      el("small", {}, [clock(note.at), named("kind", note.kind), note.pinned && t("note_pinned"), ...note.tags.slice(0, 4).map(plain)].filter(Boolean).join(" · "))));
}

function bars(notes, jump) {
  const counts = new Map();
  for (const note of notes) if (monthOf(note).length === 7) counts.set(monthOf(note), (counts.get(monthOf(note)) ?? 0) + 1);
  const months = [...counts].sort(([a], [b]) => a.localeCompare(b)).slice(-60);
  const most = Math.max(1, ...months.map(([, number]) => number));
  return el("div", { class: "bars", role: "group", "aria-label": t("timeline_bars") },
    months.map(([key, number]) => {
      const words = t("timeline_jump", { month: month(key), n: amount(number) });
      const bar = svg("svg", { viewBox: "0 0 10 40", preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect", { x: 0, width: 10, y: 40 - 38 * Math.sqrt(number / most), height: 40, rx: 1.5 }));
      return el("button", { type: "button", "aria-label": words, title: words, on: { click: () => jump(key) } }, bar, el("span", { "aria-hidden": "true" }, months.length < 15 ? month(key) : key.slice(2)));
    }));
}
