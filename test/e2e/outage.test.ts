import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

test(
  "a service that is not there yet is waited for as long as --wait-for-service says",
  { timeout: 60_000 },
  async () => {
    const before = await startService(({ prompt }) => record(prompt));
    await before.close();
    const { port } = new URL(before.url);
    const tandem = new Tandem().file("p.csv", prompts(6));
    const to = ["run", "p.csv", "--deployment", `prod=${before.url}`, "--example-id", "a", "--quiet"];
    const { ended } = tandem.start(...to, "--wait-for-service", "2m");
    // Without the flag it would be given up after some ten seconds.
    await setTimeout(9_000);
    const service = await startService(({ prompt }) => record(prompt), Number(port));
    const { code, err } = await ended;
    expect(code, err).toBe(0);
    expect(service.received).toHaveLength(6);
    expect(tandem.query("SELECT DISTINCT outcome FROM job")).toEqual([{ outcome: "ok" }]);
  },
);

test("a wait that is none is told with the flag's name", async () => {
  const tandem = new Tandem().file("p.csv", prompts(1));
  const { code, err } = await tandem.run(
    "run",
    "p.csv",
    "--deployment",
    "prod=http://127.0.0.1:9",
    "--example-id",
    "a",
    "--wait-for-service",
    "soon",
  );
  expect(code).toBe(2);
  expect(err).toContain("--wait-for-service");
});
