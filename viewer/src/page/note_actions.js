// What may be done with a note where editing is allowed: change, pin, forget, bring back.

import { button, el, fill } from "./elements.js";
import { failure, say } from "./messages.js";
import { t } from "../words/language.js";

export function noteActions(page, note) {
  if (!page.mayEdit) return [];
  const act = (method, done, undo = null) => async () => {
    try {
      await page.call(method, { id: note.id });
      say(t(done), undo);
      page.changed();
      page.openNote(note.id);
    } catch (error) {
      say(failure(error).textContent);
    }
  };
  const restore = act("note.restore", "done_restored");
  if (note.lifecycle === "forgotten") return [button(t("action_restore"), restore, { class: "main" })];
  return [
    button(t("action_edit"), () => edit(page, note)),
    note.pinned ? button(t("action_unpin"), act("note.unpin", "done_unpinned")) : button(t("action_pin"), act("note.pin", "done_pinned")),
    button(t("action_forget"), act("note.forget", "done_forgotten", restore), { class: "grave" }),
  ];
}

function edit(page, note) {
  const text = el("textarea", { rows: "6", dir: "auto", required: true });
  text.value = note.text;
  const tags = el("input", { value: note.tags.join(", ") });
  const importance = el("input", { type: "number", min: "0", max: "1", step: "0.01", value: String(note.importance) });
  const trouble = el("div", {});
  const dialog = el("dialog", { class: "editor", "aria-label": t("action_edit"), on: { close: () => dialog.remove() } },
    el("form", { method: "dialog", on: { submit: (event) => (event.preventDefault(), save()) } },
      el("label", {}, t("edit_text"), text),
      el("label", {}, t("edit_tags"), tags),
      el("label", {}, t("edit_importance"), importance),
      trouble,
      el("div", { class: "actions" }, button(t("action_cancel"), () => dialog.close()), el("button", { type: "submit", class: "main" }, t("action_save")))));

  async function save() {
    const changes = { id: note.id, version: note.version };
    if (text.value !== note.text) changes.text = text.value;
    const given = tags.value.split(/[,，、]/u).map((each) => each.trim()).filter(Boolean);
    if (given.join("\n") !== note.tags.join("\n")) changes.tags = given;
    if (Number(importance.value) !== note.importance) changes.importance = Number(importance.value);
    try {
      if (Object.keys(changes).length > 2) await page.call("note.update", changes);
      dialog.close();
      say(t("done_saved"));
      page.changed();
      page.openNote(note.id);
    } catch (error) {
      fill(trouble, failure(error));
    }
  }

  document.body.append(dialog);
  dialog.showModal();
  text.focus();
}
