// A real browser without a window, as the tests and the pictures of the page use it.
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader", "--force-color-profile=srgb",
];

export function openBrowser() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

// A page that tells of everything that goes wrong in it, or leaves the machine.
export async function openPage(browser, { origin = null, ...context } = {}) {
  const opened = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context });
  const page = await opened.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  page.on("console", (said) => said.type() === "error" && faults.push(`console: ${said.text()}`));
  page.on("dialog", async (dialog) => (faults.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("data:") && !url.startsWith("file:") && (origin === null || !url.startsWith(origin))) faults.push(`request: ${url}`);
  });
  return { page, faults, close: () => opened.close() };
}
