import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { badGateway, type Gateway, startGateway } from "./gateway.ts";
import { record, type Reply } from "./service.ts";
import { ends, flat, prompts, runAt, Tandem } from "./tandem.ts";

/** Takes a service away after 20 answers of its own, once, for two seconds. */
function restart(): (gateway: Gateway) => void {
  let isOver = false;
  return (gateway) => {
    if (isOver || gateway.sound.length < 20) return;
    isOver = true;
    gateway.isDown = true;
    void setTimeout(2_000).then(() => (gateway.isDown = false));
  };
}

const json = { "content-type": "application/json" };
const rows = 80;

describe("a service that restarts", () => {
  test.each<[string, () => Reply, string]>([
    ["520 of a gateway", () => badGateway(520), "answered 520 (unknown error)"],
    ["527 of a gateway", () => badGateway(527), "answered 527"],
    ["530 of a gateway", () => badGateway(530), "answered 530 (origin error)"],
    ["a connection that is closed", () => ({ act: "reset" }), "broken answers"],
    ["an empty 200", () => ({ status: 200, headers: json, body: "" }), "answered with broken answers"],
    ["an empty 200 that is a page", () => ({ headers: { "content-type": "text/html" }, body: "" }), "broken answers"],
    ["a 200 that is cut", () => ({ headers: json, body: '{"id":"abcdefabcdef","output":{"outp' }), "broken answers"],
    [
      "a 200 that cannot be unpacked",
      () => ({ headers: { ...json, "content-encoding": "gzip" }, body: "\u001F not gzip at all" }),
      "broken answers",
    ],
  ])("is waited for where it shows as %s: no row is lost", async (_, down, words) => {
    const gateway = await startGateway({ during: restart(), down });
    const tandem = new Tandem().file("p.csv", prompts(rows));
    const { code, err, out } = await tandem.run(...runAt({ prod: gateway }));
    expect(code, err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: rows });
    // What is in flight, one more, and what looks for it.
    expect(gateway.refused.length).toBeLessThanOrEqual(4 + 1 + 4);
    expect(gateway.received).toHaveLength(rows + gateway.refused.length);
    expect(flat(out)).toContain(words);
    // Each of them may have been answered.
    expect(tandem.query("SELECT sum(possibly_paid) AS n FROM attempt")).toEqual([{ n: gateway.refused.length }]);
  });
});

test("an error in JSON is the word of the service, however often it comes: nothing waits", async () => {
  const down = (): Reply => ({ status: 500, headers: json, body: '{"detail":"KeyError"}' });
  const gateway = await startGateway({ during: restart(), down });
  const tandem = new Tandem().file("p.csv", prompts(rows));
  await tandem.run(...runAt({ prod: gateway }));
  expect(ends(tandem)["unfinished"]).toBeUndefined();
  expect(tandem.query("SELECT count(*) AS n FROM outage")).toEqual([{ n: 0 }]);
});

test("one row that always breaks off is a failure of that row", async () => {
  const answer = ({ prompt }: { prompt: string }): Reply =>
    prompt.split(" ")[1] === "7" ? { status: 200, headers: json, body: "" } : { ...record(prompt), delayMs: 3 };
  const gateway = await startGateway({ answer });
  const tandem = new Tandem().file("p.csv", prompts(rows));
  const { code } = await tandem.run(...runAt({ prod: gateway }));
  expect(code).not.toBe(3);
  expect(ends(tandem)).toEqual({ ambiguous: 1, ok: rows - 1 });
  expect(tandem.query("SELECT count(*) AS n FROM outage")).toEqual([{ n: 0 }]);
});

test.each([1, 2])("the last of %d rows, whose answers always break off, keeps to its tries", async (count) => {
  const answer = ({ prompt }: { prompt: string }): Reply =>
    prompt.split(" ")[1] === String(count - 1) ? { status: 200, headers: json, body: "" } : record(prompt);
  const gateway = await startGateway({ answer });
  const tandem = new Tandem().file("p.csv", prompts(count));
  await tandem.run(...runAt({ prod: gateway }));
  expect(tandem.query<{ n: number }>("SELECT count(*) AS n FROM attempt")[0]?.n).toBeLessThan(10);
});
