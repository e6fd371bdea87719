import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { outcomeKinds } from "../src/api/outcomes.ts";
import { commandName } from "../src/cli/command.ts";
import { commands } from "../src/cli/commands.ts";
import { addressesIn, brokenLinks, documents } from "./documents.ts";
import { blocksOf, pages } from "./e2e/guide-blocks.ts";

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

test("every file and folder that the pages for developers name is there", () => {
  const there = paths(["src", "test", "docs", "datasets", "scripts"]);
  const isThere = (name: string): boolean =>
    existsSync(join(root, name)) || there.some((path) => path.endsWith(`/${name.replace(/\/$/, "")}`));
  const told = read("CONTRIBUTING.md") + read("docs/developers/how-it-works.md");
  const quoted = Array.from(told.matchAll(/`([^`\s]+)`/g), ([, name = ""]) => name);
  const named = quoted.filter((name) => /\/|\.(ts|tsx|css|md|sql)$/.test(name) && !/NAME|NNN|\*|^--/.test(name));
  expect(named.length).toBeGreaterThan(55);
  expect(named.filter((name) => !isThere(name) && !/^(?:results|dist)\b/.test(name))).toEqual([]);
});

test("every link of a page leads to a file that is there, and every anchor to a heading in it", () => {
  const texts = documents(root);
  expect(texts.size).toBeGreaterThan(30);
  expect([...texts.values()].flatMap(addressesIn).length).toBeGreaterThan(200);
  expect(brokenLinks(texts, (path) => existsSync(join(root, path)))).toEqual([]);
});

test("a link without its file or heading is found: in lists, tables and HTML, by reference, but not in code", () => {
  const page = `# \`A\` *first*, & more

[ok](guides/b.md) [ok](guides/b.md#why-not-so) [ok](#a-first--more) [ok](https://example.org/b.md#c) \`[c](d.md)\`

- [l](l.md)

| [h](guides/b.md#none) |
| --- |
| **[t](#first)** ![ok](p.png) |

[by name][r] <img src="i.png">

[r]: r.md
`;
  const texts = new Map([
    ["docs/a.md", page],
    ["docs/guides/b.md", "# Second\n\n## Why *not*, [so](../a.md)?\n"],
  ]);
  expect(brokenLinks(texts, (path) => path === "docs/p.png").toSorted()).toEqual([
    "docs/a.md: #first",
    "docs/a.md: guides/b.md#none",
    "docs/a.md: i.png",
    "docs/a.md: l.md",
    "docs/a.md: r.md",
  ]);
});

test("no title promises what a crash can break: what is open is said in its place", () => {
  const titles = [...documents(root)].flatMap(([path, text]) => [
    ...Array.from(text.matchAll(/^#+ .*$/gm), ([title]) => `${path}: ${title}`),
    // The map tells each page in half a line.
    ...(path === "docs/README.md" ? Array.from(text.matchAll(/^- \[.*$/gm), ([line]) => `${path}: ${line}`) : []),
  ]);
  expect(titles.length).toBeGreaterThan(200);
  expect(titles.filter((title) => /\b(?:never|exactly once|nothing is lost)\b/i.test(title))).toEqual([]);
});

test("the map of the pages names each of them once", () => {
  // Sections beside it may be what people look for.
  const named = addressesIn(read("docs/README.md"))
    .filter((to) => !to.includes("#"))
    .map((to) => join("docs", to));
  expect(named.toSorted()).toEqual([...documents(root).keys()].filter((path) => path !== "docs/README.md").toSorted());
});

/** The flags of each command. */
function flagsOfCommands(): Map<string, Set<string>> {
  return new Map(
    commands.map((command) => [
      commandName(command),
      new Set(["--help", ...Object.keys(command.flags).map((name) => `--${name}`)]),
    ]),
  );
}

/** Commands with names of no command or with flags that they do not have, of the code in a page. */
function unknownIn(text: string, known: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const code = Array.from(text.matchAll(/^```[\s\S]*?^```|`[^`\n]+`/gm), ([found]) => found).join("\n");
  return Array.from(code.matchAll(/(?<=^|`|\$ |npx |&& )tandem ([a-z]+)([^`|&#\n]*)/gm)).flatMap(
    ([, name = "", rest = ""]) => {
      if (name === "help") return [];
      const flags = known.get(name);
      if (flags === undefined) return [`tandem ${name}`];
      return (rest.match(/(?<=\s)--[a-z][a-z-]*/g) ?? [])
        .filter((flag) => !flags.has(flag) && !flags.has(flag.replace("--no-", "--")))
        .map((flag) => `tandem ${name} ${flag}`);
    },
  );
}

test("every command in a page is one, with flags that it has", () => {
  const known = flagsOfCommands();
  expect(known.size).toBeGreaterThan(20);
  expect(
    unknownIn("`tandem run --no-such`, `tandem rum` and\n\n```\n$ tandem check --limit 3 --rest\n```", known),
  ).toEqual(["tandem run --no-such", "tandem rum", "tandem check --rest"]);
  expect(
    [...documents(root)].flatMap(([path, text]) => unknownIn(text, known).map((found) => `${path}: ${found}`)),
  ).toEqual([]);
});

test("every outcome is explained", () => {
  const text = read("docs/reference/errors.md");
  // What is stored as `ok` is shown by the kind of the answer.
  const unexplained = outcomeKinds.filter((kind) => !text.includes(`| \`${kind}\` |`));
  expect(unexplained).toEqual(["ok"]);
  expect(text).toContain("| `answered`, `empty`, `truncated`, `function-error`, `warning`");
});

test("few blocks of commands are not run by the test of the guides, each for a reason", () => {
  const left = pages.flatMap((page) => blocksOf(page, "sh")).filter((block) => block.notRun !== null);
  expect(left.map(({ page, notRun }) => `${page}: ${notRun}`).toSorted()).toMatchInlineSnapshot(`
    [
      "README.md: a bot of the reader",
      "README.md: bots and a channel of the reader",
      "README.md: in a checkout, by .ci/run",
      "docs/guides/any-http-endpoint.md: a bot of the reader",
      "docs/guides/ci.md: another program",
      "docs/guides/compare-many.md: an account",
      "docs/guides/results-elsewhere.md: a collector",
      "docs/guides/results-elsewhere.md: an account",
      "docs/guides/results-elsewhere.md: another program",
      "docs/guides/results-elsewhere.md: another program",
      "docs/guides/run-at-night.md: an alarm of that day",
      "docs/guides/run-at-night.md: services of a machine",
      "docs/guides/several-machines.md: a PostgreSQL",
      "docs/guides/several-machines.md: a PostgreSQL",
      "docs/guides/several-machines.md: a PostgreSQL",
      "docs/guides/several-machines.md: a PostgreSQL",
      "docs/guides/start.md: in a checkout, by .ci/run",
    ]
  `);
});
