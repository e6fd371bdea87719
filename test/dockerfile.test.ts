import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allowedPaths, stagesOf } from "./dockerfile.ts";

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const stages = stagesOf(read("Dockerfile"));
const all = stages.flatMap(({ instructions }) => instructions);
const last = stages.at(-1);
const lastOf = (name: string): string | undefined => last?.instructions.findLast((each) => each.name === name)?.text;

describe("the Dockerfile", () => {
  test("begins every stage with one exact version of one base", () => {
    const bases = new Set(stages.map(({ base }) => base));
    expect(bases.size).toBe(1);
    for (const base of bases) expect(base).toMatch(/^node:\d+\.\d+\.\d+-\w+-slim$/);
    const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(read("package.json"));
    expect([...bases][0]).toContain(`node:${devDependencies["node"]}-`);
  });

  test("fetches nothing by address, and only what the lock file names", () => {
    expect(all.filter(({ name }) => name === "ADD")).toEqual([]);
    const commands = all.filter(({ name }) => name === "RUN").map(({ text }) => text);
    expect(commands.filter((text) => /curl|wget|https?:|apt|npm (?:i|install)\b/.test(text))).toEqual([]);
    expect(commands.filter((text) => text.includes("npm ci") && !text.includes("--ignore-scripts"))).toEqual([]);
  });

  test("holds no secret and no argument that could be one", () => {
    const named = all.filter(({ name }) => name === "ARG" || name === "ENV").map(({ text }) => text);
    expect(named).toEqual(["NODE_ENV=production"]);
  });

  test("runs tandem as a user without rights, who owns the folder of results alone", () => {
    expect(lastOf("USER")).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    const after = last?.instructions.slice(last.instructions.findIndex(({ name }) => name === "USER") + 1) ?? [];
    expect(after.filter(({ name }) => name === "RUN" || name === "COPY")).toEqual([]);
    expect(all.filter(({ text }) => /chown|chmod/.test(text))).toEqual([]);
    expect(lastOf("RUN")).toBeDefined();
    expect(lastOf("ENTRYPOINT")).toBe('["tandem"]');
    expect(lastOf("VOLUME")).toBe('["/results"]');
    expect(lastOf("HEALTHCHECK")).toBe("NONE");
  });

  test("takes from the build only what a package holds, and nothing of the context", () => {
    const copied = last?.instructions.filter(({ name }) => name === "COPY").map(({ text }) => text) ?? [];
    for (const text of copied) expect(text).toMatch(/^--from=build \/src\//);
    expect(copied.join(" ")).not.toMatch(/\/src\/? |\/src\/(?:src|scripts|test)\b/);
  });
});

test("the context of the image is a list of what is allowed, and all of it is there", () => {
  const allowed = allowedPaths(read(".dockerignore"));
  expect(allowed).toContain("package-lock.json");
  expect(allowed.filter((path) => /[*?]|^(?:results|\.|test|node_modules|dist)/.test(path))).toEqual([]);
  expect(allowed.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([]);
});

test("a file of another form is refused by what reads it", () => {
  expect(() => stagesOf("RUN true\n")).toThrow("not understood");
  expect(stagesOf("# x\nFROM a AS b\nRUN one \\\n  two\n")).toEqual([
    { base: "a", name: "b", instructions: [{ name: "RUN", text: "one    two" }] },
  ]);
  expect(() => allowedPaths("node_modules\n")).toThrow("the first rule");
  expect(() => allowedPaths("*\nresults\n")).toThrow("not understood");
});
