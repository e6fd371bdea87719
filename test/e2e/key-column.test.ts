import { expect, test } from "vitest";
import { Tandem } from "./tandem.ts";

const sheet = (keys: readonly string[], head = "Nr"): string =>
  [`${head};Frage;Antwort`, ...keys.map((key, row) => `${key};Frage ${row}?;Antwort ${row}`)].join("\n");

/** The line of `plan` that says which column is which. */
async function columnsOf(tandem: Tandem, ...args: string[]): Promise<string> {
  const { out, err } = await tandem.run(
    "check",
    "--offline",
    "sheet.csv",
    "--deployment",
    "a=https://bots.example.test",
    ...args,
  );
  return (out + err).split("\n").find((line) => line.includes("<- Frage")) ?? out + err;
}

test.each([["Nr"], ["case_id"], ["序号"], ["S.No"]])(
  "a column %s that differs in every row is the key of a sheet that is run, as it is for init",
  async (head) => {
    const tandem = new Tandem().file("sheet.csv", sheet(["7", "8", "9"], head));
    expect(await columnsOf(tandem, "--example-id", "x")).toContain(`key <- ${head}`);
    expect(await columnsOf(tandem, "--example-id", "x", "--prompt", "Say {{Frage}}")).toContain(`key <- ${head}`);
    await tandem.run("init", "sheet.csv", "--yes");
    expect(tandem.text("tandem.yaml")).toMatch(/^ {2}key: ['"]?[^ ]+['"]? # identifies a row/m);
  },
);

test.each([
  ["repeats", ["1", "2", "1"]],
  ["is blank in a row", ["1", "", "3"]],
])("a column Nr that %s is no key, and no fault either", async (_, keys) => {
  const tandem = new Tandem().file("sheet.csv", sheet(keys));
  const columns = await columnsOf(tandem, "--example-id", "x");
  expect(columns).toContain("no key column");
  await tandem.run("init", "sheet.csv", "--yes");
  expect(tandem.text("tandem.yaml")).not.toMatch(/^ {2}key:/m);
});

test("the next column of such a name is the key where the likelier one repeats", async () => {
  const tandem = new Tandem().file("sheet.csv", "Case;Nr;Frage\nfees;1;a?\nfees;2;b?\nhours;3;c?");
  expect(await columnsOf(tandem, "--example-id", "x")).toContain("key <- Nr");
  await tandem.run("init", "sheet.csv", "--yes");
  expect(tandem.text("tandem.yaml")).toMatch(/^ {2}key: Nr /m);
});

test("a column that a function takes as a variable stays one", async () => {
  const tandem = new Tandem().file("sheet.csv", "number,expected\n4,16\n5,25");
  const flags = ["--deployment", "a=https://bots.example.test", "--endpoint", "functions", "--example-id", "f"];
  const { out, err } = await tandem.run("check", "--offline", "sheet.csv", ...flags);
  expect(out + err).toContain("variables.number <- number");
  expect(out + err).toContain("no key column");
});
