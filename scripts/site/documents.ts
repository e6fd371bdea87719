import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

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
