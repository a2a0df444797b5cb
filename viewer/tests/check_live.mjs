// What somebody sees who only looks on while a mind changes: { link, address, socket, mind, notes, hostile }.
import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { openBrowser, openPage } from "../scripts/browser.mjs";

const asked = JSON.parse(process.argv[2]);
let socket;
let lines;
let number = 0;

async function tell(method, params) {
  if (!socket) { // not before there is something to say: the daemon waits ten seconds for that
    socket = createConnection(asked.socket);
    lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  }
  socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++number, method, params: { mind: asked.mind, ...params } })}\n`);
  const answer = JSON.parse((await lines.next()).value);
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

const add = (text) => tell("note.add", { kind: "episodic", text }).then(({ id }) => id);
const browser = await openBrowser();
const { page, faults } = await openPage(browser, { origin: asked.address, reducedMotion: "reduce" });
const report = { faults, took: {} };
const shows = (text) => page.waitForFunction((words) => document.querySelector("#view").textContent.includes(words), text, { timeout: 60_000 });
const lacks = (text) => page.waitForFunction((words) => !document.querySelector("#view").textContent.includes(words), text, { timeout: 60_000 });
const drawn = (count) => page.waitForFunction((wanted) => document.querySelector(".canvas")?.dataset.notes === wanted, String(count), { timeout: 60_000 });
const go = (view) => page.evaluate((name) => (location.hash = `#/${name}`), view);

async function timed(name, act, seen) {
  await act();
  const began = performance.now();
  await seen();
  report.took[name] = Math.round(performance.now() - began);
}

try {
  await page.goto(`${asked.link}&lang=en`);
  await page.waitForSelector(".canvas[data-notes]");
  await page.waitForSelector("html[data-live=yes]", { state: "attached" });
  await page.evaluate(() => (globalThis.mark = "the same page"));
  const before = Number(await page.locator(".canvas").getAttribute("data-notes"));
  let id;
  await timed("a new note in the picture", async () => (id = await add("The mill is quiet 磨坊很安静")), () => drawn(before + 1));
  await timed("a forgotten one leaves it", () => tell("note.forget", { id }), () => drawn(before));

  await go("timeline");
  await shows(asked.first);
  const [one, other] = [await add("Ada paints boats 画船"), await add("小苇 counts sheep 数羊")];
  await timed("new notes in the list", async () => {}, async () => (await shows("Ada paints boats 画船"), await shows("小苇 counts sheep 数羊")));
  await timed("a text of somebody hostile", () => add(asked.hostile), () => shows(asked.hostile));
  await page.locator(`[data-note=${one}]`).focus();
  await timed("other words", () => tell("note.update", { id: one, text: "Ada paints barns 画谷仓" }), () => shows("Ada paints barns 画谷仓"));
  report.focused = await page.evaluate(() => document.activeElement.dataset.note ?? null);
  report.wanted = one;

  await page.locator(`[data-note=${one}]`).click();
  await page.waitForSelector("#panel h2 >> text=Ada paints barns");
  await timed("in the note beside it", () => tell("note.update", { id: one, text: "艾达 paints mills 画磨坊" }), () => page.waitForSelector("#panel h2 >> text=paints mills 画磨坊"));
  await page.locator("#panel .actions").getByRole("button", { name: "Edit", exact: true }).click();
  await page.locator("dialog textarea").fill("half a sentence 半句");
  await tell("note.update", { id: one, tags: ["changed"] });
  const amid = await add("told while somebody edits 编辑时说的");
  await page.waitForTimeout(1500);
  report.amid = {
    typed: await page.locator("dialog textarea").inputValue(),
    moved: await page.evaluate(() => document.querySelector("#view").textContent.includes("told while somebody edits")),
  };
  await timed("after the edit", () => page.locator("dialog").getByRole("button", { name: "Cancel" }).click(), () => shows("told while somebody edits 编辑时说的"));

  await timed("forgotten, gone from the list", () => tell("note.forget", { id: other }), () => lacks("小苇 counts sheep 数羊"));
  await go("forgotten");
  await shows("小苇 counts sheep 数羊");
  await timed("forgotten, in the list of those", () => tell("note.forget", { id: amid }), () => shows("told while somebody edits 编辑时说的"));
  await timed("back again", () => tell("note.restore", { id: other }), () => lacks("小苇 counts sheep 数羊"));
  const see = (isHidden) => page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
  await go("timeline");
  await shows(asked.first);
  await see(true);
  await page.waitForSelector("html:not([data-live])", { state: "attached" });
  await add("told while nobody looked 没人看时说的");
  await page.waitForTimeout(800);
  report.unseen = await page.evaluate(() => document.querySelector("#view").textContent.includes("told while nobody looked"));
  await timed("looked at again", () => see(false), () => shows("told while nobody looked 没人看时说的"));
  report.mark = await page.evaluate(() => globalThis.mark);
  report.hit = await page.evaluate(() => globalThis.hit ?? null);
} catch (error) {
  faults.push(`the check broke off: ${error.stack}`);
}
await browser.close();
socket?.destroy();
console.log(JSON.stringify(report));
