// Pictures of the views for the documentation. Told by one argument of JSON: { folder, pages: { mind: { link, address } }, shots }.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { openBrowser, openPage } from "./browser.mjs";

const asked = JSON.parse(process.argv[2]);
const MOST_BYTES = 60 * 1024;
const browser = await openBrowser();
await mkdir(asked.folder, { recursive: true });

async function saved(page, name) {
  const session = await page.context().newCDPSession(page);
  for (const quality of [82, 70, 55, 40]) {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    const bytes = Buffer.from(data, "base64");
    if (bytes.length > MOST_BYTES && quality > 40) continue;
    await writeFile(path.join(asked.folder, `${name}.webp`), bytes);
    console.log(`${name}.webp: ${(bytes.length / 1024).toFixed(0)} KB`);
    return;
  }
}

for (const { name, mind, view, theme, lang, question, note } of asked.shots) {
  const { link, address } = asked.pages[mind];
  const { page, faults, close } = await openPage(browser, { origin: address, colorScheme: theme, reducedMotion: "reduce" });
  await page.goto(`${link}&lang=${lang}`);
  await page.waitForSelector(".view-graph > *");
  await page.evaluate((to) => (location.hash = to), `#/${view}`);
  await page.waitForSelector(`.view-${view} > *:not(.waiting)`);
  if (view === "graph") await page.waitForSelector('.canvas[data-settled="yes"]');
  if (question) {
    await page.fill(".question", question);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".column-shown li");
  }
  if (note) {
    await page.fill("#search", note);
    await page.waitForSelector("#found li[data-id]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#panel .curves");
    await page.waitForSelector('.canvas[data-settled="yes"]');
  }
  await page.mouse.move(2, 790);
  await page.waitForTimeout(900);
  await saved(page, name);
  if (faults.length) console.error(`${name}: ${faults.join("; ")}`);
  await close();
}
await browser.close();
