import { posix } from "node:path";
import { addressesIn, headingsOf } from "./markdown.ts";

/** A link or picture that leads nowhere. */
interface BrokenLink {
  page: string;
  to: string;
  why: "no file" | "no heading";
}

/**
 * The broken links of pages, which are given as Markdown by their path from the root. Addresses of other hosts are not looked at.
 * `exists` is asked about files that are no pages.
 */
export function brokenLinks(pages: ReadonlyMap<string, string>, exists: (path: string) => boolean): BrokenLink[] {
  const anchors = new Map(
    [...pages].map(([path, text]) => [path, new Set(headingsOf(text).map(({ id }) => id))] as const),
  );
  return [...pages].flatMap(([page, text]) =>
    addressesIn(text)
      .filter((to) => !isElsewhere(to))
      .flatMap((to): BrokenLink[] => {
        const { path, anchor } = target(page, to);
        if (!pages.has(path) && !exists(path)) return [{ page, to, why: "no file" }];
        const isThere = anchor === "" || anchors.get(path)?.has(anchor) === true;
        return isThere ? [] : [{ page, to, why: "no heading" }];
      }),
  );
}

/** An address with a scheme, or one of a host. */
export function isElsewhere(to: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(to);
}

/** The file, by its path from the root, and the anchor in it that a link of a page leads to. */
export function target(page: string, to: string): { path: string; anchor: string } {
  const [path = "", anchor = ""] = to.split("#");
  return {
    path: path === "" ? page : posix.join(posix.dirname(page), decodeURIComponent(path)),
    anchor: decodeURIComponent(anchor),
  };
}
