import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import fileSystem from "node:fs/promises";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { readFacts } from "../../src/dataset/files/file-facts.ts";
import { botRequest, clientOf, httpServer, listening, smallRecord } from "./server.ts";

const swap: { before: ((path: string) => void) | null; waits: Promise<void> | null } = { before: null, waits: null };

const realOpen = fileSystem.open;

/** Opens as ever, after what a test lets happen before. Not a mock of the module: files share a process, and what one has imported stays. */
async function openLater(...given: Parameters<typeof realOpen>): ReturnType<typeof realOpen> {
  swap.before?.(String(given[0]));
  if (swap.waits !== null) await swap.waits;
  return realOpen(...given);
}

function openWith(open: typeof realOpen): void {
  fileSystem.open = open;
  syncBuiltinESMExports();
}

beforeEach(() => {
  Object.assign(swap, { before: null, waits: null });
  openWith(openLater);
});

afterEach(() => openWith(realOpen));

/** A request whose body is a file of so many bytes. */
function requestWith(bytes: number) {
  const folder = mkdtempSync(join(tmpdir(), "tandem-attempt-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const content = Buffer.alloc(bytes, "x");
  const path = join(folder, "a.png");
  writeFileSync(path, content);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const file = { bytes, file: "a.png", root: 0, sha256, type: "image/png" };
  return { path, request: botRequest({ body: { pieces: [{ file, as: "bytes" }, "the end"], roots: [folder] } }) };
}

/** Puts a pipe in the place of a file. One who waits for it is let go after a while, so that no test hangs, and it is noted. */
function pipeAt(path: string): void {
  rmSync(path);
  execFileSync("mkfifo", [path]);
  const letGo = 'sleep 20; touch "$0.waited"; exec 3<>"$0"; sleep 1';
  const release = spawn("sh", ["-c", letGo, path], { stdio: "ignore" });
  onTestFinished(() => void release.kill());
}

const answering = () =>
  httpServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(smallRecord);
  });

test("a pipe that is put in the place of a file is not waited for, and not sent", async () => {
  await using server = await answering();
  await using client = clientOf(server.url);
  const { path, request } = requestWith(10);
  swap.before = pipeAt;
  const { kind, error } = await client.attempt(request);
  expect([kind, error]).toEqual(["rejected", "nothing was sent: the file a.png was replaced while it was opened"]);
  expect(existsSync(`${path}.waited`)).toBe(false);
});

test("a pipe that is put in the place of a file of a dataset is not waited for when the dataset is read", () => {
  const { path } = requestWith(10);
  const found = statSync(path);
  pipeAt(path);
  expect(readFacts({ path, found, name: "a.png" }, 1_000)).toEqual({
    ok: false,
    fault: "was replaced while it was opened",
  });
  expect(existsSync(`${path}.waited`)).toBe(false);
});

test("another file that is put in the place of one after it was looked at is not sent", async () => {
  await using server = await answering();
  await using client = clientOf(server.url);
  const { request } = requestWith(10);
  swap.before = (path) => {
    rmSync(path);
    writeFileSync(`${path}.other`, "another");
    writeFileSync(path, "xxxxxxxxxx");
  };
  expect((await client.attempt(request)).error).toContain("was replaced while it was opened");
});

test("a file that cannot be opened in time ends the attempt at its time-out, at a signal and when all attempts end", async () => {
  await using server = await answering();
  await using client = clientOf(server.url);
  const { request } = requestWith(10);
  let release = (): void => undefined;
  swap.waits = new Promise((resolve) => {
    release = resolve;
  });
  onTestFinished(() => release());
  expect(await client.attempt({ ...request, timeoutMs: 100 })).toMatchObject({
    kind: "rejected",
    error: "nothing was sent: its files could not be read in time",
    possiblyPaid: false,
  });
  const byItself = "nothing was sent: the attempt was stopped from this side";
  const stop = new AbortController();
  const signalled = client.attempt(request, stop.signal);
  stop.abort();
  expect(await signalled).toMatchObject({ kind: "not-sent", error: byItself });
  const ended = client.attempt(request);
  client.abortAll();
  expect(await ended).toMatchObject({ kind: "not-sent", error: byItself });
});

test("a request that is broken off because its file changed is rejected and not paid, and its end never leaves", async () => {
  const large = 40_000_000;
  const { path, request } = requestWith(large);
  let received = 0;
  let end = "";
  const server = createServer((incoming) => {
    incoming.on("error", () => undefined);
    incoming.on("data", (chunk: Buffer) => {
      if (received === 0) truncateSync(path, 1_000);
      received += chunk.length;
      end = chunk.subarray(-7).toString();
    });
  });
  await using listened = await listening(server, () => server.closeAllConnections());
  await using client = clientOf(listened.url);
  expect(await client.attempt(request)).toMatchObject({
    kind: "rejected",
    error: "the request was broken off before its end: the file a.png holds other bytes than when the run was planned",
    possiblyPaid: false,
    record: null,
  });
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(large);
  expect(end).not.toBe("the end");
});

test("a small file is sent as it was read before the first byte, whatever becomes of it meanwhile", async () => {
  const { path, request } = requestWith(900_000);
  const received: Buffer[] = [];
  const server = createServer((incoming, response) => {
    incoming.on("data", (chunk: Buffer) => {
      if (received.length === 0) writeFileSync(path, "changed");
      received.push(chunk);
    });
    incoming.on("end", () => response.setHeader("content-type", "application/json").end(smallRecord));
  });
  await using listened = await listening(server, () => server.closeAllConnections());
  await using client = clientOf(listened.url);
  expect((await client.attempt(request)).kind).toBe("ok");
  expect(Buffer.concat(received).equals(Buffer.concat([Buffer.alloc(900_000, "x"), Buffer.from("the end")]))).toBe(
    true,
  );
});
