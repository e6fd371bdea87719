import { expect, test } from "vitest";
import { typedCommand } from "../../src/cli/commands/run/run.run.ts";

test("a command is typed again without what was for that one time, and without webhooks", () => {
  const args = [
    "run",
    "my sheet.csv",
    "--second-look",
    "--notify",
    "https://hooks.example.test/x",
    "--on-in-doubt=hold",
    "--budget",
    "30",
  ];
  expect(typedCommand([...args, "--repeats", "2"], {})).toEqual(["tandem", "run", "my sheet.csv", "--repeats", "2"]);
  expect(typedCommand([...args, "--repeats", "2"], { repeats: 4 })).toEqual([
    "tandem",
    "run",
    "my sheet.csv",
    "--repeats",
    "4",
  ]);
  expect(typedCommand([...args, "--limit=20"], { sample: 90 })).toEqual([
    "tandem",
    "run",
    "my sheet.csv",
    "--sample",
    "90",
  ]);
});
