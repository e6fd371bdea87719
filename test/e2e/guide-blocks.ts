import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A fenced block of a page. */
export interface Block {
  page: string;
  line: number;
  language: string;
  text: string;
  /** Why its commands are not run by the tests, as a comment before it says; null: they are run. */
  notRun: string | null;
  /** The file whose content it is: the paragraph before it begins with the name. */
  file: string | null;
}

const root = fileURLToPath(new URL("../../", import.meta.url));

export const pages: readonly string[] = [
  "README.md",
  ...readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`),
];

/** The fenced blocks of a page, or those that are marked as `language`. */
export function blocksOf(page: string, language?: string): Block[] {
  const text = readFileSync(join(root, page), "utf8");
  const fences = text.matchAll(/^( *)```(\w*)\n([^]*?)^\1```$/gm);
  const blocks = Array.from(fences, ({ 1: indent = "", 2: marked = "", 3: block = "", index }) => {
    const paragraph =
      text
        .slice(0, index)
        .trimEnd()
        .split(/\n\s*\n/)
        .at(-1) ?? "";
    return {
      page,
      line: text.slice(0, index).split("\n").length,
      language: marked,
      text: block.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      notRun: /^ *<!-- not run: (.*) -->$/.exec(paragraph)?.[1] ?? null,
      file: /^`(\w[\w./-]*\.\w+)`/.exec(paragraph)?.[1] ?? null,
    };
  });
  return language === undefined ? blocks : blocks.filter((block) => block.language === language);
}
