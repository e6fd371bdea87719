import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { documents } from "./site/documents.ts";
import { examplePlace } from "./site/frame.ts";
import { picturesOf } from "./site/pictures.ts";
import { placeOf } from "./site/places.ts";
import { siteOf } from "./site/site.ts";

/**
 * Builds the documentation site from the Markdown of the checkout into `site`, which git ignores. Its links are relative: it works at any
 * address and opened from the disk. `--base /tandem/` is the address for the page that a server shows for what is not there.
 */
const root = fileURLToPath(new URL("../", import.meta.url));
const { values } = parseArgs({
  options: { base: { type: "string", default: "/" }, out: { type: "string", default: join(root, "site") } },
});

const site = siteOf({
  documents: documents(root),
  pictures: picturesOf(root),
  exists: (path) => existsSync(join(root, path)),
  base: values.base,
});
await rm(values.out, { recursive: true, force: true });
for (const [place, html] of site.pages) await write(place, html);
for (const path of site.files) {
  await mkdir(dirname(join(values.out, placeOf(path))), { recursive: true });
  await cp(join(root, path), join(values.out, placeOf(path)));
}
await write(examplePlace, reportOfTheDemo());
await write("site/search-data.js", `tandemSections(${JSON.stringify(site.sections)});\n`);
await write("site/site.css", readFileSync(join(root, "scripts/site/browser/site.css"), "utf8"));
await build({
  entryPoints: [join(root, "scripts/site/browser/site.ts")],
  outfile: join(values.out, "site/site.js"),
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  logLevel: "warning",
});
console.log(
  `${site.pages.size} pages, ${site.files.length} files, ${site.sections.length} parts to search: ${values.out}`,
);

/** The page of a comparison as everybody gets it, made by the built command. */
function reportOfTheDemo(): string {
  const folder = mkdtempSync(join(tmpdir(), "tandem-example-"));
  try {
    execFileSync(process.execPath, [join(root, "dist/main.js"), "demo", "--quiet"], { cwd: folder, stdio: "ignore" });
    const [report] = globSync(join(folder, "results/*/report.html"));
    if (report === undefined) throw new Error("the demo wrote no report");
    return readFileSync(report, "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function write(place: string, text: string): Promise<void> {
  await mkdir(dirname(join(values.out, place)), { recursive: true });
  await writeFile(join(values.out, place), text);
}
