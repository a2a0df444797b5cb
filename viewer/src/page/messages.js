// What the page says about itself: that it waits, that something failed, that something was done.

import { button, el, fill } from "./elements.js";
import { plain } from "./plain_text.js";
import { t } from "../words/language.js";

export function failure(error, again) {
  if (!error.name || error.name === "Error" || error instanceof TypeError) console.error(error);
  const known = t(`error.${error.name}`);
  const told = known === `error.${error.name}` ? error.message : known;
  return el("div", { class: "failure", role: "alert" }, el("p", {}, plain(told)), error.hint && el("p", { class: "quiet" }, plain(error.hint)),
    again && button(t("again"), again));
}

// Does something that fills a place; says meanwhile that it takes its time, and afterwards if it failed.
export async function whileWaiting(place, act) {
  const waiting = el("p", { class: "waiting", role: "status" }, t("loading"));
  const shows = setTimeout(() => place.append(waiting), 150);
  try {
    await act((n) => (waiting.textContent = t("loading_n", { n })));
  } catch (error) {
    fill(place, failure(error, () => (place.replaceChildren(), whileWaiting(place, act))));
  } finally {
    clearTimeout(shows);
    waiting.remove();
  }
}

let ends = 0;

export function say(text, undo = null) {
  const said = document.getElementById("said");
  const hide = () => said.replaceChildren();
  fill(said, el("div", { class: "toast" }, text, undo && button(t("undo"), () => (hide(), undo()))));
  clearTimeout(ends);
  ends = setTimeout(hide, 8000);
}

export const empty = (text) => el("div", { class: "empty" }, el("span", { class: "lamp", "aria-hidden": "true" }), el("p", {}, text));
