import { expect, test } from "vitest";
import { powershellLine, readPowershellWords } from "../../../src/cli/completion/complete.ts";
import { completionScripts } from "../../../src/cli/completion/scripts.ts";

const sent = (...words: string[]): string => Buffer.from(JSON.stringify(words)).toString("base64");
const typed = (value: string): string | undefined =>
  Buffer.from(powershellLine(value), "base64").toString("utf8").split("\t")[1];

test("the words that PowerShell sends are read whole, also an empty one and one behind an open quote", () => {
  expect(readPowershellWords(sent("pin", ""))).toEqual({ words: ["pin"], current: "" });
  expect(readPowershellWords(sent("run", "--against", "'रात 1"))).toEqual({
    words: ["run", "--against"],
    current: "रात 1",
  });
});

test("a name is put into a line of PowerShell as one word that runs nothing", () => {
  for (const plain of ["plan", "rात-1", "suite/tandem.yaml", "prompts~1", "--results", "--target=ass", "prod:a"])
    expect(typed(plain)).toBe(plain);
  expect(typed("release 12")).toBe("'release 12'");
  expect(typed("$(calc);`calc`'x\"")).toBe("'$(calc);`calc`''x\"'");
  expect(typed("it’s")).toBe("'it’’s'");
  for (const split of ["-rf.x", "--out=a.b", "~x", "@list", "a,b", "(x)", "%x", "#x"])
    expect(typed(split)).toBe(`'${split}'`);
});

test("the script of PowerShell asks the command and evaluates none of its answer", () => {
  const script = completionScripts.powershell;
  expect(script).toMatch(/^\p{ASCII}*$/u);
  expect(script).toContain("& $tandem __complete powershell $words 2>$null");
  expect(script.replaceAll(/^#.*$/gm, "")).not.toMatch(/Invoke-Expression|iex\b|\[scriptblock\]/i);
  for (const [open, close] of ["()", "{}", "[]"]) {
    expect(script.split(open ?? "").length).toBe(script.split(close ?? "").length);
  }
});
