import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { record, type Reply, type Service, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const key = { TANDEM_API_KEY: "sk-test-0123456789" };
const cases = 10;
const sheet = `id,question,golden\n${Array.from({ length: cases }, (_, i) => `k${i},q ${i},right`).join("\n")}\n`;

const suite = (url: string): string => `name: desk
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY, retries: 0 } }
targets: { prod: { deployment: here, endpoint: video-bots, example_id: prod } }
scorers: [{ name: correct, type: contains }]
reports: [json]
`;

/** A folder with a suite, the bot that it asks, and a channel that notices are posted to; `answer` says how it answers. */
async function night(answer: () => Reply = () => ({})) {
  const bot = await startService(() => record("right"));
  const channel = await startService(answer);
  const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(bot.url));
  const line = ["night", "suite.yaml", "--notify", channel.url];
  const reported = (): string[] => channel.received.map(({ body }) => JSON.parse(body).text);
  return { bot, channel, tandem, line, told: reported };
}

const untilReceived = async ({ received }: Service, count: number): Promise<void> => {
  while (received.length < count) await sleep(20);
};

describe("people are told of a night once", () => {
  test("where its process is killed before the notice leaves: the next start tells, and asks nothing again", async () => {
    const { bot, tandem, line, told: reported } = await night();
    // The summary for GitHub, which comes before the notice, waits for somebody who reads it.
    execFileSync("mkfifo", [join(tandem.folder, "full")]);
    tandem.under("exec 3<>full; head -c 65536 /dev/zero >&3");
    tandem.env({ ...key, GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: "full" });
    const { child, ended } = tandem.start(...line);
    await untilReceived(bot, cases);
    while (tandem.query("SELECT 1 FROM comparison").length === 0) await sleep(20);
    await sleep(500);
    child.kill("SIGKILL");
    await ended;
    expect(reported()).toEqual([]);
    tandem.under(null).env(key);
    const { code, err } = await tandem.run(...line);
    expect(code, err).toBe(0);
    expect(err).toContain("was answered, and nobody was told.");
    expect(reported()).toHaveLength(1);
    expect(bot.received).toHaveLength(cases);
  });

  test("where it is killed while the notice is sent: nobody knows whether it arrived, it is not sent again, and the next notice says so", async () => {
    let isHanging = true;
    const { bot, channel, tandem, line, told: reported } = await night(() => (isHanging ? { act: "hang" } : {}));
    await tandem.killWhen(() => channel.received.length > 0, ...line);
    isHanging = false;
    const again = await tandem.run(...line);
    expect(again.code, again.err).toBe(0);
    expect(again.err).toContain(
      "its process ended while people were told: the notice may have arrived, and is not sent again",
    );
    expect([reported().length, bot.received.length]).toEqual([1, cases]);
    expect(tandem.query("SELECT count(*) AS n FROM batch")).toEqual([{ n: 1 }]);
    // A notice of a minute ago may still be under way; this one is not.
    const db = new Database(join(tandem.folder, "results/tandem.db"));
    db.exec("UPDATE batch SET notice_at = notice_at - 120000");
    db.close();
    // Nothing has changed since, and people hear of it all the same.
    const next = await tandem.run(...line, "--notify-on", "change");
    expect(next.code, next.err).toBe(0);
    const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch ORDER BY id");
    expect(reported()).toHaveLength(2);
    expect(reported()[1]).toContain("may not have arrived, as its process ended");
    expect(reported()[1]).toContain(`\`tandem report ${batch?.name}\``);
    expect(bot.received).toHaveLength(2 * cases);
    await tandem.run(...line);
    expect(reported()).toHaveLength(3);
    expect(reported()[2]).not.toContain("It is not known");
  });

  test("where it is killed after that and before its end: the next start neither tells nor runs anything, and ends as it did", async () => {
    const { bot, tandem, line, told: reported } = await night();
    const collector = await startService(() => ({ act: "hang" }));
    await tandem.killWhen(() => collector.received.length > 0, ...line, "--otel", collector.url);
    expect(reported()).toHaveLength(1);
    const again = await tandem.run(...line);
    expect(again.code, again.err).toBe(0);
    expect(again.err).toContain("people were told before its process was killed: they are not told again");
    expect([reported().length, bot.received.length]).toEqual([1, cases]);
    // That night is over: the next start is another.
    expect((await tandem.run(...line)).code).toBe(0);
    expect([reported().length, bot.received.length]).toEqual([2, 2 * cases]);
  });
});
