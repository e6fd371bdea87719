import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openLog } from "../../src/deployment/log.ts";
import type { RunningDeployment } from "../../src/deployment/deployment.ts";
import { directoryOf, post, serve, someFiles } from "./served.ts";

const hello = { input_prompt: "Hello", messages: [] };
const run = "/v2/video-bots?example_id=onions";

async function said({ baseUrl }: RunningDeployment, prompt = "Hello", path = run): Promise<string> {
  return (await post(baseUrl, path, { ...hello, input_prompt: prompt })).text;
}

/** A served directory, what it logs, and a way to change its files. */
async function changeable(): Promise<{
  running: RunningDeployment;
  logged: () => string;
  write: (path: string, text: string) => void;
  directory: string;
}> {
  const directory = directoryOf(someFiles);
  let text = "";
  const log = openLog("info", { write: (line: string) => void (text += line) });
  const running = await serve(directory, { log });
  return {
    running,
    directory,
    logged: () => text,
    write: (path, content) => writeFileSync(join(directory, path), content),
  };
}

describe("saved configurations that change", () => {
  test("are read again, and new ones are found", async () => {
    const { running, write } = await changeable();
    await said(running);
    write("bots/onions.yaml", "greeting: Changed.\n");
    await expect.poll(() => said(running)).toContain("Changed.");
    write("bots/fresh.yaml", "greeting: Fresh.\n");
    expect(await said(running, "Hello", "/v2/video-bots?example_id=fresh")).toContain("Fresh.");
  });

  test("are read again when an article of theirs changes or comes", async () => {
    const { running, write } = await changeable();
    write("knowledge/spacing.md", "# Spacing\n\nLeave 77 cm between onion plants in a row.\n");
    await expect.poll(() => said(running, "How far between onion plants?")).toContain("77 cm");
    write("knowledge/harvest.md", "# Harvest\n\nHarvest garlic in July.\n");
    await expect.poll(() => said(running, "When is garlic harvested?")).toContain("July");
  });

  test("that break keep the last good one, and the log says file, line and column, once", async () => {
    const { running, write, logged } = await changeable();
    write("bots/onions.yaml", "greeting: Hi.\nnum_outputs: many\n");
    await expect
      .poll(async () => {
        await said(running);
        return logged();
      })
      .toMatch(/onions\.yaml:2:14: num_outputs must be/);
    expect(await said(running, "How far between onion plants?")).toContain("10 cm");
    expect(logged().split("onions.yaml:2:14").length).toBe(2);
    write("bots/onions.yaml", "greeting: Mended.\n");
    await expect.poll(() => said(running)).toContain("Mended.");
  });

  test("that are new and broken are 404 until they are mended", async () => {
    const { running, write, logged } = await changeable();
    const fresh = "/v2/video-bots?example_id=fresh";
    write("bots/fresh.yaml", "gretting: oops\n");
    expect((await post(running.baseUrl, fresh, hello)).status).toBe(404);
    expect(logged()).toMatch(/fresh\.yaml:1:1: unknown key/);
    write("bots/fresh.yaml", "greeting: Fine.\n");
    expect(await said(running, "Hello", fresh)).toContain("Fine.");
  });

  test("that are removed are 404", async () => {
    const { running, directory } = await changeable();
    rmSync(join(directory, "bots/onions.yaml"));
    await expect.poll(async () => (await post(running.baseUrl, run, hello)).status).toBe(404);
  });
});

describe("deployment.yaml that changes", () => {
  test("brings other keys and faults, and a broken edit brings nothing", async () => {
    const { running, write, logged } = await changeable();
    const status = async (): Promise<number> => (await post(running.baseUrl, run, hello)).status;
    expect(await status()).toBe(200);
    write("deployment.yaml", "faults: [{ kind: 502 }]\n");
    await expect.poll(status).toBe(502);
    write("deployment.yaml", "faults: [{ kind: 504, rate: 7 }]\n");
    await expect
      .poll(async () => {
        await status();
        return logged();
      })
      .toMatch(/deployment\.yaml:1:29: faults\[0\]\.rate/);
    expect(await status()).toBe(502);
    write("deployment.yaml", "require_key: true\n");
    await expect.poll(status).toBe(401);
  });
});
