// What somebody does who may edit, by keyboard and mouse: pin, change, forget, undo. Told by { link, address, note, text }.
import { openBrowser, openPage } from "../scripts/browser.mjs";

const asked = JSON.parse(process.argv[2]);
const browser = await openBrowser();
const { page, faults } = await openPage(browser, { origin: asked.address, reducedMotion: "reduce" });
const report = { faults };
const act = (words) => page.locator("#panel .actions").getByRole("button", { name: words, exact: true }).click();
const said = (words) => page.waitForSelector(`#said >> text=${words}`);

try {
  await page.goto(`${asked.link}&lang=en`);
  report.address = page.url();
  await page.waitForSelector(".canvas");
  await page.evaluate((note) => (location.hash = `#/timeline/${note}`), asked.note);
  await page.locator(".view-timeline .card", { hasText: asked.text }).click();
  await page.waitForSelector("#panel .actions");
  report.offered = (await page.locator("#panel .actions button").allInnerTexts()).join(" ");
  if (asked.mayEdit) {
    await act("Pin");
    await said("Pinned");
    await act("Unpin");
    await said("fades again");
    await act("Edit");
    await page.locator("dialog textarea").fill(asked.changed);
    await page.locator("dialog").getByRole("button", { name: "Save" }).click();
    await said("Saved");
    await page.waitForSelector(`#panel h2 >> text=${asked.changed.slice(0, 12)}`);
    await act("Forget");
    await said("Forgotten");
    await page.waitForSelector("#panel .chip.grave");
    await page.locator("#said").getByRole("button", { name: "Undo" }).click();
    await said("It is back");
  }
  report.kept = await page.evaluate(() => document.documentElement.outerHTML.includes(JSON.parse(sessionStorage["soulmem-view"]).token));
  await page.reload();
  await page.waitForSelector(".view > *");
  report.reloaded = await page.locator(".failure").count();
} catch (error) {
  faults.push(`the check broke off: ${error.stack}`);
}
await browser.close();
console.log(JSON.stringify(report));
