import { execFile, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { request } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { describeDeployment, startDeployment } from "../../src/deployment/deployment.ts";
import { isOwnHost } from "../../src/lib/own-host.ts";
import { openLog } from "../../src/deployment/log.ts";
import { directoryOf, get, post, serve, someFiles } from "./served.ts";

const run = "/v2/video-bots?example_id=onions";
const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const hello = { input_prompt: "Hello", messages: [] };

describe("starting", () => {
  test("lists every fault of every file with its place", async () => {
    const directory = directoryOf({
      "bots/a.yaml": "num_outputs: many\n",
      "bots/b.yaml": "greeting: [\n",
      "functions/c.js": "",
      "functions/c.yaml": "limits:\n  time_ms: -1\n",
    });
    const error = await startDeployment({ directory, logLevel: "silent" }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "DEPLOYMENT_INVALID", exitCode: 2 });
    expect(String(error)).toMatch(
      /a\.yaml:1:14: num_outputs[\s\S]*b\.yaml:\d+:\d+[\s\S]*c\.yaml:2:12: limits\.time_ms/,
    );
  });

  test.each([
    [{ "deployment.yaml": "kesy: []\n", "bots/a.yaml": "" }, /deployment\.yaml:1:1: unknown key "kesy"/],
    [{ "deployment.yaml": "journal: 7\n", "bots/a.yaml": "" }, /journal must be true, false or the name of a file/],
    [{ "deployment.yaml": "limits: { requests: 0 }\n", "bots/a.yaml": "" }, /deployment\.yaml:1:21/],
    [
      { "deployment.yaml": "keys: [{key: a, name: x}, {key: a, name: y}]\n", "bots/a.yaml": "" },
      /1:7: keys .*same key/,
    ],
    [{ "bots/a.yaml": "metrics: true\nknowledge: [k]\n" }, /a\.yaml:2:13: knowledge\[0\] must be a file or a folder/],
    [{ "bots/a.yaml": "bot_script: '{{ a'\n" }, /a\.yaml:1:13: bot_script must be a Liquid template/],
    [{ "readme.txt": "" }, /has no saved configuration/],
  ])("refuses %j", async (files, message) => {
    await expect(startDeployment({ directory: directoryOf(files), logLevel: "silent" })).rejects.toThrow(message);
  });

  test("refuses a folder that is not there, an unknown log level, and a port that is taken", async () => {
    await expect(startDeployment({ directory: "/no/such/folder" })).rejects.toThrow(/is not a folder/);
    const directory = directoryOf(someFiles);
    await expect(startDeployment({ directory, logLevel: "loud" })).rejects.toMatchObject({ code: "USAGE" });
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once("listening", resolve));
    const address = taken.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await expect(startDeployment({ directory, port: port ?? 0, logLevel: "silent" })).rejects.toMatchObject({
      code: "DEPLOYMENT_PORT",
    });
  });

  test("beyond loopback needs to be allowed, and keys", async () => {
    const directory = directoryOf(someFiles);
    const host = "0.0.0.0";
    await expect(startDeployment({ directory, host })).rejects.toMatchObject({ code: "USAGE" });
    await expect(startDeployment({ directory, host, allowRemote: true })).rejects.toThrow(/Nobody needs a key/);
  });

  test("describes what it serves, and how to call it", async () => {
    const settings = "keys:\n  - { key: 'sk-$HOME`x', name: a }\n";
    const running = await serve({ ...someFiles, "deployment.yaml": settings });
    const lines = describeDeployment(running);
    expect(lines[0]).toBe(`${running.directory} at ${running.baseUrl}`);
    expect(lines.join("\n")).toContain("video-bots  onions");
    expect(lines.at(-1)).toContain('bearer sk-\\$HOME\\`x"');
  });

  test.runIf(hasCurl)("describes a curl line that works as it is", async () => {
    const settings = "keys:\n  - { key: 'sk-$HOME`x', name: a }\n";
    const running = await serve({ ...someFiles, "deployment.yaml": settings });
    const line = describeDeployment(running).at(-1) ?? "";
    const { stdout } = await promisify(execFile)("sh", ["-c", line]);
    expect(JSON.parse(stdout)).toMatchObject({ id: expect.any(String), output: { output_text: [expect.any(String)] } });
  });
});

describe("the Host header", () => {
  test.each([
    ["localhost:8787", "127.0.0.1", true],
    ["127.0.0.1", "127.0.0.1", true],
    ["127.8.8.8:1", "127.0.0.1", true],
    ["[::1]:80", "::1", true],
    ["evil.test", "127.0.0.1", false],
    ["localhost.evil.test", "127.0.0.1", false],
    ["127.0.0.1.evil.test", "127.0.0.1", false],
    ["192.168.1.9:80", "127.0.0.1", false],
    ["192.168.1.9:80", "0.0.0.0", true],
    ["evil.test", "0.0.0.0", false],
    ["Bots.Lan:80", "0.0.0.0", true],
    ["bots.lan", "127.0.0.1", false],
    ["", "127.0.0.1", false],
  ])("%j on %s is ours: %s", (header, listening, own) => {
    expect(isOwnHost(header, listening, ["bots.lan"])).toBe(own);
  });

  test("of another name is turned away with a status that no client takes for a refused key", async () => {
    const { baseUrl, journal } = await serve(someFiles, { journal: true });
    for (const path of [run, "/", "/journal", "/nowhere"]) {
      const { statusCode, body } = await request(`${baseUrl}${path}`, {
        method: path === run ? "POST" : "GET",
        headers: { host: "evil.test", "content-type": "application/json" },
        body: path === run ? JSON.stringify(hello) : null,
      });
      expect(statusCode).toBe(421);
      expect(await body.json()).toMatchObject({ detail: expect.stringContaining("Host") });
    }
    expect(journal.received).toBe(0);
  });
});

describe("stopping", () => {
  const slow = { "bots/onions.yaml": "latency: { median_ms: 300 }\n" };

  test("answers what is in flight and takes nothing new", async () => {
    const running = await serve(slow);
    const held = post(running.baseUrl, run, hello);
    await expect.poll(() => running.journal.inFlight).toBe(1);
    const stopped = running.stop();
    await expect(get(running.baseUrl, "/status")).rejects.toThrow("fetch failed");
    expect((await held).status).toBe(200);
    await stopped;
    expect(running.journal.inFlight).toBe(0);
  });

  test("answers a function that still runs, and a body that is still on its way", async () => {
    const files = {
      "functions/slow.js":
        "export default () => { const end = Date.now() + 400; while (Date.now() < end); return 1; };\n",
    };
    const running = await serve(files);
    const held = post(running.baseUrl, "/v2/functions?example_id=slow", {});
    await expect.poll(() => running.journal.inFlight).toBe(1);
    const { hostname, port } = new URL(running.baseUrl);
    const socket = connect(Number(port), hostname);
    const head = `POST /v2/functions?example_id=slow HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nConnection: close`;
    socket.write(`${head}\r\nContent-Length: 2\r\n\r\n{`);
    await sleep(100);
    const stopped = running.stop();
    socket.write("}");
    expect(await text(socket)).toContain('"return_value":1');
    expect((await held).json).toMatchObject({ output: { return_value: 1, error: null } });
    await stopped;
  });

  test("does not wait longer than it is told", async () => {
    const running = await serve({ "bots/onions.yaml": "latency: { median_ms: 20000 }\n" });
    const held = post(running.baseUrl, run, hello).catch(() => "cut");
    await expect.poll(() => running.journal.inFlight).toBe(1);
    await running.stop(50);
    expect(await held).toBe("cut");
  });

  test("can be asked for twice", async () => {
    const running = await serve(someFiles);
    await post(running.baseUrl, run, hello);
    expect(await Promise.all([running.stop(), running.stop()])).toEqual([undefined, undefined]);
  });
});

test("the log never shows a key", async () => {
  let logged = "";
  const log = openLog("debug", (line) => void (logged += line));
  const { baseUrl } = await serve(someFiles, { log });
  await post(baseUrl, run, hello, { authorization: "Bearer sk-secret" });
  log.info("careless", { key: "sk-secret", request: { authorization: "Bearer sk-secret" } });
  expect(logged).toContain("careless");
  expect(logged).not.toContain("sk-secret");
});
