import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const built = (name: string): URL => new URL(`../../dist/${name}`, import.meta.url);

test("the command needs no package but optional ones", () => {
  const files = readdirSync(built("./")).filter((name) => name.endsWith(".js"));
  expect(files.length).toBeGreaterThan(100);
  const imported = /^(?:import|export)\b[^\n"]*?(?:from )?"([^"]+)";?$|\bimport\("([^"]+)"\)/gm;
  const needed = files.flatMap((file) =>
    Array.from(readFileSync(built(file), "utf8").matchAll(imported), ([, from, loaded]) => from ?? loaded ?? ""),
  );
  const outside = needed.filter((name) => /^[@a-z]/.test(name) && !isBuiltin(name));
  expect([...new Set(outside)].toSorted()).toEqual(Object.keys(manifest.peerDependencies));
});

test("no package that is built in is loaded in a way that only an installed one can be", () => {
  const files = readdirSync(built("./")).filter((name) => name.endsWith(".js"));
  const texts = files.map((file) => readFileSync(built(file), "utf8"));
  // A package of CommonJS, built in, has no names for whoever imports it when it is needed.
  const unnamed = files.filter((_, index) => /^export default require_\w+\(\);$/m.test(texts[index] ?? ""));
  const loaded = unnamed.filter((file) => texts.some((text) => text.includes(`import("./${file}")`)));
  expect(loaded).toEqual([]);
  expect(texts.flatMap((text) => text.match(/createRequire\(import\.meta\.url\)\("\w+"\)/g) ?? [])).toEqual([]);
});

test("the parsers beside the command need no package", () => {
  const files = readdirSync(built("parsers/"));
  expect(files).toEqual(expect.arrayContaining(["liquid.cjs"]));
  const needed = files.flatMap((file) =>
    Array.from(
      readFileSync(built(`parsers/${file}`), "utf8").matchAll(/\brequire\("([^"]+)"\)/g),
      ([, name = ""]) => name,
    ),
  );
  expect(needed.filter((name) => !isBuiltin(name))).toEqual([]);
});

test("the licences of what is built in stand beside it, those of the page too", () => {
  const notices = readFileSync(built("NOTICES.txt"), "utf8");
  expect(notices).toMatch(/\nyaml \S+ \(ISC\)\n/);
  expect(notices).toMatch(/\npreact \S+ \(MIT\)\n[^]*?Permission is hereby granted/);
  // Its package has no text of the licence that it names.
  expect(notices).toMatch(/\nsaxes \S+ \(ISC\)\n\nCopyright[^]*?Permission to use/);
  // Inside of packages, of which these say nothing.
  expect(notices).toMatch(/\nllhttp in undici \(MIT\)\n\nCopyright Fedor Indutny/);
});
