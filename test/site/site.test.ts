import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { coloured } from "../../scripts/site/code.ts";
import { documents } from "../../scripts/site/documents.ts";
import { examplePlace } from "../../scripts/site/frame.ts";
import { navigation } from "../../scripts/site/navigation.ts";
import { picturesOf } from "../../scripts/site/pictures.ts";
import { placeOf } from "../../scripts/site/places.ts";
import { rendered } from "../../scripts/site/render.ts";
import { sectionsOf } from "../../scripts/site/sections.ts";
import { siteOf } from "../../scripts/site/site.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const base = "/tandem/";
const site = siteOf({
  documents: documents(root),
  pictures: picturesOf(root),
  exists: (path) => existsSync(root + path),
  base,
});
const places = new Set([
  ...site.pages.keys(),
  ...site.files.map(placeOf),
  "site/site.css",
  "site/site.js",
  "site/search-data.js",
  examplePlace,
]);

/** The addresses in a page, each with the tag that holds it. */
function addresses(html: string): { tag: string; to: string }[] {
  return Array.from(html.matchAll(/<(\w+)[^>]*? (?:href|src|data-script)="([^"]*)"/g), ([, tag = "", to = ""]) => ({
    tag,
    to: to.replaceAll("&amp;", "&"),
  }));
}

describe("the built site", () => {
  test("holds a page for every document, and one for what is not there", () => {
    expect([...site.pages.keys()].toSorted()).toEqual(
      [...documents(root).keys()].map(placeOf).concat("404.html").toSorted(),
    );
  });

  test("has no two pages whose names are one to some file systems", () => {
    const names = [...documents(root).keys()].map((path) => placeOf(path).toLowerCase());
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test("leads nowhere but to its own pages, files and headings", () => {
    const broken = [...site.pages].flatMap(([place, html]) =>
      addresses(html)
        .filter(({ to }) => !/^(?:https?|data):/.test(to))
        .flatMap(({ to }) => {
          const [path = "", anchor] = to.split("#");
          const inside = path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(place), path);
          const there = path === "" ? place : inside;
          if (!places.has(there)) return [`${place}: ${to}`];
          const isThere =
            anchor === undefined || site.pages.get(there)?.includes(` id="${decodeURIComponent(anchor)}"`);
          return isThere === true ? [] : [`${place}: ${to}`];
        }),
    );
    expect(broken).toEqual([]);
  });

  test("asks no other host for anything: only a reader who clicks leaves it", () => {
    const foreign = [...site.pages.values()].flatMap((html) =>
      addresses(html).filter(({ tag, to }) => tag !== "a" && /^(?:https?:)?\/\//.test(to)),
    );
    expect(foreign).toEqual([]);
    const style = readFileSync(`${root}scripts/site/browser/site.css`, "utf8");
    expect(style).not.toMatch(/url\(|@import/);
  });

  test("has links that hold at any address, but for the page of what is not there, which takes its base", () => {
    const absolute = ([, html]: [string, string]): boolean => addresses(html).some(({ to }) => to.startsWith("/"));
    expect([...site.pages].filter(absolute).map(([place]) => place)).toEqual(["404.html"]);
    const missing = addresses(site.pages.get("404.html") ?? "").filter(({ to }) => !/^(?:#|data:)/.test(to));
    expect(missing.length).toBeGreaterThan(50);
    expect(missing.filter(({ to }) => !to.startsWith(base))).toEqual([]);
  });

  test("names the page that is open in the list of pages, once", () => {
    const start = site.pages.get("guides/start.html") ?? "";
    expect(start.match(/aria-current="page">[^<]*/g)).toEqual(['aria-current="page">Your first suite']);
  });
});

test("a link that leads nowhere ends the build with its page", () => {
  const source = { documents: new Map([["README.md", "[a](b.md)"]]), pictures: new Map(), exists: () => false, base };
  expect(() => siteOf(source)).toThrow("1 broken links\n  README.md: b.md (no file)");
});

test("the navigation is made of the headings and lists of the map", () => {
  const map =
    "# Map\n\n[not in it](a.md)\n\n## Start\n\n- [First](guides/a.md): how to: begin\n\n## More\n\n- Two: [b](b.md), [c](../C.md)\n";
  expect(navigation(new Map([["docs/README.md", map]]))).toEqual([
    { title: "Start", pages: [{ path: "docs/guides/a.md", title: "First", about: "how to: begin" }] },
    {
      title: "More",
      pages: [
        { path: "docs/b.md", title: "b", about: "" },
        { path: "C.md", title: "c", about: "" },
      ],
    },
  ]);
});

describe("a page", () => {
  const html = (text: string): string => rendered("docs/guides/a.md", text, new Map());

  test("leads to the pages of the site where its Markdown leads to files", () => {
    expect(html("[b](../reference/b.md#c) [d](#e) [f](../../README.md) [g](https://example.org)")).toBe(
      '<p><a href="../reference/b.html#c">b</a> <a href="#e">d</a> <a href="../index.html">f</a> <a href="https://example.org">g</a></p>\n',
    );
  });

  test("shows code as it is written, whatever signs it has", () => {
    expect(html('`<b>` and\n\n```\n<i> & "x"\n```')).toBe(
      '<p><code class="short">&lt;b&gt;</code> and</p>\n<div class="code"><pre><code>&lt;i&gt; &amp; &quot;x&quot;</code></pre></div>\n',
    );
  });

  test("leaves out comments for tools and headers without words", () => {
    expect(html("<!-- measured -->\n\n| | |\n| --- | --- |\n| a | b |")).toBe(
      '<div class="wide"><table><tbody><tr><td>a</td><td>b</td></tr></tbody></table></div>\n',
    );
  });

  test("marks the cells of a table that ends in sentences with their headers, for narrow screens", () => {
    const sentence = "The name of the suite in results, which is the name of the file.";
    const table = html(`| Key | Type | Meaning |\n| --- | --- | --- |\n| name | text | ${sentence} |`);
    expect(table).toContain('<table class="prose"><thead><tr><th>Key</th>');
    expect(table).toContain('<td data-head="Type">text</td>');
    expect(html("| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |")).not.toContain("prose");
  });

  test("shows a picture with its size, and its twins to those who read in the dark or on a telephone", () => {
    const size = { width: 4, height: 3 };
    const names = ["", "-dark", "-narrow", "-narrow-dark"];
    const twins = new Map(names.map((ending) => [`docs/pictures/p${ending}.png`, size]));
    const page = rendered("README.md", "![A report](docs/pictures/p.png)", twins);
    expect(page).toContain('<a class="picture in-light at-wide" href="pictures/p.png"><img src="pictures/p.png"');
    expect(page).toContain('alt="A report" width="4" height="3"');
    expect(page).toContain('<a class="picture in-dark at-narrow" href="pictures/p-narrow-dark.png">');
    twins.delete("docs/pictures/p-narrow.png");
    expect(rendered("README.md", "![A report](docs/pictures/p.png)", twins).match(/<img/g)).toHaveLength(1);
  });
});

test("the search knows each part of a page by its heading, with the words of lists, tables and code", () => {
  const text =
    "# Page\n\nFirst.\n\n## A `part`\n\n- one\n- two\n\n| a | b |\n| --- | --- |\n| c | d |\n\n```\ncode\n```\n";
  expect(sectionsOf("docs/guides/a.md", text)).toEqual([
    { id: "guides/a.html", page: "Page", heading: "", text: "First." },
    { id: "guides/a.html#a-part", page: "Page", heading: "A part", text: "one two a b c d code" },
  ]);
});

test("keys, texts and comments of YAML have colours, and a colon or a number sign within a text has none", () => {
  expect(coloured('a: "b: #c" # d', "yaml")).toBe(
    '<span class="key">a</span>: <span class="text">&quot;b: #c&quot;</span> <span class="comment"># d</span>',
  );
  expect(coloured("{ base_url: https://x.org/#a }", "yaml")).toBe(
    '{ <span class="key">base_url</span>: https://x.org/#a }',
  );
  expect(coloured("it's a: b # c", "")).toBe("it's a: b # c");
});
