// What of a note still shows, of its rendering: clear words, gists where it is blurred, smudges where it is blank.

import { el } from "../page/elements.js";
import { plain, shortened } from "../page/plain_text.js";
import { t } from "../words/language.js";

const MASK = /xxx|___|□□□|▒▒▒/gu;

// [{ state: clear | blurred | blank, text }]. Of a note with nothing masked the words are all clear.
export function pieces(note) {
  const text = note.rendered ?? note.text ?? "";
  if (note.state === "clear" || note.state === "rewritten") return [{ state: "clear", text }];
  const found = [];
  let at = 0;
  for (const match of text.matchAll(MASK)) {
    if (match.index < at) continue;
    if (match.index > at) found.push({ state: "clear", text: text.slice(at, match.index) });
    at = match.index + match[0].length;
    const gist = bracketed(text, at);
    if (gist === null) {
      found.push({ state: "blank", text: "" });
    } else {
      found.push({ state: "blurred", text: gist });
      at += gist.length + 2;
    }
  }
  if (at < text.length) found.push({ state: "clear", text: text.slice(at) });
  return found;
}

function bracketed(text, at) {
  if (text[at] !== "(") return null;
  let depth = 0;
  for (let end = at; end < text.length; end++) {
    if (text[end] === "(") depth++;
    if (text[end] === ")" && --depth === 0) return text.slice(at + 1, end);
  }
  return null;
}

export function fadedText(note, props = {}) {
  const shown = pieces(note).map(({ state, text }) => {
    if (state === "clear") return plain(text);
    if (state === "blurred") return el("span", { class: "blurred", title: t("blurred_title") }, plain(text));
    return el("span", { class: "smudge", role: "img", "aria-label": t("blank") });
  });
  return el("bdi", { ...props, class: `told ${props.class ?? ""}`, dir: "auto" }, shown);
}

// One line for a list or a label.
export function noteLine(note, most = 60) {
  const shown = pieces(note).map(({ state, text }) => (state === "clear" ? text : state === "blurred" ? `(${text})` : "⋯"));
  return shortened(shown.join(""), most) || "⋯";
}

// What a label says: the same without who said it when, which stands in the note.
export function noteLabel(note, most) {
  const line = noteLine(note, 4 * most);
  return shortened(line.replace(/^[^:：“"]{1,40}(?:\([^)]*\)|（[^）]*）)[^:：]{0,60}[:：]\s*(?=\S)/u, ""), most);
}

// How clear a note is as a whole, 0 to 1.
export function clarity(note) {
  if (note.pinned || note.kind === "lore") return 1;
  const all = note.elements ?? [];
  if (!all.length) return { blank: 0.1, blurred: 0.4 }[note.state] ?? 1;
  const whole = all.filter((each) => each.level === 0);
  const counted = whole.length ? whole : all;
  const mean = counted.reduce((sum, each) => sum + each.opacity, 0) / counted.length;
  return note.state === "blank" ? Math.min(mean, 0.15) : mean;
}
