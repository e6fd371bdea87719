import { posix } from "node:path";

/**
 * The place of a page or another file of the checkout in the site. Pages of `docs` keep their folders; those of the root
 * stand in `project`, because `SECURITY.md` and `docs/security.md` are one name to some file systems.
 */
export function placeOf(path: string): string {
  if (path === "README.md") return "index.html";
  if (path === "docs/README.md") return "all.html";
  const inside = path.startsWith("docs/") ? path.slice("docs/".length) : path;
  if (!path.endsWith(".md")) return inside;
  const page = inside.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html");
  return page.includes("/") || inside !== path ? page : `project/${page.toLowerCase()}`;
}

/** The address of a place of the site, seen from another: relative, so that the site works in any folder. */
export function addressFrom(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}
