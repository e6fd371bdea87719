import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { chromiumPath, launchOptions } from "./browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** WebSocket address of the one browser that the test files of a run share. */
    browser: string | undefined;
  }
}

/** Starts the browser of a run. Without a Chromium on this machine it starts none, and the tests of pages skip. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (chromiumPath === undefined) return undefined;
  const server = await chromium.launchServer(launchOptions(chromiumPath));
  project.provide("browser", server.wsEndpoint());
  return () => server.close();
}
