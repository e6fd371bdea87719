import { expect, test } from "vitest";
import { badGateway, type Gateway, startGateway } from "./gateway.ts";
import { record, type Reply } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

const outages = (tandem: Tandem): { since: number; until: number | null }[] =>
  tandem.query('SELECT since, "until" FROM outage');

const startAway = (down: () => Reply): Promise<Gateway> =>
  startGateway({
    during: (own) => (own.isDown ||= own.sound.length === 10),
    down,
    answer: ({ prompt }) => ({ ...record(prompt), delayMs: 3 }),
  });

/** An outage in which a run ends, by whatever means. */
async function cutOff(tandem: Tandem, gateway: Gateway, by: "patience" | "SIGTERM" | "SIGKILL"): Promise<void> {
  const words = runAt({ prod: gateway }, "--quiet", ...(by === "patience" ? ["--set", "wait_for_service=1s"] : []));
  const { child, ended } = tandem.start(...words);
  if (by !== "patience") {
    const isAway = (): boolean => tandem.has("results/tandem.db") && outages(tandem).length > 0;
    await expect.poll(isAway, { interval: 20, timeout: 20_000 }).toBe(true);
    child.kill(by);
  }
  await ended;
}

test.each<["patience" | "SIGTERM" | "SIGKILL", () => Reply]>([
  ["patience", () => badGateway()],
  ["SIGTERM", () => badGateway(504)],
  ["SIGKILL", () => ({ act: "reset" })],
])("the end of an outage in which a run ended (%s) is the first answer to the resume", async (by, down) => {
  const gateway = await startAway(down);
  const tandem = new Tandem().file("p.csv", prompts(40));
  await cutOff(tandem, gateway, by);
  expect(outages(tandem)).toEqual([{ since: expect.any(Number), until: null }]);
  // Still away: that is no second outage.
  if (by === "patience") {
    await tandem.run("resume", "--quiet", "--wait-for-service", "1s");
    expect(outages(tandem)).toEqual([{ since: expect.any(Number), until: null }]);
  }
  const backAt = Date.now();
  gateway.isDown = false;
  gateway.sound.push(...gateway.sound.slice(0, 1));
  const { code, err, out } = await tandem.run("resume");
  expect(code, err).toBe(0);
  const [outage, ...others] = outages(tandem);
  expect(others).toEqual([]);
  expect(outage?.until).toBeGreaterThanOrEqual(backAt);
  expect(out).toMatch(/prod was down .* to /);
  expect(tandem.query("SELECT count(*) AS n FROM job WHERE outcome = 'ok'")).toEqual([{ n: 40 }]);
});
