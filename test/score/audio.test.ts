import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.ts";
import { makeScorers } from "../../src/score/make.ts";
import { isPublicAddress, resolveHost } from "../../src/score/checks/public-address.ts";
import type { Score } from "../../src/score/contract/scorer.ts";
import { scorerSpecs } from "../../src/score/contract/spec.ts";
import { answered } from "./answered.ts";

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

async function grade(urls: string[], options: JsonObject = { allow_private: true }): Promise<Score> {
  const [made] = await makeScorers(scorerSpecs([{ type: "audio-reachable", ...options }]), {
    trust: null,
    timeoutMs: 1000,
  });
  if (made?.scorer.kind !== "effect") throw new Error("no effect scorer was made");
  onTestFinished(made.scorer.close);
  return made.scorer.grade(answered({ output_audio: urls }));
}

describe("audio that can be reached", () => {
  test("is asked for by HEAD, and once for every address", async () => {
    const methods: string[] = [];
    const base = await serve((request, response) => {
      methods.push(request.method ?? "");
      response.writeHead(200, { "content-type": "audio/mpeg", "content-length": 5 }).end();
    });
    expect(await grade([`${base}/a.mp3`, `${base}/a.mp3`])).toMatchObject({ value: 1, pass: true });
    expect(methods).toEqual(["HEAD"]);
  });

  test("is asked for by GET where HEAD is not allowed, without reading all of it", async () => {
    const base = await serve((request, response) => {
      if (request.method === "HEAD") return response.writeHead(405).end();
      response.writeHead(200, { "content-type": "audio/ogg" });
      // Endless: it is only the headers that are waited for.
      return response.write("x");
    });
    expect(await grade([`${base}/a.ogg`])).toMatchObject({ pass: true });
  });

  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    ["is not there", (response) => response.writeHead(404).end(), /status is 404/],
    [
      "is a page",
      (response) => response.writeHead(200, { "content-type": "text/html" }).end(),
      /content type is text\/html/,
    ],
    [
      "is empty",
      (response) => response.writeHead(200, { "content-type": "audio/wav", "content-length": 0 }).end(),
      /empty/,
    ],
    ["does not answer", () => {}, /did not answer within 300 ms/],
    ["goes round in circles", (response) => response.writeHead(302, { location: "/again" }).end(), /more than 5 times/],
  ])("fails where the file %s", async (_what, respond, reason) => {
    const base = await serve((_request, response) => respond(response));
    const score = await grade([`${base}/a.mp3`], { allow_private: true, timeout: "300ms" });
    expect(score).toMatchObject({ pass: false, reason: expect.stringMatching(reason) });
  });

  test("follows a redirect, but not to another protocol", async () => {
    const base = await serve((request, response) => {
      if (request.url === "/b.mp3") response.writeHead(200, { "content-type": "audio/mpeg" }).end();
      else response.writeHead(301, { location: request.url === "/a" ? "/b.mp3" : "file:///etc/passwd" }).end();
    });
    expect(await grade([`${base}/a`])).toMatchObject({ pass: true });
    expect(await grade([`${base}/x`])).toMatchObject({ unscored: expect.stringContaining("only http and https") });
  });

  test.each([
    "http://127.0.0.1/a.mp3",
    "http://localhost/a.mp3",
    "http://[::1]/a.mp3",
    "http://2130706433/a.mp3",
    "http://169.254.169.254/latest/meta-data",
    "ftp://example.org/a.mp3",
    "javascript:alert(1)",
  ])("does not ask %s", async (url) => expect(await grade([url], {})).toHaveProperty("unscored"));
});

test.each([
  ["8.8.8.8", true],
  ["2606:4700::1111", true],
  ["10.1.2.3", false],
  ["172.31.0.1", false],
  ["192.168.1.1", false],
  ["100.64.0.1", false],
  ["0.0.0.0", false],
  ["224.0.0.1", false],
  ["::", false],
  ["fe80::1", false],
  ["fd00::1", false],
  ["::ffff:127.0.0.1", false],
  ["64:ff9b::7f00:1", false],
  ["2002:7f00:1::", false],
])("%s is a public address: %s", (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic));

test("a host is resolved to the address that is then asked", async () => {
  expect(await resolveHost("[::1]", true)).toEqual({ address: "::1", family: 6 });
  expect(await resolveHost("no-such-host.invalid", false)).toHaveProperty("failed");
});
