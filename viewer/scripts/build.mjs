// Builds the page: `node scripts/build.mjs [FOLDER]`. Without a folder it goes where the daemon's package has it.
import { build } from "esbuild";
import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import path from "node:path";
import { fileURLToPath } from "node:url";

const HERE = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const TARGET = path.resolve(process.argv[2] ?? path.join(HERE, "../daemon/soulmem/bridges/viewer/page"));
const MOST_KB = 300; // script and style together, gzipped

const shared = {
  bundle: true,
  minify: true,
  charset: "utf8",
  legalComments: "none", // licences.txt has them whole
  target: ["es2022"],
  absWorkingDir: HERE,
  logLevel: "warning",
};
await mkdir(TARGET, { recursive: true });
const script = await build({
  ...shared,
  entryPoints: ["src/main.js"],
  format: "esm",
  outfile: path.join(TARGET, "viewer.js"),
  metafile: true,
});
await build({ ...shared, entryPoints: ["src/styles/page.css"], outfile: path.join(TARGET, "viewer.css") });
await copyFile(path.join(HERE, "src/viewer.html"), path.join(TARGET, "viewer.html"));

// Inside of a script or style element nothing may end that element.
for (const name of ["viewer.js", "viewer.css"]) {
  const file = path.join(TARGET, name);
  const text = await readFile(file, "utf8");
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${name} holds the end of an element`);
}

const packages = new Set();
for (const input of Object.keys(script.metafile.inputs)) {
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) packages.add(found[1]);
}
const licences = [];
for (const name of [...packages].sort()) {
  const folder = path.join(HERE, "node_modules", name);
  const { version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  const text = file ? (await readFile(path.join(folder, file), "utf8")).trim() : `Licence: ${license}`;
  licences.push(`${name} ${version} (${license})\n\n${text}\n`);
}
await writeFile(path.join(TARGET, "licences.txt"), licences.join(`\n${"-".repeat(80)}\n\n`));

let bytes = 0;
for (const name of ["viewer.js", "viewer.css"]) bytes += gzipSync(await readFile(path.join(TARGET, name))).length;
console.log(`script and style: ${(bytes / 1024).toFixed(1)} KB gzipped, of ${MOST_KB}`);
if (bytes > MOST_KB * 1024) process.exit(1);
