import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A block of commands in a page that a reader copies. */
export interface Block {
  page: string;
  line: number;
  text: string;
  /** Why it is not run by the tests, as a comment before it says; null: it is run. */
  notRun: string | null;
}

const root = fileURLToPath(new URL("../../", import.meta.url));

export const pages: readonly string[] = [
  "README.md",
  ...readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`),
];

/** The fenced blocks of a page that are marked as `language`. */
export function blocksOf(page: string, language: string): Block[] {
  const text = readFileSync(join(root, page), "utf8");
  const fence = new RegExp(`(?:<!-- not run: ([^\\n]*) -->\\n\\s*)?^( *)\`\`\`${language}\\n([^]*?)^\\2\`\`\`$`, "gm");
  return Array.from(text.matchAll(fence), ({ 1: notRun = null, 3: block = "", index }) => ({
    page,
    line: text.slice(0, index).split("\n").length,
    text: block,
    notRun,
  }));
}
