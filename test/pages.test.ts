import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { outcomeKinds } from "../src/client/outcome.ts";

const root = new URL("../", import.meta.url).pathname;

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Every file and folder of some folders, from the root. */
function paths(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
}

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...paths(["docs", "datasets"]).filter((path) => path.endsWith(".md")),
];

test("every file and folder that CONTRIBUTING names is there", () => {
  const there = paths(["src", "test", "docs", "datasets", "scripts"]);
  const isThere = (name: string): boolean =>
    existsSync(join(root, name)) || there.some((path) => path.endsWith(`/${name.replace(/\/$/, "")}`));
  const quoted = Array.from(read("CONTRIBUTING.md").matchAll(/`([^`\s]+)`/g), ([, name = ""]) => name);
  const named = quoted.filter((name) => /\/|\.(ts|tsx|css|md|sql)$/.test(name) && !/NAME|NNN|\*|^--/.test(name));
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter((name) => !isThere(name) && !/^(?:results|dist)\b/.test(name))).toEqual([]);
});

test("every page that a page links to is there", () => {
  const links = pages
    .flatMap((page) => Array.from(read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g), ([, to = ""]) => ({ page, to })))
    .filter(({ to }) => !/^\w+:/.test(to));
  expect(links.length).toBeGreaterThan(60);
  expect(links.filter(({ page, to }) => !existsSync(join(root, dirname(page), to)))).toEqual([]);
});

test("every outcome is explained", () => {
  const text = read("docs/reference/outcomes.md");
  // What is stored as `ok` is shown by the kind of the answer.
  const unexplained = outcomeKinds.filter((kind) => !text.includes(`| \`${kind}\` |`));
  expect(unexplained).toEqual(["ok"]);
  expect(text).toContain("| `answered`, `empty`, `truncated`, `function-error`, `warning`");
});
