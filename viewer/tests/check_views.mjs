// Every view in a real browser, in both themes and languages. Told by one argument of JSON: { link, address, note, question }
// or { file }. Writes one object of JSON: what each view showed, what axe found, and everything that went wrong.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { openBrowser, openPage } from "../scripts/browser.mjs";

const asked = JSON.parse(process.argv[2]);
const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = ["graph", "timeline", "recall", "facts", "forgotten", "gate", "costs"];
const LOOKS = asked.looks ?? [["dark", "en"], ["light", "zh"], ["dark", "zh"], ["light", "en"]];
const SERIOUS = ["serious", "critical"];

const browser = await openBrowser();
const report = { views: [], violations: [], faults: [], marked: [], passes: {} };

async function axe(page, where) {
  await page.waitForTimeout(150);
  await page.evaluate(axeSource);
  // a ground of one colour: axe measures no contrast over a gradient
  await page.evaluate(() => (document.body.style.background = getComputedStyle(document.documentElement).getPropertyValue("--ground")));
  const { violations, passes } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations", "passes"] }));
  report.passes[where] = passes.map(({ id, nodes }) => `${id} ${nodes.length}`);
  for (const each of violations.filter(({ impact }) => SERIOUS.includes(impact))) {
    report.violations.push({ where, id: each.id, nodes: each.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`) });
  }
}

async function look(theme, lang) {
  const { page, faults, close } = await openPage(browser, { origin: asked.address ?? null, colorScheme: theme, locale: lang === "zh" ? "zh-CN" : "en-GB", reducedMotion: "reduce" });
  await page.goto(asked.file ? `file://${asked.file}` : `${asked.link}&lang=${lang}`);
  if (asked.file) {
    await page.waitForSelector(".view");
    if ((await page.getAttribute("html", "lang")).slice(0, 2) !== lang) await page.keyboard.press("l");
  }
  const where = (name) => `${name} ${theme} ${lang}`;
  for (const [at, view] of VIEWS.entries()) {
    await page.keyboard.press(String(at + 1));
    await page.waitForSelector(`.view-${view} > *:not(.waiting)`);
    if (view === "graph") await page.waitForSelector('.canvas[data-settled="yes"]');
    if (view === "recall") {
      await page.fill(".question", asked.question);
      await page.keyboard.press("Enter");
      await page.waitForSelector(asked.file ? ".column-shown li, .column-shown .none" : ".column-shown li");
      await page.locator("main").focus();
    }
    await page.waitForFunction(() => !document.querySelector(".waiting"));
    report.views.push({
      view, theme, lang,
      title: await page.title(),
      text: await page.innerText("#view"),
      failures: await page.locator(".failure").allInnerTexts(),
      widest: await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      notes: view === "graph" ? Number(await page.getAttribute(".canvas", "data-notes")) : undefined,
    });
    await axe(page, where(view));
  }
  await page.keyboard.press("/");
  await page.keyboard.type(asked.search, { delay: 15 });
  await page.waitForSelector("#found li[data-id]");
  await axe(page, where("search"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#panel .curves, #panel .quotes, #panel .fades");
  await page.waitForSelector(".view-graph .canvas");
  report.views.push({ view: "note", theme, lang, title: await page.title(), text: await page.innerText("#panel"), failures: await page.locator(".failure").allInnerTexts(), curves: await page.locator("#panel .curve").count() });
  await axe(page, where("note"));
  await page.keyboard.press("Escape");
  report.marked.push(await page.evaluate(() => globalThis.hit ?? null));
  report.foreign = await page.evaluate(() => document.querySelectorAll("#app img, #app script, #app iframe, #app a[href^=http]").length);
  report.faults.push(...faults.map((fault) => `${theme} ${lang}: ${fault}`));
  await close();
}

try {
  for (const [theme, lang] of LOOKS) await look(theme, lang);
} catch (error) {
  report.faults.push(`the check broke off: ${error.stack}`);
}
await browser.close();
console.log(JSON.stringify(report));
