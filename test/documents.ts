import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { lexer, walkTokens, type Token, type Tokens } from "marked";

/** The pages of a checkout for people, as Markdown by their path from its root. */
export function documents(root: string): Map<string, string> {
  const paths = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    ...within(root, "docs").filter((path) => path.endsWith(".md")),
    // Articles of a dataset's bot are no pages for people.
    ...within(root, "datasets").filter((path) => path.endsWith("/README.md")),
  ];
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

function within(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .toSorted();
}

/** Where the links and pictures of a page lead, as written. */
export function addressesIn(text: string): string[] {
  return tokensOf(text).flatMap((token) => {
    if (token.type === "link" || token.type === "image") return "href" in token ? [String(token.href)] : [];
    if (token.type !== "html") return [];
    return Array.from(token.raw.matchAll(/\b(?:href|src)=["']([^"']*)/g), ([, to = ""]) => to);
  });
}

/** Links and pictures of pages that lead nowhere, as `page: address`. `exists` is asked about files that are no pages. */
export function brokenLinks(pages: ReadonlyMap<string, string>, exists: (path: string) => boolean): string[] {
  const anchors = new Map([...pages].map(([path, text]) => [path, anchorsOf(text)]));
  return [...pages].flatMap(([page, text]) =>
    addressesIn(text)
      .filter((to) => !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(to))
      .filter((to) => {
        const [named = "", anchor = ""] = to.split("#").map(decodeURIComponent);
        const path = named === "" ? page : posix.join(posix.dirname(page), named);
        const isFile = pages.has(path) || exists(path);
        return !isFile || (anchor !== "" && anchors.get(path)?.has(anchor) !== true);
      })
      .map((to) => `${page}: ${to}`),
  );
}

/** The anchors of a page's headings as GitHub makes them: the second of two alike ends with `-1`. */
function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  return new Set(
    tokensOf(text)
      .filter((token): token is Tokens.Heading => token.type === "heading")
      .map((heading) => {
        const slug = plainText(heading)
          .trim()
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
          .replaceAll(" ", "-");
        const before = seen.get(slug) ?? 0;
        seen.set(slug, before + 1);
        return before === 0 ? slug : `${slug}-${before}`;
      }),
  );
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  void walkTokens(lexer(text), (token) => {
    tokens.push(token);
  });
  return tokens;
}

function plainText(token: Token): string {
  const inner = "tokens" in token ? (token.tokens ?? []) : [];
  if (inner.length > 0) return inner.map(plainText).join("");
  return "text" in token ? String(token.text) : "";
}
