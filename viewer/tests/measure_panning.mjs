// How smoothly the picture of a whole mind moves. Told by { link, address, notes, seconds }; gives frames a second.
import { readFileSync, readdirSync } from "node:fs";
import { openBrowser, openPage } from "../scripts/browser.mjs";

// Processor time of all processes below this one, which the load of the machine does not change.
function spent_ms() {
  const parents = new Map();
  const used = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      parents.set(Number(pid), Number(fields[1]));
      used.set(Number(pid), Number(fields[11]) + Number(fields[12]));
    } catch {} // it ended meanwhile
  }
  const isOurs = (pid) => pid === process.pid || (parents.has(pid) && isOurs(parents.get(pid)));
  return [...used].filter(([pid]) => pid !== process.pid && isOurs(pid)).reduce((sum, [, ticks]) => sum + ticks * 10, 0);
}

const asked = JSON.parse(process.argv[2]);
const browser = await openBrowser();
const { page, faults } = await openPage(browser, { origin: asked.address });
const report = { faults };
page.setDefaultTimeout(240_000);

try {
  await page.goto(`${asked.link}&lang=en`);
  await page.waitForSelector(".canvas");
  const began = Date.now();
  await page.click('[data-act="whole"]');
  await page.waitForSelector(`.canvas[data-notes="${asked.notes}"]`);
  report.loaded_s = (Date.now() - began) / 1000;
  await page.waitForSelector('.canvas[data-settled="yes"]');
  report.settled_s = (Date.now() - began) / 1000;
  const box = await page.locator(".canvas").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 10, y);
  const before = spent_ms();
  // one movement a frame, as a mouse sends them; sent from here, each would wait for the one before
  const drawn = await page.evaluate(([x, y, ms]) => new Promise((done) => {
    const { renderer } = document.querySelector(".canvas").memoryGraph;
    const frames = [];
    renderer.on("afterRender", () => frames.push(performance.now()));
    const until = performance.now() + ms;
    let step = 0;
    const move = () => {
      if (performance.now() > until) return done(frames);
      const at = { bubbles: true, clientX: x + 220 * Math.sin(step / 14), clientY: y + 140 * Math.cos(step / 18) };
      document.querySelector(".canvas .sigma-mouse").dispatchEvent(new MouseEvent("mousemove", at));
      step++;
      return requestAnimationFrame(move);
    };
    move();
  }), [x, y, asked.seconds * 1000]);
  report.cpu_ms_a_frame = (spent_ms() - before) / drawn.length;
  await page.mouse.up();
  const gaps = drawn.slice(1).map((at, i) => at - drawn[i]).sort((a, b) => a - b);
  report.frames = drawn.length;
  report.fps = ((drawn.length - 1) * 1000) / (drawn.at(-1) - drawn[0]);
  report.median_ms = gaps[Math.floor(gaps.length / 2)];
  report.p95_ms = gaps[Math.floor(gaps.length * 0.95)];
  await page.screenshot({ path: asked.picture });
} catch (error) {
  faults.push(`the measurement broke off: ${error.stack}`);
}
await browser.close();
console.log(JSON.stringify(report));
