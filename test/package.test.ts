import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { blocksOf, pages as guidePages } from "./e2e/guide-blocks.ts";

const root = join(import.meta.dirname, "..");
const guides = readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`);
const pages = ["README.md", "CONTRIBUTING.md", ...guides].map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
}));

test("nothing is installed with tandem: all that it needs is built in", () => {
  expect(manifest).not.toHaveProperty("dependencies");
  const optional = Object.entries(manifest.peerDependenciesMeta).filter(([, each]) => each.optional);
  expect(optional.map(([name]) => name)).toEqual(Object.keys(manifest.peerDependencies));
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

test("every block of commands in README and guides is marked as one", () => {
  const command = /^(?:\$ )?(?:tandem|npm|npx|curl|export|git|docker)\b/;
  const unmarked = guidePages
    .flatMap((page) => blocksOf(page, ""))
    .filter(({ text }) => command.test(text) && !text.startsWith("$"));
  expect(unmarked.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});
