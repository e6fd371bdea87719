import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { policyPlace } from "../src/report/formats/page.ts";

/**
 * Builds the page of reports and of the viewer: one HTML file, compressed, script and style inside, and nothing that is loaded from
 * elsewhere. Its Content-Security-Policy allows exactly that script and that style by their hashes; what else it allows
 * is laid in by whoever reads it (`src/report/formats/page.ts`), because a report may do less than the viewer.
 */
const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** The place of a report's data; the writer of the report looks for the same words. */
const dataPlace = "<!--tandem:data-->";

/** Gives the files that it is made of. */
export async function buildApp(): Promise<string[]> {
  const made: string[] = [];
  const result = await build({
    configFile: false,
    root: path("src/viewer/app"),
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    plugins: [viteSingleFile(), { name: "inputs", moduleParsed: ({ id }) => void made.push(id) }],
    build: { write: false, target: "es2022", modulePreload: false },
  });
  const outputs = [result].flat().flatMap((each) => ("output" in each ? each.output : []));
  const page = outputs.find(({ fileName }) => fileName === "index.html");
  if (page?.type !== "asset" || outputs.length !== 1) throw new Error("the page was not built into one file");
  const html = String(page.source);
  if (html.split(dataPlace).length !== 2) throw new Error(`the page needs exactly one ${dataPlace}`);
  await mkdir(path("dist/app"), { recursive: true });
  await writeFile(path("dist/app/page.html.br"), brotliCompressSync(withPolicy(html)));
  return made;
}

function withPolicy(html: string): string {
  const hashes = (tag: string): string =>
    [...html.matchAll(new RegExp(`<${tag}(?![^>]* type="application/)[^>]*>([\\s\\S]*?)</${tag}>`, "g"))]
      .map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`)
      .join(" ");
  const policy = `default-src 'none'; script-src ${hashes("script")}; style-src ${hashes("style")}; ${policyPlace}; base-uri 'none'; form-action 'none'`;
  const place = '<meta charset="utf-8" />';
  const marked = html.replace(place, () => `${place}<meta http-equiv="Content-Security-Policy" content="${policy}" />`);
  if (marked === html) throw new Error("the page has no place for its policy");
  return marked;
}
