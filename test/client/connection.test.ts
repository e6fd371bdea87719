import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { TlsOptions } from "node:tls";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { connectionChecks, deploymentChecks } from "../../src/app/doctor/doctor.ts";
import { openConnection } from "../../src/app/send/connection.ts";
import type { ServiceConnection } from "../../src/client/service-connection.ts";
import type { DeploymentConnection } from "../../src/suite/suite.ts";
import { suite } from "../store/batch.ts";
import { startProxy } from "./proxies.ts";
import { botRequest, clientOf, httpServer, listening, smallRecord, type TestServer } from "./server.ts";

const file = (name: string): string => fileURLToPath(new URL(`certificates/${name}.pem`, import.meta.url));
const pem = (name: string): string => readFileSync(file(name), "utf8");

/** Options of a service that takes nobody without a certificate. */
const asking: TlsOptions = { ca: pem("ca"), requestCert: true, rejectUnauthorized: true };

/** What a suite says of a connection, looked up as a run does. */
async function opened(baseUrl: string, connection: DeploymentConnection, env = {}): Promise<ServiceConnection> {
  return openConnection({ name: "prod", baseUrl, keyNames: ["KEY"], connection }, env);
}

/** A service that answers with a record, and remembers the headers that it was sent. */
async function service(): Promise<TestServer & { seen: Record<string, unknown>[] }> {
  const seen: Record<string, unknown>[] = [];
  const server = await httpServer((request, response) => {
    seen.push(request.headers);
    response.setHeader("content-type", "application/json").end(smallRecord);
  });
  return Object.assign(server, { seen });
}

async function tlsService(options: TlsOptions = {}): Promise<TestServer> {
  const own = { cert: pem("server"), key: pem("server-key"), ...options };
  const server = createServer(own, (request, response) => {
    request.resume();
    request.on("end", () => response.setHeader("content-type", "application/json").end(smallRecord));
  });
  server.on("tlsClientError", () => undefined);
  const { url, ...rest } = await listening(server, () => server.closeAllConnections());
  return { ...rest, url: url.replace("http:", "https:") };
}

describe("headers of a deployment", () => {
  test("go with every request, filled in from the environment, and replace those of ours", async () => {
    await using server = await service();
    const connection = await opened(
      server.url,
      { headers: { "X-Tenant": "${TENANT}", "User-Agent": "nightly", "X-Plain": "${NONE:-a b}" } },
      { TENANT: "acme-4711" },
    );
    await using client = clientOf(server.url, { connection });
    expect((await client.attempt(botRequest())).kind).toBe("ok");
    expect(server.seen[0]).toMatchObject({ "x-tenant": "acme-4711", "user-agent": "nightly", "x-plain": "a b" });
  });

  test("whose values come from the environment are hidden wherever a service repeats them", async () => {
    await using server = await httpServer((request, response) => {
      const secret = String(request.headers["x-token"]);
      response.statusCode = 422;
      response.end(
        JSON.stringify({ detail: `bad token ${secret}, ${encodeURIComponent(secret)}, ${secret.slice(0, 12)}` }),
      );
    });
    const connection = await opened(server.url, { headers: { "X-Token": "${TOKEN}" } }, { TOKEN: "tok/en-0123456789" });
    await using client = clientOf(server.url, { connection });
    const { error, bodyStart, redacted } = await client.attempt(botRequest());
    expect(error).toContain("[redacted]");
    expect(`${error} ${bodyStart}`).not.toMatch(/tok.{1,3}en-012/i);
    expect(redacted).toBe(true);
  });

  test("hide the value of a variable alone, and not the words that stand around it", async () => {
    await using server = await httpServer((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(smallRecord.replace("hi", "your token is tok-0123456789; customer-support-desk is fine"));
    });
    const headers = { Authorization: "Bearer ${TOKEN}", "X-Route": "customer-support-${TEAM}" };
    const connection = await opened(server.url, { headers }, { TOKEN: "tok-0123456789", TEAM: "red-team-7" });
    await using client = clientOf(server.url, { key: null, connection });
    const { record } = await client.attempt(botRequest());
    expect(record?.body?.toString()).toContain("your token is [redacted]; customer-support-desk is fine");
  });

  test.each([
    ["https://api.example.org", {}, /needs the environment variable TOKEN, which is not set/],
    ["https://api.example.org", { TOKEN: "a\nb: c" }, /must not hold a line break/],
    ["https://api.example.org", { TOKEN: "ключ" }, /holds a character that a header cannot carry/],
    ["http://api.example.org", { TOKEN: "secret-1234" }, /would go over plain http to api.example.org/],
  ])("are refused before anything is sent: %s %o", async (baseUrl, env, message) => {
    const refused = opened(baseUrl, { headers: { "X-Token": "${TOKEN}" } }, env);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow(/secret-1234|ключ/);
  });
});

describe("a proxy", () => {
  test("that the suite names carries every request, with its password", async () => {
    await using server = await service();
    await using proxy = await startProxy();
    const connection = await opened(
      server.url,
      { proxy: "http://me:${PASSWORD}@" + proxy.host },
      { PASSWORD: "p%40ss-123456" },
    );
    await using client = clientOf(server.url, { connection });
    expect((await client.attempt(botRequest())).kind).toBe("ok");
    expect(proxy.asked).toEqual([`POST ${server.url}/v2/video-bots?example_id=abc123`]);
    expect(proxy.passwords).toEqual([`Basic ${Buffer.from("me:p@ss-123456").toString("base64")}`]);
    expect(server.seen[0]).not.toHaveProperty("proxy-authorization");
  });

  test("is a tunnel for https: it sees the host and nothing more", async () => {
    await using server = await tlsService();
    await using proxy = await startProxy();
    const connection = await opened(server.url, { proxy: `http://${proxy.host}`, ca: file("ca") });
    await using client = clientOf(server.url, { connection });
    expect((await client.attempt(botRequest())).kind).toBe("ok");
    expect(proxy.asked).toEqual([`CONNECT ${new URL(server.url).host}`]);
  });

  test("of the environment is taken, but not where NO_PROXY says otherwise, nor for this machine itself", async () => {
    await using proxy = await startProxy(403);
    const env = { HTTPS_PROXY: `http://${proxy.host}`, NO_PROXY: "other.example" };
    await using asked = clientOf("https://api.example", { connection: await opened("https://api.example", {}, env) });
    const { kind, error } = await asked.attempt(botRequest());
    expect(kind).toBe("not-sent");
    expect(error).toContain(`through the proxy http://${proxy.host} was not sent: the proxy answered 403`);
    expect(proxy.asked).toEqual(["CONNECT api.example:443"]);
    for (const baseUrl of ["https://sub.other.example", "https://other.example"]) {
      const connection = await opened(baseUrl, {}, env);
      await using direct = clientOf(baseUrl, { connection, connectTimeoutMs: 2_000 });
      await direct.attempt(botRequest());
    }
    expect(proxy.asked).toHaveLength(1);
    expect((await opened("http://127.0.0.1:9", {}, env)).proxy).toBeNull();
    expect((await opened("https://api.example", { proxy: "none" }, env)).proxy).toBeNull();
  });

  test.each(["http", "https"])(
    "that asks for a password has sent nothing on (%s), and says so without the one it got",
    async (scheme) => {
      await using proxy = await startProxy(407);
      const baseUrl = `${scheme}://127.0.0.1:9`;
      const connection = await opened(
        baseUrl,
        { proxy: "http://me:${PASSWORD}@" + proxy.host },
        { PASSWORD: "pass-123456" },
      );
      await using client = clientOf(baseUrl, { connection });
      const { kind, error, possiblyPaid, timing } = await client.attempt(botRequest());
      expect({ kind, possiblyPaid, sentAt: timing.sentAt }).toEqual({
        kind: "not-sent",
        possiblyPaid: false,
        sentAt: null,
      });
      expect(error).toContain("the proxy answered 407: it asks for a user name and password");
      expect(error).not.toContain("pass-123456");
    },
  );

  test.each([502, 503, 504])(
    "that answers %i with a page of its own is named as what may have written it",
    async (status) => {
      await using proxy = await startProxy(status);
      const connection = await opened("http://127.0.0.1:9", { proxy: `http://${proxy.host}` });
      await using client = clientOf("http://127.0.0.1:9", { connection });
      const { kind, error } = await client.attempt(botRequest());
      expect([kind, client.proxy]).toEqual(["ambiguous", `http://${proxy.host}`]);
      expect(error).toContain(`through the proxy http://${proxy.host}: no error text`);
      expect(error).toContain("this may be the proxy's own page: look at its log, or leave it out with `proxy: none`");
    },
  );

  test("that nothing listens at is told by its address", async () => {
    const connection = await opened("https://api.example", { proxy: "http://127.0.0.1:9" });
    await using client = clientOf("https://api.example", { connection });
    const { kind, error } = await client.attempt(botRequest());
    expect(kind).toBe("not-sent");
    expect(error).toContain("ECONNREFUSED: nothing listens at this address");
    expect(error).toContain("proxy http://127.0.0.1:9");
  });

  test("on another machine carries no key over plain http, not even to an address of this one", async () => {
    const refused = opened("http://127.0.0.1:9", { proxy: "http://proxy.example:3128" });
    await expect(refused).rejects.toMatchObject({ code: "KEY_INSECURE" });
    expect(await opened("https://api.example", { proxy: "http://proxy.example:3128" })).toMatchObject({ secrets: [] });
  });

  test.each(["nonsense", "ftp://proxy.example", "http://me:50%off@proxy.example"])(
    "of the environment that is none (%s) is refused",
    async (address) => {
      const refused = opened("https://api.example", {}, { HTTPS_PROXY: address });
      await expect(refused).rejects.toThrow(
        "HTTPS_PROXY or HTTP_PROXY of the environment is not the address of a proxy",
      );
    },
  );
});

test("doctor tells the proxy that was taken, and how long our certificates last", async () => {
  await using server = await service();
  await using proxy = await startProxy();
  const connection = {
    proxy: `http://${proxy.host}`,
    ca: file("ca"),
    cert: file("client"),
    certKey: file("client-key"),
  };
  const [usual] = suite.deployments;
  if (usual === undefined) throw new Error("the suite of the tests has deployments");
  const deployment = { ...usual, baseUrl: server.url, connection };
  const access = { baseUrl: server.url, key: null, connection: await opened(server.url, connection) };
  const checks = await deploymentChecks(deployment, access, null);
  expect(checks).toMatchObject([
    { about: "prod: address" },
    { about: "prod: proxy", state: "ok", found: `http://${proxy.host} (deployments.prod.proxy)` },
    { about: "prod: authorities", state: "ok", found: expect.stringContaining("CN=Authority of the tests, until 21") },
    { about: "prod: certificate", state: "ok", found: expect.stringContaining("CN=runner, until 21") },
    { about: "prod: key" },
    { about: "prod: clock" },
  ]);
  expect(proxy.asked).toEqual([`GET ${server.url}/status`, `GET ${server.url}/v1/balance/`]);
  const late = await connectionChecks(deployment, null, Date.parse("2200-01-01"));
  expect(late.map(({ state }) => state)).toEqual(["failed", "failed"]);
});

test("doctor does not say that no key is sent where a header carries one", async () => {
  await using server = await service();
  const [usual] = suite.deployments;
  if (usual === undefined) throw new Error("the suite of the tests has deployments");
  const connection = { headers: { Authorization: "Bearer ${MY_TOKEN}" } };
  const access = { baseUrl: server.url, key: null, connection: await opened(server.url, {}) };
  const keyOf = async (isForeign: boolean): Promise<string | undefined> => {
    const checks = await deploymentChecks({ ...usual, baseUrl: server.url, connection, isForeign }, access, null);
    return checks.find(({ about }) => about === "prod: key")?.found;
  };
  expect(await keyOf(true)).toBe("the header Authorization (MY_TOKEN) is sent");
  expect(await keyOf(false)).toMatch(/^the header Authorization \(MY_TOKEN\) is sent$|^accepted/);
});

describe("certificates of a deployment", () => {
  test("an authority of one's own is trusted where it is named, and nowhere else", async () => {
    await using server = await tlsService();
    await using stranger = clientOf(server.url);
    const { kind, error } = await stranger.attempt(botRequest());
    expect(kind).toBe("not-sent");
    expect(error).toContain("`ca` of the deployment can name it");
    await using client = clientOf(server.url, { connection: await opened(server.url, { ca: file("ca") }) });
    expect((await client.attempt(botRequest())).kind).toBe("ok");
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)("a service that asks for one of ours gets it (%s)", async (version) => {
    await using server = await tlsService({ ...asking, minVersion: version, maxVersion: version });
    const known = await opened(server.url, { ca: file("ca"), cert: file("client"), certKey: file("client-key") });
    await using client = clientOf(server.url, { connection: known });
    expect((await client.attempt(botRequest())).kind).toBe("ok");
  });

  test("a service that asks for one of ours and gets none was sent nothing", async () => {
    await using server = await tlsService({ ...asking, maxVersion: "TLSv1.2" });
    await using stranger = clientOf(server.url, { connection: await opened(server.url, { ca: file("ca") }) });
    const { kind, possiblyPaid, error } = await stranger.attempt(botRequest());
    expect({ kind, possiblyPaid }, String(error)).toEqual({ kind: "not-sent", possiblyPaid: false });
  });
});
