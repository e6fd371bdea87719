import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { expect, test } from "vitest";

const built = (name: string): URL => new URL(`../../dist/${name}`, import.meta.url);

test("the parsers beside the command need no package", () => {
  const files = readdirSync(built("parsers/"));
  expect(files).toEqual(expect.arrayContaining(["mysql.cjs", "parse5.cjs", "saxes.cjs"]));
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
  expect(notices).toMatch(/\nnode-sql-parser \S+ \(Apache-2\.0\)\n[^]*?Apache License/);
  expect(notices).toMatch(/\npreact \S+ \(MIT\)\n[^]*?Permission is hereby granted/);
  expect(notices).toMatch(/\nsaxes \S+ \(ISC\)\n/);
});
