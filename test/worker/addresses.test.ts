import { describe, expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import type { AppError } from "../../src/errors.ts";
import type { Deployment } from "../../src/suite/suite.ts";
import { isBelow, ownAddresses, unsetVariables } from "../../src/worker/serve/addresses.ts";
import { allowedHere, environmentOf } from "../../src/worker/serve/allowed.ts";
import { record, startService } from "../e2e/service.ts";

const plain: Deployment = {
  name: "prod",
  baseUrl: "https://api.example.com",
  keyNames: ["TANDEM_PROD_API_KEY", "TANDEM_API_KEY"],
  concurrency: 1,
  rate: null,
  timeoutMs: 1_000,
  jobTimeoutMs: 1_000,
  retries: 0,
  price: null,
};

/** The reason why a suite's deployment is refused; null: it is not. */
function refusal(addresses: string[], deployment: Partial<Deployment>): string | null {
  try {
    allowedHere(ownAddresses(addresses), { ...plain, ...deployment });
    return null;
  } catch (error) {
    return (error as AppError).message;
  }
}

describe("addresses of a worker", () => {
  test.each([
    ["https://api.example.com", true],
    ["https://api.example.com:443/v3", true],
    ["https://API.example.com/", true],
    ["http://api.example.com", false],
    ["https://api.example.com:8443", false],
    ["https://api.example.com.evil.net", false],
    ["https://api.example.com@evil.net", false],
    [String.raw`https://evil.net\@api.example.com`, false],
    ["https://evil.net/https://api.example.com", false],
    ["https://me:pw@api.example.com", false],
    ["local:/etc", false],
    ["file:///etc/passwd", false],
    ["//api.example.com", false],
  ])("hold %s: %s", (baseUrl, isHeld) => {
    expect(isBelow(["https://api.example.com"], baseUrl)).toBe(isHeld);
  });

  test.each([
    ["https://h.example/a", true],
    ["https://h.example/a/b", true],
    ["https://h.example/ab", false],
    ["https://h.example", false],
    ["https://h.example/a/../b", false],
    ["https://h.example/a/%2e%2e/b", false],
  ])("keep to their path: %s is below /a: %s", (baseUrl, isHeld) => {
    expect(isBelow(["https://h.example/a"], baseUrl)).toBe(isHeld);
  });

  test("name every port of this machine, and of no other", () => {
    expect(isBelow(["http://127.0.0.1:*"], "http://127.0.0.1:4711/x")).toBe(true);
    expect(isBelow(["http://127.0.0.1:*"], "http://127.0.0.2:4711")).toBe(false);
    expect(() => ownAddresses(["http://10.0.0.1:*"])).toThrow("is not an address");
    expect(() => ownAddresses(["api.example.com"])).toThrow("is not an address");
    expect(() => ownAddresses([])).toThrow("It is not said where");
  });
});

describe("a suite of somebody else", () => {
  test("is sent keys of tandem to the one address of its worker, and to no other", () => {
    const own = ownAddresses(["https://api.example.com"]);
    expect(allowedHere(own, plain).variables).toEqual(plain.keyNames);
    expect(refusal(["https://api.example.com"], { baseUrl: "https://evil.net" })).toBe(
      "this worker sends nothing to https://evil.net (--address https://evil.net lets it)",
    );
  });

  test("chooses no variable that was not named for its address", () => {
    const address = "https://api.example.com";
    const inHeader = { headers: { "X-A": "a ${AWS_SECRET_ACCESS_KEY} b" } };
    const inEndpoint = [{ name: "X-B", value: "${TANDEM_WORKERS:-none}" }];
    expect(refusal([address], { keyNames: ["AWS_SECRET_ACCESS_KEY"] })).toContain("no AWS_SECRET_ACCESS_KEY");
    expect(refusal([address], { keyNames: ["TANDEM_WORKERS"] })).toContain("no TANDEM_WORKERS");
    expect(refusal([address], { connection: inHeader })).toContain("no AWS_SECRET_ACCESS_KEY");
    expect(refusal([address], { endpointHeaders: inEndpoint })).toContain("no TANDEM_WORKERS");
    expect(refusal([`${address}=AWS_SECRET_ACCESS_KEY`], { keyNames: [], connection: inHeader })).toBeNull();
    // A key of one service is not sent to the other.
    const two = ["https://a.example=A_KEY", "https://b.example=B_KEY", "https://c.example"];
    expect(refusal(two, { baseUrl: "https://b.example", keyNames: ["A_KEY"] })).toContain("sends no A_KEY");
    expect(refusal(two, { baseUrl: "https://b.example", keyNames: ["A_KEY", "B_KEY"] })).toBeNull();
    expect(refusal(two, { baseUrl: "https://c.example" })).toContain("sends no TANDEM_PROD_API_KEY");
    expect(refusal(two, { baseUrl: "https://c.example", keyOptional: true })).toBeNull();
    const { deployment } = allowedHere(ownAddresses(two), {
      ...plain,
      baseUrl: "https://b.example",
      keyNames: ["A_KEY", "B_KEY"],
    });
    expect(deployment.keyNames).toEqual(["B_KEY"]);
  });

  test("chooses no proxy, authority or certificate of the machine", () => {
    const own = ["https://api.example.com"];
    expect(refusal(own, { connection: { proxy: "http://evil.net:3128" } })).toContain("names a proxy");
    expect(refusal(own, { connection: { proxy: "http://x:${TANDEM_API_KEY}@evil.net" } })).toContain("names a proxy");
    expect(refusal(own, { connection: { proxy: "none" } })).toBeNull();
    expect(refusal(own, { connection: { ca: "/etc/shadow" } })).toContain("authorities");
    expect(refusal(own, { connection: { cert: "/a", certKey: "/b" } })).toContain("certificate");
  });

  test("reads nothing of the environment but those variables and the proxies of the machine", () => {
    const env = { A: "1", B: "2", HTTPS_PROXY: "http://p" };
    expect(JSON.parse(JSON.stringify(environmentOf(env, ["A"])))).toEqual({ A: "1", HTTPS_PROXY: "http://p" });
  });

  test("does not leave the path of an address by the path of a request", async () => {
    const service = await startService(({ prompt }) => record(prompt));
    const client = createClient({ baseUrl: `${service.url}/a`, key: null, connections: 1, within: "/a" });
    const paths = ["/../b", "/%2e%2e/b", String.raw`/x\..\..\b`, "/x/../../ab"];
    for (const path of paths) {
      const outcome = await client.attempt({
        endpoint: "video-bots",
        method: "POST",
        path,
        body: "{}",
        timeoutMs: 1_000,
      });
      expect(outcome.kind).toBe("rejected");
    }
    expect(service.received).toEqual([]);
    await client.attempt({ endpoint: "video-bots", method: "POST", path: "/b", body: "{}", timeoutMs: 1_000 });
    expect(service.received.length).toBe(1);
    await client.close();
  });
});

test("a variable that is named for an address and not set is told by its name, an empty one too", () => {
  const own = ownAddresses(["https://a.example=PROD_KEY,OTHER", "https://b.example"]);
  expect(unsetVariables(own, { OTHER: "x" })).toEqual([
    "PROD_KEY is not set here: what needs it at https://a.example is left to other workers",
  ]);
  expect(unsetVariables(own, { PROD_KEY: "x", OTHER: "" })).toEqual([expect.stringMatching(/^OTHER is not set/)]);
  expect(unsetVariables(own, { PROD_KEY: "x", OTHER: "x" })).toEqual([]);
});
