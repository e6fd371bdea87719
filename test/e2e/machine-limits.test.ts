import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

describe("what this machine lacks is exit 3 with a sentence, and no stack", () => {
  test("a standard output that cannot be written", async () => {
    const service = await startService(({ prompt }) => record(prompt));
    const tandem = new Tandem().file("p.csv", prompts(2)).under("exec > /dev/full");
    for (const words of [
      ["--help"],
      runAt({ prod: service }, "--quiet"),
      ["batches"],
      ["report", "--json"],
      ["export"],
    ]) {
      const { code, err } = await tandem.run(...words);
      expect([code, err], words[0]).toEqual([3, expect.stringContaining("Standard output cannot be written")]);
      expect(err).not.toMatch(/\n\s+at /);
    }
    // All was answered, and is kept.
    expect(tandem.query("SELECT count(*) AS n FROM job WHERE outcome = 'ok'")).toEqual([{ n: 2 }]);
  });

  test.each([23, 24, 26, 28, 30])("no more than %d files", async (files) => {
    const service = await startService(({ prompt }) => record(prompt));
    const tandem = new Tandem().file("p.csv", prompts(2)).under(`ulimit -n ${files}`);
    const { code, err } = await tandem.run(...runAt({ prod: service }, "--quiet"));
    expect([0, 3], err).toContain(code);
    if (code === 3) expect(err).toContain("error ");
    expect(err).not.toMatch(/\n\s+at /);
  });
});
