import { expect, test } from "vitest";
import { parseYaml } from "../../src/suite/yaml.ts";
import { cpuMs } from "../cpu-time.ts";

/** Reading as many calm lines takes longer than a refusal may: one that follows all the nesting takes minutes. */
const calmMs = cpuMs(() => parseYaml(`list:\n${"- {a: [1]}\n".repeat(5_000)}`, "calm.yaml"));

const deep: [what: string, text: string, line: number][] = [
  ["lists in brackets", `a: 1\nb: ${"[".repeat(100_000)}${"]".repeat(100_000)}\n`, 2],
  ["maps in braces", `a: 1\nb: ${"{a: ".repeat(5_000)}1${"}".repeat(5_000)}\n`, 2],
  [
    "maps by indentation",
    `a: 1\nb:\n${Array.from({ length: 2_000 }, (_, i) => `${" ".repeat(i + 1)}a:\n`).join("")}`,
    102,
  ],
  ["lists on one line", `a: 1\nb:\n ${"- ".repeat(20_000)}1\n`, 3],
  ["keys of keys", `a: 1\n${"? ".repeat(20_000)}1\n`, 2],
];

test.each(deep)("a file that is nested too deeply is refused with its line: %s", (_, text, line) => {
  const refused = cpuMs(() =>
    expect(() => parseYaml(text, "s.yaml")).toThrow(
      new RegExp(`^s\\.yaml is not valid YAML:\n  s\\.yaml:${line}:\\d+: nested deeper than 100 levels$`),
    ),
  );
  expect(refused).toBeLessThan(calmMs);
});

test("what is no nesting is not counted: long lists, wide texts, brackets in texts", () => {
  const text = `list:\n${"- {a: [1]}\n".repeat(500)}text: |\n${`${" ".repeat(300)}${"[".repeat(300)}\n`.repeat(20)}plain: ${"(".repeat(300)}\nquoted: "${"[".repeat(300)}"\n`;
  expect(Object.keys(parseYaml(text, "s.yaml").value ?? {})).toEqual(["list", "text", "plain", "quoted"]);
});

test("aliases of aliases are refused before they fill the memory", () => {
  const levels = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]\n`).join("");
  const refused = cpuMs(() => {
    expect(() => parseYaml(`a0: &a0 [x]\n${levels}`, "s.yaml")).toThrow(/alias/);
    expect(() => parseYaml("a: &a [*a]\n", "s.yaml")).toThrow(/circular/);
  });
  expect(refused).toBeLessThan(calmMs);
});
