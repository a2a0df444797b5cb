// Facts: what is known of whom, with what it was before; and what changed, with the time for which it held.

import { fadedText } from "../mind/faded_text.js";
import { button, el, fill } from "../page/elements.js";
import { empty, whileWaiting } from "../page/messages.js";
import { plain } from "../page/plain_text.js";
import { amount, day, named, t } from "../words/language.js";

export async function factsView(page, body, progress) {
  const [{ items: names }, notes] = await Promise.all([page.call("profile.list"), page.cache.notes(progress)]);
  const about = el("section", { class: "profile", "aria-live": "polite" });
  const people = names.slice(0, 60).map(({ name, notes: number }) =>
    button([el("bdi", { dir: "auto" }, plain(name)), el("small", {}, amount(number))], () => choose(name), { class: "person", "data-name": name, "aria-pressed": "false" }));
  const changed = notes.filter((note) => note.valid_to || note.superseded_by || (note.kind === "semantic" && note.valid_from));
  const byId = new Map(notes.map((note) => [note.id, note]));

  function choose(name) {
    page.kept.person = name;
    for (const each of people) each.setAttribute("aria-pressed", String(each.dataset.name === name));
    return whileWaiting(about, async () => fill(about, ...profile(page, name, await page.call("profile.get", { name }))));
  }

  fill(body, 
    names.length ? el("section", { class: "people" }, el("h2", {}, t("facts_people")), el("div", { class: "names" }, people)) : null,
    about,
    el("section", { class: "changed" }, el("h2", {}, t("facts_held")),
      changed.length ? el("ol", { class: "cards" }, changed.sort(byEnd).map((note) => held(page, note, byId))) : el("p", { class: "quiet" }, t("facts_none"))));
  if (!names.length && !notes.length) fill(body, empty(t("nothing_yet")));
  else if (names.length) await choose(names.slice(0, 60).some(({ name }) => name === page.kept.person) ? page.kept.person : names[0].name);
}

const byEnd = (a, b) => (b.valid_to ?? b.valid_from ?? "").localeCompare(a.valid_to ?? a.valid_from ?? "");

function rests(page, evidence) {
  return (evidence ?? []).slice(0, 4).map(({ id }) => button(id, () => page.openNote(id), { class: "link cite" }));
}

const reading = (name) => plain(named("attribute", name));

function value(page, each, isFormer = false) {
  const when = [each.since && t("valid_since", { from: day(each.since) }), each.until && t("valid_until", { to: day(each.until) })].filter(Boolean);
  return el("span", { class: isFormer ? "value former" : "value" }, el("bdi", { dir: "auto" }, plain(each.value)), when.length > 0 && el("small", {}, when.join(" · ")), rests(page, each.evidence));
}

function profile(page, name, { names = [], attributes = [], relationships = [], lists = {} }) {
  const others = names.filter((each) => each !== name);
  const rows = [
    ...attributes.map((each) => [reading(each.name), [...each.now.map((one) => value(page, one)), ...each.earlier.map((one) => value(page, one, true))]]),
    ...relationships.map((each) => [plain(each.relation), el("span", { class: "value" }, each.name ? plain(each.name) : t("facts_unnamed"), each.until && el("small", {}, t("valid_until", { to: day(each.until) })), rests(page, each.evidence))]),
    ...Object.entries(lists).map(([of, each]) => [reading(of), (each.items ?? each).map?.((one) => value(page, { value: one.what ?? one.value ?? one.name ?? "", since: one.at, evidence: one.evidence })) ?? ""]),
  ];
  return [
    el("h3", {}, t("facts_of", { name: plain(name) }), others.length > 0 && el("small", {}, ` ${others.map(plain).join(" · ")}`)),
    rows.length ? el("dl", { class: "about wide" }, rows.map(([label, told]) => [el("dt", { dir: "auto" }, label), el("dd", {}, told)])) : el("p", { class: "quiet" }, t("facts_nothing")),
  ];
}

function held(page, note, byId) {
  const next = note.superseded_by && byId.get(note.superseded_by);
  const told = note.valid_to
    ? t("valid", { from: note.valid_from ? day(note.valid_from) : t("always"), to: day(note.valid_to) })
    : note.valid_from ? t("valid_since", { from: day(note.valid_from) }) : "";
  return el("li", { class: note.valid_to ? "outdated" : "" },
    el("button", { type: "button", class: "card", "data-note": note.id, on: { click: () => page.openNote(note.id) } }, fadedText(note), el("small", {}, told)),
    next && el("button", { type: "button", class: "card after", on: { click: () => page.openNote(next.id) } }, el("small", {}, t("superseded")), fadedText(next)));
}
