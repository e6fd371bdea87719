import { expect, test } from "vitest";
import type { ReportSide } from "../../src/report/model.ts";
import type { BatchEntry, Opened, RowAnswer, RowPage } from "../../src/viewer/api.ts";
import { batchOfTwo, prompts, startView } from "./viewing.ts";

interface Caller {
  base: string;
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
}

/** Goes in with the token, as a browser does. */
async function enter(url: string): Promise<Caller> {
  const { origin: base } = new URL(url);
  const first = await fetch(url, { redirect: "manual" });
  const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
  return {
    base,
    get: (path, headers = {}) => fetch(`${base}${path}`, { headers: { cookie, ...headers } }),
    post: (path, body, headers = { "x-tandem": "1" }) =>
      fetch(`${base}${path}`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
  };
}

async function json<Answer>(response: Promise<Response>): Promise<Answer> {
  return (await (await response).json()) as Answer;
}

/** Opens the latest batch and waits until it is ready. */
async function opened({ get }: Caller, query = "batch=latest"): Promise<Extract<Opened, { ready: true }>> {
  for (;;) {
    const answer = await json<Opened>(get(`/api/open?${query}`));
    if (answer.ready) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function firstRun({ runs }: ReportSide): ReportSide["runs"][number] | undefined {
  return runs[0];
}

async function viewed() {
  const { tandem } = await batchOfTwo();
  await tandem.run("run", "suite.yaml");
  const { url, child } = await startView(tandem);
  return { tandem, url, child, caller: await enter(url) };
}

test("only who has the token comes in, under this machine's name, and only the page may change something", async () => {
  const { url, caller } = await viewed();
  const { base, get, post } = caller;
  expect((await fetch(`${base}/`)).status).toBe(401);
  expect((await fetch(`${base}/api/batches`)).status).toBe(401);
  expect((await fetch(`${base}/?token=wrong`)).status).toBe(401);
  const first = await fetch(url, { redirect: "manual" });
  expect(first.status).toBe(302);
  expect(first.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Strict/);
  expect((await get("/api/batches")).status).toBe(200);
  // Without the header that no other site can send.
  expect((await post("/api/pins", { name: "x", batch: "latest" }, {})).status).toBe(403);
  const page = await get("/");
  expect(page.headers.get("x-frame-options")).toBe("DENY");
  expect(await page.text()).toContain("connect-src 'self'");
});

test("the rows of a batch are paged, filtered, sorted and searched in every script", async () => {
  const { caller } = await viewed();
  const { id, ready, summary, counts } = await opened(caller);
  expect(ready).toBe(true);
  expect(summary.cases).toBe(prompts.length);
  expect(counts[0]).toMatchObject({ all: 6, worse: 6, errors: 1 });
  const rows = (query: string): Promise<RowPage> => json(caller.get(`/api/rows?id=${id}&${query}&limit=100`));
  expect((await rows("sort=place")).heads.map(({ key }) => key)).toEqual(prompts.map(([key]) => key));
  expect(await rows("sort=place&offset=4&limit=1")).toMatchObject({ matched: 6, heads: [{ key: "emoji-1" }] });
  expect((await rows("show=errors")).heads.map(({ key }) => key)).toEqual(["emoji-1"]);
  expect((await rows("tag=language&tag=hi")).heads.map(({ key }) => key)).toEqual(["hi-1"]);
  for (const [text, key] of [
    ["किताब", "hi-1"],
    ["إعارة", "ar-1"],
    ["👍🏽", "emoji-1"],
    ["RENEW book", "en-1"],
    ["%20", "a&b=c #1/%20"],
  ] as const) {
    expect((await rows(`q=${encodeURIComponent(text)}`)).heads.map((head) => head.key)).toEqual([key]);
  }
  expect((await rows("q=nowhere")).matched).toBe(0);
  const at = await json(caller.get(`/api/at?id=${id}&sort=place&key=ar-1`));
  expect(at).toEqual({ index: 3 });
});

test("a row comes whole, its answers can be labelled and a score be corrected with a reason", async () => {
  const { tandem, caller } = await viewed();
  const { id } = await opened(caller);
  const read = (): Promise<RowAnswer> =>
    json(caller.get(`/api/row?id=${id}&key=${encodeURIComponent("a&b=c #1/%20")}`));
  const { row } = await read();
  const [base, candidate] = row.sides.map(firstRun);
  expect([base?.answer, candidate?.answer]).toEqual([
    "A key of all kinds - answered.",
    "A key of all kinds - WHO KNOWS?",
  ]);
  expect(candidate?.scores[0]).toMatchObject({ pass: false, reason: expect.stringMatching(/answered/) });
  const label = { jobId: candidate?.jobId ?? 0, scorer: "", label: "bad", note: "rude 👎🏽", author: "Ada" };
  expect(await (await caller.post("/api/labels", label)).json()).toEqual({ kept: "added" });
  const corrected = { ...label, scorer: "correct", label: "1", note: "it was fine" };
  expect(await (await caller.post("/api/labels", corrected)).json()).toEqual({ kept: "added" });
  expect((await read()).labels[candidate?.jobId ?? 0]).toMatchObject([
    { scorer: "", label: "bad", note: "rude 👎🏽", author: "Ada" },
    { scorer: "correct", label: "1", note: "it was fine" },
  ]);
  expect(tandem.query("SELECT label, value FROM label ORDER BY id")).toEqual([
    { label: "bad", value: 0 },
    { label: "1", value: 1 },
  ]);
  for (const wrong of [{ ...label, label: "perhaps" }, { ...label, jobId: 999_999 }, { label: "bad" }]) {
    expect((await caller.post("/api/labels", wrong)).status).toBe(400);
  }
});

test("a request is shown as curl without its key, and what is filtered as CSV without formulas", async () => {
  const { caller } = await viewed();
  const { id } = await opened(caller);
  const { row } = await json<RowAnswer>(caller.get(`/api/row?id=${id}&key=en-2`));
  const [job] = row.sides.map((side) => firstRun(side)?.jobId);
  const curl = await (await caller.get(`/api/curl?job=${job}`)).text();
  expect(curl).toContain('"authorization: bearer $TANDEM_API_KEY"');
  expect(curl).not.toContain("sk-test");
  const csv = await (await caller.get(`/api/export.csv?id=${id}&show=errors`)).text();
  expect(csv.trim().split("\n").length).toBe(2);
  expect(csv).toContain("emoji-1");
});

test("two targets of two batches are compared, and a batch is pinned", async () => {
  const { tandem, caller } = await viewed();
  await tandem.run("run", "suite.yaml");
  const [later, earlier] = (await json<BatchEntry[]>(caller.get("/api/batches"))).map(({ name }) => name);
  const query = new URLSearchParams([
    ["side", `${earlier}:test`],
    ["side", `${later}:test`],
  ]);
  const { summary } = await opened(caller, query.toString());
  expect(summary.pairs).toHaveLength(1);
  expect(summary.gates[0]).toMatchObject({ difference: 0 });
  expect(await (await caller.post("/api/pins", { name: "release", batch: earlier })).json()).toEqual({
    pinned: "release",
  });
  const [, pinned] = await json<BatchEntry[]>(caller.get("/api/batches"));
  expect(pinned?.pins).toEqual(["release"]);
  expect((await caller.get("/api/open?batch=nothing")).status).toBe(400);
});
