import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { request } from "node:http";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { slowTest } from "../often.ts";
import { endedBatch, type Caller, enter, json, opened, startView, viewed, viewedByFile } from "./viewing.ts";

const shared = viewedByFile();

/** A request as no browser lets a page send it. */
function raw(url: string, headers: Record<string, string>): Promise<{ status: number; headers: object }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers });
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** The folder that the address leads to. */
const folderOf = async (url: string): Promise<string> =>
  (await fetch(url, { redirect: "manual" })).headers.get("location") ?? "";

// All of 127.0.0.0/8 is this machine on Linux alone: there, another of its addresses stands for those that others reach.
test.runIf(process.platform === "linux")("it listens on the one address that it tells, and on no other", async () => {
  const { url } = await shared();
  const { port } = new URL(url);
  await expect(raw(`http://127.0.0.2:${port}/`, {})).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("only who has the token comes in, and no answer tells it or lets another site read", async () => {
  const { url, caller } = await shared();
  const { base, get } = caller;
  expect((await fetch(`${base}/`)).status).toBe(401);
  expect((await fetch(`${base}/api/batches`)).status).toBe(401);
  for (const wrong of ["wrong", "", new URL(url).searchParams.get("token")?.slice(1)]) {
    expect((await fetch(`${base}/?token=${wrong}`)).status).toBe(401);
  }
  const first = await fetch(url, { redirect: "manual" });
  const folder = first.headers.get("location") ?? "";
  expect([first.status, folder]).toEqual([302, expect.stringMatching(/^\/[\w-]{32}\/$/)]);
  // Another port of this machine is sent no cookie of this folder, which it cannot know; the token is not in it.
  const cookie = first.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
  expect(cookie).toContain(`Path=${folder};`);
  expect(cookie).not.toContain(new URL(url).searchParams.get("token"));
  expect((await fetch(`${base}${folder}api/batches`)).status).toBe(401);
  expect((await get(`${folder}api/batches`)).status).toBe(200);
  expect((await get("/api/batches")).status).toBe(200);
  const page = await get("/");
  expect(Object.fromEntries(page.headers)).toMatchObject({
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  expect(page.headers.has("access-control-allow-origin")).toBe(false);
  expect(await page.text()).toContain("connect-src 'self'");
});

test("another name of this machine, and pages of other sites and ports, are refused", async () => {
  const { caller } = await shared();
  const { base, cookie, get, send } = caller;
  for (const host of [
    "evil.example",
    `evil.example:${new URL(base).port}`,
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil.localhost",
    "127.0.0.1:1",
    "127.0.0.1",
  ]) {
    expect((await raw(`${base}/api/batches`, { cookie, host })).status).toBe(421);
  }
  for (const site of ["cross-site", "same-site"]) {
    expect((await raw(`${base}/api/batches`, { cookie, "sec-fetch-site": site })).status).toBe(403);
  }
  expect((await get("/api/batches", { origin: "http://127.0.0.1:3000" })).status).toBe(403);
  const pin = { name: "x", batch: "latest" };
  expect((await send("POST", "/api/pins", pin, { "content-type": "application/json" })).status).toBe(403);
  expect((await send("POST", "/api/pins", pin, { "x-tandem": "1", "content-type": "text/plain" })).status).toBe(403);
  expect((await send("POST", "/api/pins", pin, { "x-tandem": "1", origin: "http://evil.example" })).status).toBe(403);
});

test("hostile addresses and bodies are answered with a reason, never with a file or a stack", async () => {
  const { caller } = await shared();
  const { get, send } = caller;
  const { id } = await opened(caller);
  for (const path of ["/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/api/../../tandem.db", "/tandem.db"]) {
    expect((await get(path)).status).toBe(404);
  }
  for (const other of ["../../etc/passwd", "__proto__", "", "%00", "'; DROP TABLE batch; --"]) {
    expect((await get(`/api/rows?id=${encodeURIComponent(other)}&limit=1`)).status).toBe(410);
    expect((await get(`/api/open?batch=${encodeURIComponent(other || "no")}`)).status).toBe(404);
  }
  for (const query of [
    "pair=1e99&limit=1e99&offset=-1",
    "pair=__proto__&sort=constructor",
    "q=among:error,__proto__",
    "q=%00",
    "offset=99999999999",
  ]) {
    const answer = await get(`/api/rows?id=${id}&${query}`);
    expect([query, answer.status]).toEqual([query, 200]);
  }
  expect((await get(`/api/rows?id=${id}&q=${"a".repeat(8000)}`)).status).toBe(400);
  expect((await send("POST", "/api/labels", "{")).status).toBe(400);
  expect((await send("POST", "/api/labels", "[]")).status).toBe(400);
  const long = { jobId: 1, scorer: "", label: "good", note: "x".repeat(3_000_000), author: "" };
  expect((await send("POST", "/api/labels", long)).status).toBe(413);
  expect((await get("/api/batches")).status).toBe(200);
});

test("what the viewer keeps is its owner's alone and no secret, each start has a token of its own, and links stay", async () => {
  const { tandem, url, child, ended, caller } = await viewed();
  const before = await opened(caller);
  const folderBefore = await folderOf(url);
  const folder = join(tandem.folder, "results", ".view");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder)).not.toContain("token");
  expect(statSync(join(folder, ".gitignore")).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toContain(before.id);
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0, err: "" });
  const again = await startView(tandem, Number(new URL(url).port));
  expect((await caller.get("/api/open?batch=latest")).status).toBe(401);
  expect(again.url).not.toBe(url);
  expect(await folderOf(again.url)).toBe(folderBefore);
  // Nothing of it lies where others may have put it.
  expect(readdirSync(folder)).not.toContain(folderBefore.replaceAll("/", ""));
  const answer = await (await enter(again.url)).get("/api/open?batch=latest");
  expect(await answer.json()).toMatchObject({ id: before.id, ready: true });
});

test("a folder of the viewer that somebody planted is not used: a link, a token", async () => {
  const { tandem } = await endedBatch();
  const elsewhere = join(tandem.folder, "elsewhere");
  mkdirSync(elsewhere, { mode: 0o755 });
  symlinkSync(elsewhere, join(tandem.folder, "results", ".view"));
  const linked = await startView(tandem);
  await opened(await enter(linked.url));
  expect([readdirSync(elsewhere), statSync(elsewhere).mode & 0o777]).toEqual([[], 0o755]);
  linked.child.kill("SIGTERM");
  await linked.ended;
  tandem.remove("results/.view");
  const planted = "a".repeat(32);
  mkdirSync(join(tandem.folder, "results", ".view"), { mode: 0o777 });
  writeFileSync(join(tandem.folder, "results", ".view", "token"), planted, { mode: 0o600 });
  const { url } = await startView(tandem);
  expect(url).not.toContain(planted);
  expect((await fetch(`${new URL(url).origin}/?token=${planted}`)).status).toBe(401);
});

test("connections that send nothing, or half a request, keep nobody out", async () => {
  const { caller } = await shared();
  const { port } = new URL(caller.base);
  const sockets = Array.from({ length: 400 }, (_, i) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      if (i % 2 === 0) socket.write("GET / HTTP/1.1\r\nHost: ");
    });
    socket.on("error", () => {});
    return socket;
  });
  onTestFinished(() => void sockets.map((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => new Promise((done) => socket.once("connect", done).once("close", done))));
  expect((await caller.get("/api/batches")).status).toBe(200);
});

test("a database that was deleted, is damaged, newer or not there is told as such", async () => {
  const { tandem, caller, child, ended } = await viewed();
  const database = join(tandem.folder, "results", "tandem.db");
  const { id } = await opened(caller);
  await tandem.run("batches");
  for (const name of readdirSync(join(tandem.folder, "results"))) {
    if (name.startsWith("tandem.db")) tandem.remove(`results/${name}`);
  }
  const gone = await caller.get(`/api/rows?id=${id}&limit=1`);
  expect([gone.status, await gone.text()]).toEqual([503, expect.stringContaining("is gone")]);
  const label = { jobId: 1, scorer: "", label: "good", note: null, author: "" };
  expect((await caller.send("POST", "/api/labels", label)).status).toBe(503);
  tandem.remove("results");
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0, err: "" });
  expect(await tandem.run("view", "--port", "0")).toMatchObject({
    code: 2,
    err: expect.stringContaining("There is no database"),
  });
  mkdirSync(dirname(database));
  writeFileSync(database, "this is no database at all, though it is long enough to be read as one".repeat(20));
  expect(await tandem.run("view", "--port", "0")).toMatchObject({
    code: 2,
    err: expect.stringContaining("Cannot open"),
  });
  tandem.remove("results/tandem.db");
  const newer = new Database(database);
  newer.pragma("user_version = 999");
  newer.close();
  expect(await tandem.run("view", "--port", "0")).toMatchObject({
    code: 2,
    err: expect.stringContaining("is of a newer one (version 999"),
  });
});

test("a port that is taken, and one that cannot be, are told as such", async () => {
  const { tandem, url } = await shared();
  const { port } = new URL(url);
  expect(await tandem.run("view", "--port", port)).toMatchObject({ code: 3, err: expect.stringContaining("--port") });
  expect(await tandem.run("view", "--port", "70000")).toMatchObject({
    code: 2,
    err: expect.stringContaining("from 0 to 65535"),
  });
});

test("who writes waits for a run that writes, and who reads does not", async () => {
  const { tandem, caller } = await shared();
  const { id } = await opened(caller);
  const other = new Database(join(tandem.folder, "results", "tandem.db"));
  other.exec("BEGIN IMMEDIATE");
  let kept = false;
  const label = { jobId: 1, scorer: "", label: "good", note: null, author: "Ada" };
  const writing = caller.send("POST", "/api/labels", label).then((response) => {
    kept = true;
    return response;
  });
  expect((await caller.get(`/api/rows?id=${id}&limit=5`)).status).toBe(200);
  expect((await caller.get("/api/batches")).status).toBe(200);
  expect(kept).toBe(false);
  other.exec("COMMIT");
  other.close();
  expect((await writing).status).toBe(200);
});

slowTest("a run is not held up by pages that look at it", async () => {
  const { tandem } = await endedBatch();
  const { url } = await startView(tandem);
  const caller: Caller = await enter(url);
  const { child, ended } = tandem.start("run", "suite.yaml");
  let asked = 0;
  while (child.exitCode === null) {
    await Promise.all([
      json(caller.get("/api/batches")),
      opened(caller, "batch=two~1").catch(() => null),
      caller.get("/api/state?batch=latest"),
    ]);
    asked += 1;
  }
  expect(await ended).toMatchObject({ code: 1, err: expect.not.stringContaining("locked") });
  expect(asked).toBeGreaterThan(0);
});
