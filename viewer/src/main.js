// The page from its beginning: where its mind comes from, the frame around the views, keys, and which view is shown.

import { daemonCalls, takeLink } from "./mind/daemon_calls.js";
import { MindCache } from "./mind/note_pages.js";
import { storedCalls, storedData } from "./mind/stored_mind.js";
import { button, el, icon } from "./page/elements.js";
import { LiveView, exchange, isEditing } from "./page/live_view.js";
import { failure, whileWaiting } from "./page/messages.js";
import { closePanel, openPanel, panelIsOpen, refreshPanel } from "./page/note_panel.js";
import { plain } from "./page/plain_text.js";
import { searchBox } from "./page/search_box.js";
import { chooseTheme, theme, turnTheme } from "./page/theme.js";
import { costsView } from "./views/costs_view.js";
import { factsView } from "./views/facts_view.js";
import { forgottenView } from "./views/forgotten_view.js";
import { gateView } from "./views/gate_view.js";
import { graphView } from "./views/graph_view.js";
import { recallView } from "./views/recall_view.js";
import { timelineView } from "./views/timeline_view.js";
import { chooseLanguage, day, language, setLanguage, t } from "./words/language.js";

const VIEWS = {
  graph: [graphView, "M5 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M15 5a2 2 0 1 0 4 0a2 2 0 1 0-4 0M10 18a2 2 0 1 0 4 0a2 2 0 1 0-4 0M9 6l6-.6M8 8l3.4 8M16.4 7l-3.6 9"],
  timeline: [timelineView, "M6 3v18M6 7h12M6 12h8M6 17h10"],
  recall: [recallView, "M12 21a9 9 0 1 1 9-9M12 7v5l3 2M17 17l4 4M21 17l-4 4"],
  facts: [factsView, "M4 20v-1a5 5 0 0 1 10 0v1M9 11a3.5 3.5 0 1 0 0-7a3.5 3.5 0 0 0 0 7M16 8h5M16 12h5M18 16h3"],
  forgotten: [forgottenView, "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z"],
  gate: [gateView, "M4 5h16l-6 8v6l-4 2v-8z"],
  costs: [costsView, "M4 20V10M10 20V4M16 20v-7M21 20H3"],
};

const STAYS = new Set(["recall", "gate"]); // what somebody asked for there stands as it was answered

const link = takeLink();
const stored = storedData();
chooseLanguage(link.lang ?? (stored ? stored.language : undefined));
chooseTheme();

class Page {
  constructor(source, mind) {
    this.source = source;
    this.mayEdit = source.mayEdit;
    this.cache = new MindCache(source, mind);
    this.view = "graph";
    this.about = null; // the note that the view is to begin with
    this.end = null;
    this.kept = {}; // what a view knows of how far somebody came in it
    this.onChanged = null; // how a view takes in what changed, where it is not drawn anew
    this.live = source.watch ? new LiveView(this, () => this.refresh()) : null;
  }

  get mind() {
    return this.cache.mind;
  }

  call(method, params) {
    return this.cache.call(method, params);
  }

  openNote(id) {
    openPanel(this, id);
  }

  show(view, about = null) {
    this.view = view in VIEWS ? view : "graph";
    this.about = about;
    const place = `#/${this.view}${about ? `/${encodeURIComponent(about)}` : ""}`;
    if (location.hash !== place) history.pushState(null, "", place);
    this.draw();
  }

  // A note changed: what was read is stale, and the view begins anew.
  changed() {
    this.cache.forget();
    this.draw();
  }

  // Something changed in the mind: view and note follow where they stand. False: somebody edits, so nothing moved.
  async refresh() {
    this.cache.forget();
    if (this.onChanged) await this.onChanged();
    else if (!STAYS.has(this.view) && !(await this.redraw())) return false;
    return refreshPanel(this);
  }

  async redraw() {
    const before = document.querySelector("#view > .view");
    const { drawn } = this;
    if (!before || before.querySelector(".waiting")) return true; // it is being drawn
    const after = this.section();
    const end = await VIEWS[this.view][0](this, after, () => {});
    if (this.drawn !== drawn || isEditing()) {
      end?.();
      return this.drawn !== drawn;
    }
    this.end?.();
    this.end = end ?? null;
    exchange(document.getElementById("view"), before, after);
    return true;
  }

  section() {
    return el("section", { class: `view view-${this.view}`, "aria-label": t(`view.${this.view}`) });
  }

  leave() {
    this.end?.();
    this.live?.end();
  }

  async draw() {
    const place = document.getElementById("view");
    this.end?.();
    this.end = null;
    this.kept = {};
    this.onChanged = null;
    for (const each of document.querySelectorAll("[data-view]")) {
      each.toggleAttribute("aria-current", each.dataset.view === this.view);
      if (each.dataset.view === this.view) each.setAttribute("aria-current", "page");
    }
    document.title = `${t(`view.${this.view}`)} · ${plain(this.title ?? this.mind)} · soulmem`;
    const drawn = (this.drawn = Symbol("drawn"));
    const body = this.section();
    place.replaceChildren(body);
    await whileWaiting(body, async (progress) => {
      await this.live?.begun;
      if (this.drawn !== drawn) return;
      const end = await VIEWS[this.view][0](this, body, progress);
      if (this.drawn === drawn) this.end = end ?? null;
      else end?.();
    });
  }
}

function frame(page, minds) {
  const names = minds.map(({ mind, title }) => el("option", { value: mind }, plain(title || mind)));
  const chooser = el("select", { "aria-label": t("mind"), on: { change: () => changeMind(page, chooser.value) } }, names);
  chooser.value = page.mind;
  const views = Object.entries(VIEWS).map(([name, [, drawing]], at) =>
    el("a", { href: `#/${name}`, "data-view": name, title: `${t(`view.${name}`)} (${at + 1})` }, icon(drawing), el("span", {}, t(`view.${name}`))),
  );
  const state = page.source.isStored ? t("stored_on", { day: day(page.source.writtenAt) }) : t(page.mayEdit ? "may_edit" : "reads_only");
  return [
    el("a", { class: "skip", href: "#view", on: { click: (event) => (event.preventDefault(), document.getElementById("view").focus()) } }, t("skip")),
    el("header", { class: "top" },
      el("div", { class: "brand" }, el("span", { class: "lamp", "aria-hidden": "true" }), el("h1", {}, "soulmem")),
      el("div", { class: "whose" }, minds.length > 1 ? chooser : el("strong", {}, plain(minds[0]?.title || page.mind)),
        el("span", { class: `state ${page.mayEdit ? "edits" : ""}` }, state)),
      searchBox(page),
      el("div", { class: "tools" },
        button(t("other_language"), () => (setLanguage(language() === "zh" ? "en" : "zh"), begin()), { lang: t("other_language_code") }),
        button(icon("M12 3v18a9 9 0 0 0 0-18zM12 3a9 9 0 0 1 0 18"), () => turn(page), { "aria-label": t("theme"), title: t("theme") })),
    ),
    el("nav", { class: "views", "aria-label": t("views") }, views, el("p", { class: "keys", title: t("keys_told") }, t("keys"))),
    el("main", { id: "view", tabindex: "-1" }),
    el("aside", { id: "panel", "aria-label": t("note"), hidden: true, tabindex: "-1" }),
    el("div", { id: "said", role: "status", "aria-live": "polite" }),
  ];
}

function turn(page) {
  turnTheme();
  page.onTheme?.(theme());
}

function changeMind(page, mind) {
  closePanel();
  const next = new Page(page.source, mind);
  run(next, page.minds);
}

let current = null;

function run(page, minds) {
  current?.leave();
  current = page;
  page.minds = minds;
  page.title = minds.find((each) => each.mind === page.mind)?.title || page.mind;
  document.getElementById("app").replaceChildren(...frame(page, minds));
  follow();
}

// Shows what stands behind the # of the address.
function follow() {
  const [, view = "graph", about] = location.hash.split("/");
  if (!current) return;
  current.view = view in VIEWS ? view : "graph";
  current.about = about ? decodeURIComponent(about) : null;
  current.draw();
}

async function begin() {
  const app = document.getElementById("app");
  const open = panelIsOpen();
  closePanel();
  try {
    const source = stored ? storedCalls(stored) : daemonCalls(link);
    const { items } = await source.call("mind.list");
    const mind = current?.mind ?? (stored ? stored.mind.mind : link.mind) ?? items[0]?.mind ?? "default";
    run(new Page(source, mind), items);
    if (open) openPanel(current, open);
  } catch (error) {
    app.replaceChildren(el("main", { class: "alone" }, el("h1", {}, "soulmem"), failure(error, begin)));
  }
}

function onKey(event) {
  const isTyping = event.target.matches?.("input, textarea, select");
  if (event.key === "Escape") {
    if (isTyping) event.target.blur();
    else if (!document.querySelector("dialog[open]")) closePanel();
    return;
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !current) return;
  const views = Object.keys(VIEWS);
  if (event.key === "/") document.getElementById("search").focus();
  else if (views[Number(event.key) - 1]) current.show(views[Number(event.key) - 1]);
  else if (event.key === "t") turn(current);
  else if (event.key === "l") setLanguage(language() === "zh" ? "en" : "zh"), begin();
  else return;
  event.preventDefault();
}

addEventListener("keydown", onKey);
addEventListener("popstate", follow);
begin();
