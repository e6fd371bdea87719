import { expect, test } from "vitest";
import { endWith } from "../../src/cli/command-result.ts";
import { processTerminal } from "../../src/cli/terminal.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const printed: string[] = [];
const terminal = { ...processTerminal("never"), print: (text: string) => void printed.push(text) };

test.each([
  ["the data as JSON, with --json", true, [`{\n  "version": ${storedVersion},\n  "is": true\n}`]],
  ["the text, else", false, ["one line"]],
])("a result is printed once: %s; what comes after begins then", async (_, json, lines) => {
  printed.length = 0;
  const after = async (): Promise<void> => void printed.push("after");
  expect(await endWith({ data: { is: true }, text: "one line", exit: 3, after }, json, terminal)).toBe(3);
  expect(printed).toEqual([...lines, "after"]);
});

test("a result of nothing prints nothing and ends with 0", async () => {
  printed.length = 0;
  expect([await endWith({}, true, terminal), await endWith({}, false, terminal)]).toEqual([0, 0]);
  expect(printed).toEqual([]);
});
