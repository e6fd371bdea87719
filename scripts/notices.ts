import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The text of a file with the licences of packages that are built into others: what they ask of whoever passes them on. */
export function noticesOf(root: string, inputs: Iterable<string>): string {
  const folders = new Set<string>();
  for (const input of inputs) {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input.replaceAll("\\", "/").replace(/^\0/, "")) ?? [];
    if (folder !== undefined) folders.add(folder.startsWith("/") ? folder : join(root, folder));
  }
  const notices = [...folders].map(noticeOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [
    "Parts of these packages are built into tandem.\n",
    ...notices.map(({ name, about, text }) => `${"-".repeat(80)}\n${name} ${about}\n\n${text.trim()}\n`),
  ].join("\n");
}

function noticeOf(folder: string): { name: string; about: string; text: string } {
  const { name, version, license }: { name: string; version: string; license: string } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const file = readdirSync(folder).find((each) => /^licen[cs]e(?:[.-]|$)/i.test(each));
  const text = file === undefined ? `It says of its licence: ${license}.` : readFileSync(join(folder, file), "utf8");
  return { name, about: `${version} (${license})`, text };
}
