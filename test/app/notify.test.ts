import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Notice, type NoticeWays, sendNotice, webhookUrl } from "../../src/app/report/notify.ts";
import { temporaryFolder } from "../store/batch.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const notice: Notice = {
  suite: "help desk",
  batch: "help-desk-1",
  state: "regression",
  word: "regression",
  claim: "worse",
  isProblem: true,
  sentence: "<!channel> test & prod: @here is worse on correct: 81 % → 74 %",
  details: [],
  problems: [],
  alarms: [],
  news: { state: "none", since: null, sentence: null, troubles: [] },
  ofNights: null,
  exitCode: 1,
  report: "/srv/bots/results/help-desk-1/report.html",
};

const ways = (part: Partial<NoticeWays>): NoticeWays => ({
  url: null,
  command: null,
  env: { PATH: process.env["PATH"], MY_KEY: "sk-secret", TANDEM_PROD_API_KEY: "sk-secret", HOME: "/root" },
  keyNames: ["MY_KEY"],
  timeoutMs: 20_000,
  ...part,
});

const novemberOf = (year: number): number => new Date(year, 10, 19, 12).getTime();

/** A webhook that answers with this status, or never. */
async function webhook(
  status: number | null,
): Promise<{ url: URL; bodies: string[]; authorizations: (string | undefined)[] }> {
  const bodies: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      bodies.push(body);
      authorizations.push(request.headers.authorization);
      if (status !== null) response.writeHead(status, { location: "http://127.0.0.1:1/elsewhere" }).end("ok");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/services/T0/secret`), bodies, authorizations };
}

describe("a webhook", () => {
  test("is sent the verdict in one sentence, in which nobody is mentioned", async () => {
    const { url, bodies } = await webhook(200);
    expect(await sendNotice(notice, ways({ url }))).toEqual([]);
    expect(bodies.map((body): unknown => JSON.parse(body))).toEqual([
      {
        text: "help desk: REGRESSION - &lt;!channel&gt; test &amp; prod: @\u2060here is worse on correct: 81 % → 74 % (/srv/bots/results/help-desk-1/report.html)",
      },
    ]);
  });

  test.each([
    [{ state: "new", since: null, sentence: null }, "help desk: REGRESSION (new) - worse"],
    [
      { state: "still", since: novemberOf(2021), sentence: "It" },
      "help desk: REGRESSION (since 19 November 2021) - worse",
    ],
    // An alarm over the nights is new, and the regression is not.
    [
      { state: "new", since: novemberOf(2021), sentence: "It" },
      "help desk: REGRESSION (since 19 November 2021) - worse",
    ],
  ] as const)("says of a problem beside the night before that it is $state", async (changesSinceNotice, text) => {
    const { url, bodies } = await webhook(200);
    await sendNotice(
      { ...notice, sentence: "worse", report: null, news: { ...changesSinceNotice, troubles: [] } },
      ways({ url }),
    );
    expect(bodies.map((body): unknown => JSON.parse(body))).toEqual([{ text }]);
  });

  test("says of what is fine again what is over", async () => {
    const { url, bodies } = await webhook(200);
    const changesSinceNotice = {
      state: "over",
      since: novemberOf(2021),
      sentence: "The regression is over",
      troubles: [],
    } as const;
    await sendNotice(
      {
        ...notice,
        state: "pass",
        word: "pass",
        claim: "same",
        isProblem: false,
        sentence: "fine",
        exitCode: 0,
        report: null,
        news: changesSinceNotice,
      },
      ways({ url }),
    );
    expect(bodies.map((body): unknown => JSON.parse(body))).toEqual([
      { text: "help desk: PASS - The regression is over. fine" },
    ]);
  });

  test.each([
    [500, "it answered 500"],
    [302, "it answered 302"],
  ])("that answers %d is a failure that is told, without its address", async (status, reason) => {
    const { url } = await webhook(status);
    expect(await sendNotice(notice, ways({ url }))).toEqual([`--notify (${url.origin}) failed: ${reason}`]);
  });

  test("may have a name and a password in its address, which are never told", async () => {
    const { url, authorizations } = await webhook(500);
    url.username = "bots";
    url.password = "s3cr:t%";
    const [failure] = await sendNotice(notice, ways({ url }));
    expect(failure).toBe(`--notify (${url.origin}) failed: it answered 500`);
    expect(authorizations).toEqual([`Basic ${Buffer.from("bots:s3cr:t%").toString("base64")}`]);
  });

  test("that does not answer, or is not there, is a failure too", async () => {
    const { url } = await webhook(null);
    expect(await sendNotice(notice, ways({ url, timeoutMs: 200 }))).toEqual([
      `--notify (${url.origin}) failed: no answer in time`,
    ]);
    const [gone] = await sendNotice(notice, ways({ url: new URL("http://127.0.0.1:1/secret") }));
    expect(gone).toMatch(/^--notify \(http:\/\/127\.0\.0\.1:1\) failed: /);
    expect(gone).not.toContain("secret");
  });

  test("must be https, or on this machine, and is never repeated", () => {
    expect(webhookUrl("https://hooks.example.test/services/x").protocol).toBe("https:");
    expect(webhookUrl("http://localhost:8080/x").port).toBe("8080");
    expect(webhookUrl("http://[::1]/x").hostname).toBe("[::1]");
    for (const address of ["http://hooks.example.test/secret", "ftp://x/secret", "secret", "file:///secret"]) {
      expect(() => webhookUrl(address)).toThrow(expect.objectContaining({ code: "USAGE" }));
      expect(() => webhookUrl(address)).not.toThrow("secret");
    }
  });
});

describe("a command", () => {
  test("is given the verdict as JSON and in its environment, and no key", async () => {
    const folder = temporaryFolder();
    const command = `cat > ${folder}/in.json; env > ${folder}/env.txt`;
    expect(await sendNotice(notice, ways({ command }))).toEqual([]);
    const { ofNights: _, ...told } = notice;
    expect(JSON.parse(readFileSync(join(folder, "in.json"), "utf8"))).toEqual({
      version: storedVersion,
      ...told,
      news: { state: "none", since: null, sentence: null },
    });
    const env = readFileSync(join(folder, "env.txt"), "utf8");
    expect(env).toContain("TANDEM_VERDICT=regression\n");
    expect(env).toContain("TANDEM_EXIT_CODE=1\n");
    expect(env).toContain("HOME=/root\n");
    expect(env).not.toContain("sk-secret");
  });

  test("that fails, is not there, or does not end is a failure that is told", async () => {
    expect(await sendNotice(notice, ways({ command: "exit 3" }))).toEqual(["--notify-command failed: it ended with 3"]);
    const [missing] = await sendNotice(notice, ways({ command: "/no/such/command 2>/dev/null" }));
    expect(missing).toContain("--notify-command failed: it ended with 127");
    expect(await sendNotice(notice, ways({ command: "sleep 100", timeoutMs: 300 }))).toEqual([
      "--notify-command failed: it took longer than 0.3 s and was stopped",
    ]);
  });
});
