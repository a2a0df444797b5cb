// The write gate: what was refused as a memory or left out, with the reason, and how much of what was proposed that is.

import { el, fill } from "../page/elements.js";
import { empty, whileWaiting } from "../page/messages.js";
import { plain } from "../page/plain_text.js";
import { amount, day, named, share, t } from "../words/language.js";

const AT_ONCE = 200;

export async function gateView(page, body) {
  const whole = await page.call("audit.list", { limit: 1 });
  const { counts } = whole;
  const rows = el("div", {});
  const outcome = el("select", { "aria-label": t("view.gate"), on: { change: () => list(true) } },
    ["refused", "left_out"].map((each) => el("option", { value: each }, named("outcome", each))));
  const reason = el("select", { "aria-label": t("gate_all"), on: { change: () => list() } });

  function list(isOther = false) {
    if (isOther) {
      const by = outcome.value === "refused" ? counts.by_reason : counts.left_out_by_reason;
      fill(reason, el("option", { value: "" }, t("gate_all")), ...Object.entries(by ?? {}).map(([name, n]) => el("option", { value: name }, `${named("gate", name)} (${amount(n)})`)));
    }
    return whileWaiting(rows, async () => {
      const { items } = await page.call("audit.list", { outcome: outcome.value, limit: AT_ONCE, ...(reason.value ? { reason: reason.value } : {}) });
      if (page.source.isStored) fill(rows, reasonsOf(outcome.value === "refused" ? counts.by_reason : counts.left_out_by_reason));
      else fill(rows, items.length ? el("ol", { class: "cards" }, items.map(row)) : empty(t("gate_none")));
    });
  }

  fill(body, 
    el("p", { class: "lead" }, t("gate_told")),
    el("div", { class: "figures" },
      figure(share(whole.junk_rate), t("gate_junk")), figure(amount(counts.admitted), t("gate_admitted")),
      figure(amount(counts.refused), t("gate_refused")), figure(amount(counts.left_out), t("gate_left_out"))),
    el("div", { class: "row filters" }, outcome, reason), rows);
  if (!counts.refused && counts.left_out) outcome.value = "left_out";
  await list(true);
}

// How often for which reason, where the words themselves are not at hand.
function reasonsOf(by) {
  const rows = Object.entries(by ?? {}).sort(([, a], [, b]) => b - a);
  if (!rows.length) return empty(t("gate_none"));
  return el("dl", { class: "about wide" }, rows.map(([name, n]) => [el("dt", {}, named("gate", name)), el("dd", {}, amount(n))]));
}

const figure = (number, words) => el("div", { class: "figure" }, el("strong", {}, number), el("span", {}, words));

function row(item) {
  const where = item.message ? `${plain(item.conversation)} / ${plain(item.message)}` : "";
  return el("li", {},
    el("div", { class: "card still" }, el("bdi", { class: "told", dir: "auto" }, plain(item.text)),
      el("small", {}, [named("gate", item.reason), item.detail && plain(item.detail), where, day(item.at)].filter(Boolean).join(" · "))));
}
