// Memories as a picture: a neighbourhood to begin with, more of it where somebody clicks, and the same notes as a list.

import { drawsWebgl } from "../drawing/webgl.js";
import { MemoryGraph } from "../drawing/memory_graph.js";
import { fadedText } from "../mind/faded_text.js";
import { button, el, fill } from "../page/elements.js";
import { empty, whileWaiting } from "../page/messages.js";
import { count, named, t } from "../words/language.js";

const BEGINS_WITH = 70;
const EXPANDS_BY = 30;
const MOST_LISTED = 400;
const READ_ONE_BY_ONE = 200;
const STEP = 0.12;
const MOVES = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };

export async function graphView(page, body, progress) {
  const canDraw = drawsWebgl();
  const canvas = el("div", { class: "canvas", role: "application", tabindex: "0", "aria-label": t("graph_label"), "aria-describedby": "graph-hint" });
  const list = el("ul", {});
  const total = el("summary", {});
  const listing = el("details", { class: "listing", open: !canDraw }, total, list);
  let picture = null;
  let isWhole = false;
  const shown = new Map();

  let place = { limit: BEGINS_WITH, ...(page.about ? { around: page.about, depth: 2 } : {}) };
  const first = await page.call("graph.get", place);
  if (!first.notes.length) {
    fill(body, empty(t("nothing_yet")));
    page.onChanged = () => page.draw();
    return null;
  }

  function listNotes() {
    const all = [...shown.values()];
    total.textContent = `${t("graph_list")}: ${count("notes", all.length)}`;
    if (!listing.open) return;
    fill(list, ...all.slice(-MOST_LISTED).reverse().map((note) =>
      el("li", {}, el("i", { class: `dot kind-${note.kind}` }), el("button", { type: "button", class: "link", "data-note": note.id, on: { click: () => open(note.id) } }, fadedText(note)))));
  }

  function add(found, from = null) {
    for (const note of found.notes) shown.set(note.id, note);
    picture?.add(found.notes, found.links, from);
    listNotes();
  }

  async function open(id) {
    page.openNote(id);
    picture?.choose(id);
    add(await page.call("graph.get", { around: id, depth: 1, limit: EXPANDS_BY }), id);
    picture?.choose(id);
    picture?.lookAt(id);
  }

  // What changed in the mind: new notes come, those that are gone go, the others are told as they are now.
  async function follow() {
    const newest = isWhole ? { notes: [], links: await page.cache.links() } : await neighbourhood();
    const there = isWhole || shown.size > READ_ONE_BY_ONE ? await page.cache.notes() : await oneByOne();
    const known = new Map([...there, ...newest.notes].map((note) => [note.id, note]));
    const gone = [...shown.keys()].filter((id) => !known.has(id));
    const told = isWhole ? there : [...newest.notes, ...[...shown.keys()].map((id) => known.get(id)).filter(Boolean)];
    for (const id of gone) shown.delete(id);
    for (const note of told) shown.set(note.id, note);
    picture?.renew(told, newest.links, gone);
    listNotes();
  }

  const neighbourhood = () => page.call("graph.get", place).catch((error) => {
    if (error.name !== "not_found") throw error; // what it was around is gone
    return { notes: [], links: [] };
  });

  async function oneByOne() {
    const found = await Promise.all([...shown.keys()].map((id) => page.call("note.get", { id }).catch((error) => {
      if (error.name !== "not_found") throw error;
      return { note: null };
    })));
    return found.map(({ note }) => note).filter((note) => note && note.lifecycle !== "forgotten");
  }

  async function whole() {
    isWhole = true;
    picture?.clear();
    shown.clear();
    await whileWaiting(waiting, async (told) => {
      const notes = await page.cache.notes(told);
      const links = await page.cache.links();
      add({ notes, links });
    });
    picture?.fit();
  }

  async function newest() {
    isWhole = false;
    place = { limit: BEGINS_WITH };
    picture?.clear();
    shown.clear();
    add(await page.call("graph.get", place));
    picture?.fit();
  }

  const waiting = el("div", { class: "over" });
  const tools = el("div", { class: "over tools", role: "group" },
    button(t("graph_newest"), newest),
    button(t("graph_all"), whole, { "data-act": "whole" }),
    canDraw && button(t("graph_fit"), () => picture.fit()),
    canDraw && button("+", () => picture.zoom(1), { "aria-label": "+" }),
    canDraw && button("−", () => picture.zoom(-1), { "aria-label": "−" }),
  );
  const kinds = [...new Set(first.notes.map((note) => note.kind))];
  const legend = el("div", { class: "over legend" },
    kinds.map((kind) => el("span", {}, el("i", { class: `dot kind-${kind}` }), named("kind", kind))),
    el("span", {}, el("i", { class: "dot soft" }), t("legend_faded")),
    el("p", { id: "graph-hint" }, t("graph_hint")),
  );
  listing.addEventListener("toggle", listNotes);
  fill(body, canDraw ? canvas : el("p", { class: "quiet" }, t("graph_no_webgl")), el("div", { class: "over side" }, tools, listing, waiting), legend);

  if (canDraw) {
    let isFound = false; // once it rests, the note it began with comes into the middle
    const onRest = () => {
      if (page.about && !isFound) picture.lookAt(page.about);
      isFound = true;
    };
    picture = new MemoryGraph(canvas, { onOpen: open, onRest });
    canvas.memoryGraph = picture;
    canvas.addEventListener("keydown", (event) => {
      if (MOVES[event.key]) picture.move(...MOVES[event.key]);
      else if (event.key === "+" || event.key === "=") picture.zoom(1);
      else if (event.key === "-") picture.zoom(-1);
      else if (event.key === "0") picture.fit();
      else return;
      event.preventDefault();
    });
    page.onTheme = () => picture.paint();
  }
  add(first);
  page.onChanged = follow;
  if (page.about) picture?.choose(page.about);
  return () => {
    picture?.end();
    page.onTheme = null;
  };
}
