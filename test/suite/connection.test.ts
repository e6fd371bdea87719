import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { secretNames } from "../../src/suite/key.ts";
import { loadSuite } from "../../src/suite/load.ts";

const certificates = new URL("../client/certificates/", import.meta.url);

/** Loads a suite whose deployment has these lines, from a folder with certificates. */
async function loaded(...lines: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "tandem-connection-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["ca", "client", "client-key", "server-key"]) {
    writeFileSync(join(folder, `${name}.pem`), readFileSync(new URL(`${name}.pem`, certificates)));
  }
  writeFileSync(join(folder, "text.pem"), "no certificate");
  mkdirSync(join(folder, "folder.pem"));
  const file = join(folder, "suite.yaml");
  const own = lines.map((line) => `    ${line}\n`).join("");
  writeFileSync(
    file,
    `dataset: d.csv\ndeployments:\n  ours:\n    base_url: https://api.example.org\n${own}targets:\n  a: { deployment: ours, endpoint: video-bots, example_id: x }\n`,
  );
  return loadSuite(file, {});
}

function loadedChat() {
  const folder = mkdtempSync(join(tmpdir(), "tandem-connection-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "suite.yaml");
  writeFileSync(
    file,
    "dataset: d.csv\ndeployments:\n  ours: { base_url: https://api.example.org }\ntargets:\n  a: { deployment: ours, endpoint: chat-completions, model: m }\n",
  );
  return loadSuite(file, {});
}

describe("the connection of a deployment", () => {
  test("is kept as it is written: values of the environment are not part of a suite", async () => {
    const { suite, warnings } = await loaded(
      'headers: { X-Tenant: "${TENANT}", X-Plain: a }',
      'proxy: "http://me:${SECRET}@proxy:3128"',
      "ca: ca.pem",
      "cert: client.pem",
      "cert_key: client-key.pem",
    );
    const [deployment] = suite.deployments;
    expect(deployment?.connection).toMatchObject({
      headers: { "X-Tenant": "${TENANT}", "X-Plain": "a" },
      proxy: "http://me:${SECRET}@proxy:3128",
    });
    expect(deployment === undefined ? [] : secretNames(deployment)).toEqual(["TENANT", "SECRET"]);
    expect(warnings).toEqual([]);
  });

  test("with a secret of its own in a header is not sent the key that is for all", async () => {
    const names = async (...lines: string[]) => (await loaded(...lines)).suite.deployments[0]?.keyNames;
    expect(await names()).toEqual(["TANDEM_OURS_API_KEY", "TANDEM_API_KEY"]);
    expect(await names("headers: { X-Plain: a }")).toEqual(["TANDEM_OURS_API_KEY", "TANDEM_API_KEY"]);
    expect(await names('headers: { X-Api-Key: "${OURS}" }')).toEqual([]);
    expect(await names("headers: { Authorization: none }")).toEqual([]);
    expect(await names('headers: { X-Tenant: "${TENANT}" }', "api_key_env: OURS_KEY")).toEqual(["OURS_KEY"]);
  });

  test("of chats and endpoints of one's own is not sent the key that was given for the service", async () => {
    const { suite } = await loaded("price: 1");
    expect(suite.deployments[0]?.keyNames).toContain("TANDEM_API_KEY");
    const chat = await loadedChat();
    expect(chat.suite.deployments[0]).toMatchObject({ keyNames: ["TANDEM_OURS_API_KEY"], keyOptional: true });
  });

  test.each([
    ['headers: { "X Tenant": a }', /:5:16.*"X Tenant" is not the name of a header/],
    ["headers: { Host: a }", /:5:16.*"Host" cannot be set/],
    ["headers: { X-A: a, x-a: b }", /:5:24.*"x-a" is there twice/],
    ['headers: { X-A: "a\\r\\nX-B: b" }', /:5:21.*must not hold a line break/],
    ['headers: { X-A: "ключ" }', /:5:21.*a character that a header cannot carry/],
    ["proxy: nonsense", /:5:12.*is not an address that begins with http/],
    ["proxy: http://me:hunter2@proxy:3128", /:5:12.*holds a login/],
    ["ca: missing.pem", /:5:9.*missing\.pem does not exist/],
    ["ca: folder.pem", /:5:9.*folder\.pem is a folder/],
    ["ca: text.pem", /:5:9.*holds no certificate/],
    ["cert: client.pem", /:5:11.*needs cert_key/],
    ["cert_key: client-key.pem", /:5:15.*needs cert/],
    [
      "cert: client.pem\n    cert_key: server-key.pem",
      /:6:15.*server-key\.pem is not the private key of .*client\.pem/,
    ],
    ["cert: client.pem\n    cert_key: text.pem", /:6:15.*text\.pem is not a PEM file that can be read/],
    [
      'headers: { Authorization: "${A}" }\n    api_key_env: KEY',
      /:6:18.*cannot be used together with a header authorization/,
    ],
  ])("is refused with its place: %s", async (line, message) => {
    const refused = loaded(line);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow("hunter2");
  });
});
