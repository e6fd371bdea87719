import { expect, test } from "vitest";
import { brokenLinks } from "../../scripts/site/links.ts";
import { addressesIn, headingsOf } from "../../scripts/site/markdown.ts";

const nothingElse = (): boolean => false;

/** The broken links of `docs/a.md` beside a page with two headings. */
function brokenIn(text: string, exists: (path: string) => boolean = nothingElse): string[] {
  const pages = new Map([
    ["docs/a.md", `# First\n\n${text}\n`],
    ["docs/guides/b.md", "# Second\n\n## A part\n"],
  ]);
  return brokenLinks(pages, exists).map(({ to, why }) => `${to}: ${why}`);
}

test("a link to a page, to a heading of it and to one of its own page is whole", () => {
  expect(brokenIn("[b](guides/b.md), [part](guides/b.md#a-part), [up](#first)")).toEqual([]);
});

test("a link to a page or a heading that is not there is broken", () => {
  expect(brokenIn("[b](b.md), [part](guides/b.md#another), [up](#second)")).toEqual([
    "b.md: no file",
    "guides/b.md#another: no heading",
    "#second: no heading",
  ]);
});

test("pictures, links of lists and tables, links by reference and those of HTML are looked at", () => {
  const text = [
    "![p](p.png)",
    "- [l](l.md)",
    "",
    "| head [h](h.md) |",
    "| --- |",
    "| **[t](t.md)** |",
    "",
    "[by name][r]",
    "",
    "[r]: r.md",
    "",
    '<img src="i.png">',
  ].join("\n");
  expect(brokenIn(text)).toEqual(["p.png", "l.md", "h.md", "t.md", "r.md", "i.png"].map((to) => `${to}: no file`));
  expect(brokenIn("![p](pictures/p.png)", (path) => path === "docs/pictures/p.png")).toEqual([]);
});

test("code and the addresses of other hosts are no links to check", () => {
  expect(
    brokenIn("`[a](b.md)` [x](https://example.org/b.md#c) [m](mailto:a@example.org)\n\n```\n[c](d.md)\n```"),
  ).toEqual([]);
  expect(addressesIn("```\n[c](d.md)\n```")).toEqual([]);
});

test("a heading has the anchor that GitHub gives it", () => {
  const text =
    "# `tandem history --json`\n\n## Why *not*, [so](a.md)?\n\n## Änderung 2.0 & mehr\n\n### a_b\n\n## A\n\n## a\n";
  expect(headingsOf(text).map(({ id }) => id)).toEqual([
    "tandem-history---json",
    "why-not-so",
    "änderung-20--mehr",
    "a_b",
    "a",
    "a-1",
  ]);
});
