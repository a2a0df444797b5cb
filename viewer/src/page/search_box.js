// Search as you type: what the memory brings for the words so far. Each answer is the daemon's own recall, unrecorded.

import { el, fill, settled } from "./elements.js";
import { fadedText } from "../mind/faded_text.js";
import { named, day, t } from "../words/language.js";

const MOST = 8;
const PAUSE_MS = 140;

export function searchBox(page) {
  const list = el("ul", { id: "found", role: "listbox", "aria-label": t("search"), hidden: true });
  const input = el("input", {
    id: "search", type: "search", role: "combobox", placeholder: t("search_hint"), "aria-label": t("search"),
    "aria-controls": "found", "aria-expanded": "false", "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false", maxlength: "400",
  });
  let asked = 0;
  let chosen = -1;

  function close() {
    asked++;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function take(id) {
    close();
    input.blur();
    page.show("graph", id);
    page.openNote(id);
  }

  function show(items, reason) {
    chosen = -1;
    const rows = items.map((item, at) =>
      el("li", { id: `found-${at}`, role: "option", "aria-selected": "false", "data-id": item.id, on: { pointerdown: (event) => (event.preventDefault(), take(item.id)) } },
        el("i", { class: `dot kind-${item.kind}` }),
        el("span", { class: "words" }, fadedText(item)),
        el("small", {}, `${named("kind", item.kind)} · ${day(item.at)}`)));
    const none = el("li", { role: "option", "aria-selected": "false", "aria-disabled": "true", class: "quiet" }, t(reason === "faded" ? "search_faded" : "search_none"));
    fill(list, ...(rows.length ? rows : [none]));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  }

  async function ask() {
    const query = input.value.trim();
    const mine = ++asked;
    if (!query) return close();
    try {
      const found = await page.call("recall", { query, k: MOST, depth: "skim", kinds: ["note"], min_score: 0 });
      if (mine === asked) show(found.items, found.reason);
    } catch {
      if (mine === asked) close();
    }
  }

  function choose(step) {
    const rows = [...list.querySelectorAll("[data-id]")];
    if (!rows.length) return;
    chosen = (chosen + step + rows.length) % rows.length;
    rows.forEach((row, at) => row.setAttribute("aria-selected", String(at === chosen)));
    rows[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", rows[chosen].id);
  }

  input.addEventListener("input", settled(ask, PAUSE_MS));
  input.addEventListener("focus", () => input.value.trim() && ask());
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return; // a Chinese word is still being typed
    if (event.key === "ArrowDown") choose(1);
    else if (event.key === "ArrowUp") choose(-1);
    else if (event.key === "Enter") {
      const rows = [...list.querySelectorAll("[data-id]")];
      const row = rows[chosen] ?? rows[0];
      if (row) take(row.dataset.id);
    } else return;
    event.preventDefault();
  });
  return el("div", { class: "search" }, input, list);
}
