import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Notice {
  name: string;
  about: string;
  text: string;
}

/** Works of others inside packages, of which those packages say nothing where they are installed. */
export const within: Record<string, readonly { name: string; text: string }[]> = {
  undici: [{ name: "llhttp", text: mit("Copyright Fedor Indutny, 2018.") }],
  "@jitl/quickjs-wasmfile-release-sync": [
    { name: "Emscripten", text: mit("Copyright (c) 2010-2014 Emscripten authors.") },
    { name: "musl", text: mit("Copyright © 2005-2020 Rich Felker, et al.") },
  ],
};

/** The folders of packages of which files are built in. */
export function builtInFolders(root: string, inputs: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const input of inputs) {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input.replaceAll("\\", "/").replace(/^\0/, "")) ?? [];
    if (folder !== undefined) folders.add(folder.startsWith("/") ? folder : join(root, folder));
  }
  return [...folders];
}

/** The text of a file with the licences of packages that are built into others: what they ask of whoever passes them on. */
export function noticesOf(root: string, inputs: Iterable<string>): string {
  const notices = builtInFolders(root, inputs)
    .flatMap(noticesIn)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [
    "Parts of these packages are built into tandem.\n",
    ...notices.map(({ name, about, text }) => `${"-".repeat(80)}\n${name} ${about}\n\n${text.trim()}\n`),
  ].join("\n");
}

function noticesIn(folder: string): Notice[] {
  const { name, version, license, author }: Record<"name" | "version" | "license" | "author", string> = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const files = readdirSync(folder).filter((each) => /^(?:licen[cs]e|notice)(?:[.-]|$)/i.test(each));
  const texts = files.map((each) => readFileSync(join(folder, each), "utf8").trim());
  if (texts.length === 0 && license !== "ISC") throw new Error(`${name} is built in, and its licence has no text`);
  return [
    { name, about: `${version} (${license})`, text: texts.join("\n\n") || isc(`Copyright (c) ${author}`) },
    ...(within[name] ?? []).map((part) => ({ name: part.name, about: `in ${name} (MIT)`, text: part.text })),
  ];
}

function isc(copyright: string): string {
  return `${copyright}

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`;
}

function mit(copyright: string): string {
  return `${copyright}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
