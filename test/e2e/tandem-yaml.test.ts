import { describe, expect, test } from "vitest";
import { Tandem } from "./tandem.ts";

const sheet = "question,answer\nWhen are you open?,From nine to five\nWhere are you?,In Oslo\n";

describe("without a suite in the command", () => {
  test("`run` and `check` take tandem.yaml of the folder, which `init` has written, and say so", async () => {
    const tandem = new Tandem().file("prompts.csv", sheet);
    expect((await tandem.run("init", "prompts.csv", "--yes")).code).toBe(0);
    for (const command of ["check --offline", "run"]) {
      const { code, out, err } = await tandem.run(...command.split(" "));
      expect(`${command} ${code} ${err}`).toContain(`${command} 0 suite: tandem.yaml of this folder\n`);
      expect(out).not.toContain("tandem.yaml of this folder");
    }
    expect(tandem.query("SELECT suite_name AS name FROM batch")).toEqual([{ name: "prompts" }]);
  });

  test("and without tandem.yaml they say what to do; `check` looks at the machine alone", async () => {
    const tandem = new Tandem();
    for (const command of ["check --offline", "run"]) {
      const { code, err } = await tandem.run(...command.split(" "));
      expect(code).toBe(2);
      expect(err).toContain("No suite is named, and there is no tandem.yaml in this folder.");
      expect(err).toContain("tandem init SHEET");
    }
    const machine = await tandem.run("check");
    expect(machine).toMatchObject({ code: 2, err: expect.stringContaining("only the machine was checked") });
    expect(machine.out + machine.err).toContain("open files");
  });
});

test("tandem.yml is found as well; with both the command has to name one", async () => {
  const tandem = new Tandem().file("prompts.csv", sheet);
  expect((await tandem.run("init", "prompts.csv", "--yes")).code).toBe(0);
  const text = tandem.text("tandem.yaml");
  tandem.file("tandem.yml", text);
  const both = await tandem.run("check", "--offline");
  expect(both.code).toBe(2);
  expect(both.err).toContain("this folder has both tandem.yaml and tandem.yml.");
  tandem.remove("tandem.yaml");
  expect(await tandem.run("check", "--offline")).toMatchObject({
    code: 0,
    err: expect.stringContaining("suite: tandem.yml of this folder\n"),
  });
});

test("-V prints the version, with a command and without; a flag of one dash that is none is named", async () => {
  const tandem = new Tandem();
  const version = await tandem.run("--version");
  expect(version.out).toMatch(/^\d+\.\d+\.\d+/);
  expect(await tandem.run("-V")).toEqual(version);
  expect(await tandem.run("run", "-V")).toEqual(version);
  expect(await tandem.run("run", "-x")).toMatchObject({
    code: 2,
    err: expect.stringContaining('run has no flag "-x".'),
  });
  for (const flag of ["-v", "--verison"])
    expect(await tandem.run(flag)).toMatchObject({
      code: 2,
      err: `error tandem has no flag "${flag}" without a command.\nSee \`tandem --help\`.\n`,
    });
});

test("--results names the folder, and so does its old name --out; both together are refused", async () => {
  const tandem = new Tandem();
  for (const flag of ["--results", "--out"]) {
    const { code, err } = await tandem.run("batches", flag, "elsewhere");
    expect(code).toBe(2);
    expect(err).toContain("There is no database at elsewhere/tandem.db.");
    expect(err).toContain("with --results");
  }
  const both = await tandem.run("batches", "--results", "a", "--out", "b");
  expect(both).toMatchObject({ code: 2, err: "error --results is given twice.\nLeave out one of them.\n" });
});

test("`tandem` alone prints the help and ends with 0, as `tandem help` does; `tandem help run` is `tandem run --help`", async () => {
  const tandem = new Tandem();
  const alone = await tandem.run();
  expect(alone).toMatchObject({ code: 0, err: "" });
  expect(alone.out).toContain("tandem COMMAND [flags]");
  expect(await tandem.run("help")).toEqual(alone);
  expect(await tandem.run("help", "help")).toEqual(alone);
  expect((await tandem.run("help", "run")).out).toBe((await tandem.run("run", "--help")).out);
});
