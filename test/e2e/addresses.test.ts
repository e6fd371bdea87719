import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

const key = { TANDEM_API_KEY: "sk-of-prod-0123456789" };

const suite = `name: nightly
dataset: prompts.csv
deployments: { prod: { base_url: "\${BOTS:-https://user:of-a-default@unused.example.test}/api", concurrency: 2 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;

/** A batch of six jobs of which two are done, at an address that a variable names. */
async function stoppedBatch() {
  const [first, now] = [await startService(() => record("then")), await startService(() => record("now"))];
  const tandem = new Tandem()
    .file("prompts.csv", prompts(6))
    .file("suite.yaml", suite)
    .env({ ...key, BOTS: first.url });
  const { code, err } = await tandem.run("run", "suite.yaml", "--budget", "2");
  expect(code, err).toBe(3);
  return { tandem, first, now };
}

describe("an address that a variable names", () => {
  test("is stored with the name, and the address that it made; never the default", async () => {
    const { tandem, first } = await stoppedBatch();
    const [batch] = tandem.query<{ suite: string }>("SELECT suite FROM batch");
    const stored = JSON.parse(batch?.suite ?? "").deployments;
    expect(stored).toMatchObject([{ baseUrl: `${first.url}/api`, writtenUrl: "${BOTS}/api" }]);
    expect(batch?.suite).not.toContain("of-a-default");
  });

  test("is refused by every way to resume where the variable has another value, with both addresses", async () => {
    const { tandem, first, now } = await stoppedBatch();
    tandem.env({ ...key, BOTS: now.url });
    for (const words of [["resume"], ["resume", "--suite", "suite.yaml"]]) {
      const refused = await tandem.run(...words, "--json");
      expect([refused.code, JSON.parse(refused.out).error.code]).toEqual([2, "BATCH_CHANGED"]);
      expect(refused.err).toContain(
        `the base_url of prod, \${BOTS}/api, was "${first.url}/api" then, and is "${now.url}/api" now`,
      );
    }
    expect([first.received.length, now.received.length]).toEqual([2, 0]);
  });

  test("is asked again at the address of now where that is accepted", async () => {
    const { tandem, now } = await stoppedBatch();
    tandem.env({ ...key, BOTS: now.url });
    const { code, err } = await tandem.run("resume", "--suite", "suite.yaml", "--accept-changes");
    expect([code, err]).toEqual([0, expect.stringContaining("prod is asked anew")]);
    expect(now.received).toHaveLength(6);
  });

  test.each([
    ["the same value", (url: string) => ({ BOTS: url })],
    ["no value", () => ({ BOTS: "" })],
  ])("is resumed with %s", async (_what, env) => {
    const { tandem, first } = await stoppedBatch();
    const { code, err } = await tandem.env({ ...key, ...env(first.url) }).run("resume");
    expect(code, err).toBe(0);
    expect(first.received).toHaveLength(6);
  });

  test("is taken from .env for a resume, as for the run", async () => {
    const { tandem, now } = await stoppedBatch();
    tandem.env(key).file(".env", `BOTS=${now.url}\n`);
    const refused = await tandem.run("resume");
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(`${now.url}/api" now`)]);
  });

  test("that the value makes no address any more is refused without the value", async () => {
    const { tandem } = await stoppedBatch();
    const refused = await tandem
      .env({ ...key, BOTS: "https://user:password-of-somebody@host.example.test" })
      .run("resume");
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("and is no address that can be used now")]);
    expect(refused.err).not.toContain("password-of-somebody");
  });
});
