import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

const root = join(import.meta.dirname, "..");
const guides = readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`);
const pages = ["README.md", "CONTRIBUTING.md", ...guides].map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
}));

test("nothing is installed with tandem but what cannot be built in", () => {
  expect(Object.keys(manifest.dependencies)).toEqual(["better-sqlite3"]);
});

test("npm refuses to publish the package, or no placeholder is left in it", () => {
  const isGuarded = "private" in manifest && manifest.private;
  expect(isGuarded || !JSON.stringify(manifest).includes("REPOSITORY_OWNER")).toBe(true);
  expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
});

test("pages call the package as package.json does", () => {
  const written = (pattern: RegExp): string[] =>
    pages.flatMap(({ path, text }) => Array.from(text.matchAll(pattern), ([, name]) => `${path}: ${name}`));
  const imported = written(/\b(?:from |require\(|import\()"([^".]*tandem[^"]*)"/g);
  expect(imported.length).toBeGreaterThan(2);
  expect(imported.filter((each) => !each.endsWith(`: ${manifest.name}`))).toEqual([]);
  expect(written(/(@[\w-]+\/tandem)\b/g).filter((each) => !each.endsWith(`: ${manifest.name}`))).toEqual([]);
  expect(
    written(/\b(tandem-\d[\w.]*?)\.tgz/g).filter((each) => !each.endsWith(`: tandem-${manifest.version}`)),
  ).toEqual([]);
});
