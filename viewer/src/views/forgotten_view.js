// What was forgotten: why, since when, and until when it can come back.

import { fadedText } from "../mind/faded_text.js";
import { button, el, fill } from "../page/elements.js";
import { empty, failure, say } from "../page/messages.js";
import { amount, day, named, t } from "../words/language.js";

export async function forgottenView(page, body) {
  const { items, purged, unmet } = await page.cache.forgotten();
  const latest = [...items].sort((a, b) => (b.forgotten_at ?? "").localeCompare(a.forgotten_at ?? ""));
  fill(body, 
    unmet.length ? el("section", { class: "unmet" }, el("h2", {}, t("unmet_title")), el("ul", {}, unmet.map(asked))) : null,
    el("p", { class: "lead" }, t("forgotten_told")),
    latest.length ? el("ol", { class: "cards" }, latest.map((note) => row(page, note))) : empty(t("forgotten_none")),
    purged.length ? el("section", { class: "gone" }, el("h2", {}, t("gone_for_good")), el("ul", {}, purged.map(gone))) : null);
}

function row(page, note) {
  const left = (Date.parse(note.purge_at) - Date.parse(note.forgotten_at)) / 86_400_000;
  return el("li", { class: "sunk" },
    el("button", { type: "button", class: "card", "data-note": note.id, on: { click: () => page.openNote(note.id) } }, fadedText(note),
      el("small", {}, [named("reason", note.reason ?? "-"), t("forgotten_on", { day: day(note.forgotten_at) }), left > 0 && t("forgotten_until", { day: day(note.purge_at) })].filter(Boolean).join(" · "))),
    page.mayEdit && button(t("action_restore"), () => restore(page, note), { class: "main" }));
}

async function restore(page, note) {
  try {
    await page.call("note.restore", { id: note.id });
    say(t("done_restored"));
    page.changed();
  } catch (error) {
    say(failure(error).textContent);
  }
}

// Which message asked for something to be forgotten that is there still; its words stand in no list.
function asked(each) {
  const why = each.meant ? t("unmet_several", { n: amount(each.meant) }) : t("unmet_nothing");
  return el("li", {}, t("unmet_line", { id: `${each.conversation}/${each.id}`, day: day(each.at), why }));
}

function gone(each) {
  return el("li", {}, t("gone_line", { n: amount(each.count), kind: `${each.kind} ${each.item}`, why: named("reason", each.reason), day: day(each.last_at) }));
}
