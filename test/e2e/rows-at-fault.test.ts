import { describe, expect, test } from "vitest";
import { badGateway, startGateway } from "./gateway.ts";
import { record } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

const ends = (tandem: Tandem, target: string): Record<string, number> =>
  Object.fromEntries(
    tandem
      .query<{ outcome: string | null; n: number }>(
        `SELECT job.outcome, count(*) AS n FROM job JOIN target ON target.id = job.target_id
         WHERE target.name = ? GROUP BY 1 ORDER BY 1`,
        target,
      )
      .map(({ outcome, n }) => [outcome ?? "unfinished", n]),
  );

const numberOf = (prompt: string): number => Number(prompt.split(" ")[1]);

describe("rows that a gateway always answers", () => {
  test.each([
    ["every fourth", 4, (n: number): boolean => n % 4 === 0],
    ["drawn", 4, (n: number): boolean => (n * 7_919) % 160 < 40],
    ["drawn, with many in flight", 16, (n: number): boolean => (n * 104_729 + 3) % 160 < 40],
    ["one at a time", 1, (n: number): boolean => n % 4 === 3],
  ])("%s of 160, from one side: all are sent, and those end as failed", async (_, concurrency, isBad) => {
    const prod = await startGateway({ answer: ({ prompt }) => ({ ...record(prompt), delayMs: 3 }) });
    const candidate = await startGateway({
      answer: ({ prompt }) => ({ ...(isBad(numberOf(prompt)) ? badGateway() : record(prompt)), delayMs: 3 }),
    });
    const tandem = new Tandem().file("p.csv", prompts(160));
    const { code, err } = await tandem.run(
      ...runAt({ prod, test: candidate }, "--concurrency", String(concurrency), "--set", "wait_for_service=20s"),
    );
    const bad = Array.from({ length: 160 }, (_each, index) => index + 1).filter(isBad).length;
    expect(ends(tandem, "test"), err).toEqual({ ambiguous: bad, ok: 160 - bad });
    expect(ends(tandem, "prod")).toEqual({ ok: 160 });
    expect(code).not.toBe(3);
    expect(new Set(candidate.received.map(({ prompt }) => prompt)).size).toBe(160);
    // Each is asked three times, and more often only where it fell into what was taken for an outage.
    expect(candidate.received.length).toBeLessThan(160 + bad * 5);
  });
});

test.each([429, 503])(
  "rows that are always answered %i end as refused, and all others are answered",
  async (status) => {
    const isBad = (n: number): boolean => n % 4 === 0;
    const prod = await startGateway({
      answer: ({ prompt }) => ({ ...(isBad(numberOf(prompt)) ? badGateway(status) : record(prompt)), delayMs: 3 }),
    });
    const tandem = new Tandem().file("p.csv", prompts(80));
    const { code, err } = await tandem.run(...runAt({ prod }));
    expect(ends(tandem, "prod"), err).toEqual({ rejected: 20, ok: 60 });
    expect(code).not.toBe(3);
  },
);

test("rows of which the connection is always closed end as failed, and all others are answered", async () => {
  const isBad = (n: number): boolean => (n * 7_919) % 160 < 40;
  const prod = await startGateway({
    answer: ({ prompt }) => (isBad(numberOf(prompt)) ? { act: "reset" } : { ...record(prompt), delayMs: 3 }),
  });
  const tandem = new Tandem().file("p.csv", prompts(160));
  const { code, err } = await tandem.run(...runAt({ prod }, "--set", "wait_for_service=20s"));
  expect(ends(tandem, "prod"), err).toEqual({ ambiguous: 40, ok: 120 });
  expect(code).not.toBe(3);
});
