import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const sheet = "language,input,__expected\nFrench,Hello,icontains:bonjour\nGerman,Bye,icontains:tschüss\n";
const asked = "Translate {{input}} to {{language}}";

describe("a promptfoo sheet of variables", () => {
  test("is refused by run, validate and init with the question for the prompt, and nothing is sent", async () => {
    const service = await startService(() => record("x"));
    const tandem = new Tandem().file("tests.csv", sheet);
    const target = ["--deployment", `prod=${service.url}`, "--example-id", "a"];
    const said = await Promise.all(
      [
        ["run", "tests.csv", ...target],
        ["validate", "tests.csv"],
        ["init", "tests.csv", "--yes"],
      ].map(async (args) => {
        const { code, out, err } = await tandem.run(...args);
        expect(code).toBe(2);
        return out + err;
      }),
    );
    for (const text of said) {
      expect(text).toContain('its columns "language", "input" are variables of a prompt');
      expect(text).toContain("--prompt '... {{language}} ... {{input}} ...'");
    }
    expect(service.received).toEqual([]);
    expect(tandem.has("suite.yaml")).toBe(false);
  });

  test("is sent with the prompt that is given, by a flag or a file, and its checks grade the answers", async () => {
    const service = await startService(({ prompt }) =>
      record(prompt.includes("French") ? "Bonjour" : "Auf Wiedersehen"),
    );
    const tandem = new Tandem().file("tests.csv", sheet).file("prompt.txt", `${asked}\n`);
    const target = ["--deployment", `prod=${service.url}`, "--example-id", "a"];
    await tandem.run("run", "tests.csv", ...target, "--prompt", asked);
    await tandem.run("run", "tests.csv", ...target, "--prompt-file", "prompt.txt");
    const prompts = ["Translate Bye to German", "Translate Hello to French"];
    expect(service.received.map(({ prompt }) => prompt).toSorted()).toEqual(prompts.flatMap((one) => [one, one]));
    expect((await tandem.run("validate", "tests.csv", "--prompt", asked)).code).toBe(0);
    expect(tandem.query("SELECT DISTINCT pass FROM scores ORDER BY 1")).toEqual([{ pass: 0 }, { pass: 1 }]);
  });

  test("becomes a suite with the prompt in it, which runs at once", async () => {
    const tandem = new Tandem().env({}).file("tests.csv", sheet);
    expect((await tandem.run("init", "tests.csv", "--yes", "--prompt", asked)).code).toBe(0);
    expect(tandem.text("suite.yaml")).toContain(`input_prompt: "${asked}" # what is sent`);
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    expect(tandem.query(`SELECT input ->> '$.input_prompt' AS prompt FROM "case" ORDER BY place`)).toEqual([
      { prompt: "Translate Hello to French" },
      { prompt: "Translate Bye to German" },
    ]);
  });

  test.each([
    [["--prompt", "Say hello"], "has no place for a column"],
    [["--prompt", "{{langauge}}"], 'Did you mean "language"'],
    [["--prompt", asked, "--prompt-file", "two.txt"], "cannot be used together"],
    [["--prompt-file", "two.txt"], "has several prompts"],
    [["--prompt-file", "none.txt"], "cannot be read"],
  ])("refuses a prompt that cannot be one: %j", async (flags, said) => {
    const tandem = new Tandem().file("tests.csv", sheet).file("two.txt", "{{input}}\n---\n{{language}}\n");
    const { code, out, err } = await tandem.run("validate", "tests.csv", ...flags);
    expect(code).toBe(2);
    expect(out + err).toContain(said);
  });
});
