import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { record, type Service, startService } from "../e2e/service.ts";
import { endOfFile, Tandem } from "../e2e/tandem.ts";
import type { Begun } from "../e2e/warm.ts";
import type { Opened } from "../../src/viewer/api.ts";

/** Questions in several scripts, one of them hostile. */
export const prompts = [
  ["en-1", "How do I renew a book?", "en"],
  ["en-2", "<img src=x onerror=alert(1)>", "en"],
  ["hi-1", "मैं किताब कैसे नवीनीकृत करूँ?", "hi"],
  ["ar-1", "كيف أجدد إعارة كتاب؟", "ar"],
  ["emoji-1", "📚 renew?? 👍🏽", "emoji"],
  ["a&b=c #1/%20", "A key of all kinds", "en"],
] as const;

interface BatchOfTwo {
  delayMs?: number;
  port?: number;
  half?: Promise<void>;
  /** The folder, and what is started in it, goes then; left out: with the test. */
  whenOver?: ReturnType<typeof endOfFile>;
}

/** A results folder with one batch of two targets of which `test` shouts, and sometimes says nothing. */
export async function batchOfTwo({
  delayMs = 0,
  port = 0,
  half = Promise.resolve(),
  whenOver,
}: BatchOfTwo = {}): Promise<{ tandem: Tandem; service: Service }> {
  const service: Service = await startService(({ path, prompt }) => {
    const isTest = path.startsWith("/test");
    if (isTest && prompt.startsWith("📚")) return { status: 500, body: '{"detail":{"error":"no model"}}' };
    return {
      ...record(isTest ? `${prompt} - WHO KNOWS?` : `${prompt} - answered.`),
      delayMs,
      ...(service.received.length > prompts.length ? { when: half } : {}),
    };
  }, port);
  const rows = prompts.map(([id, question, language]) => `"${id}","${question}",answered,${language}`);
  const tandem = new Tandem(whenOver)
    .file("prompts.csv", ["id,question,golden,language", ...rows].join("\n"))
    .file("suite.yaml", suiteText(service.url));
  return { tandem, service };
}

function suiteText(url: string): string {
  return `
name: two
dataset: prompts.csv
case: { key: id, input: { input_prompt: question }, expected: golden, tags: [language] }
deployments:
  prod: { base_url: "${url}/prod", api_key_env: TANDEM_API_KEY, concurrency: 1, retries: 0 }
  test: { base_url: "${url}/test", api_key_env: TANDEM_API_KEY, concurrency: 1, retries: 0 }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a }
scorers:
  - { name: correct, type: contains, primary: true }
compare: { baseline: prod, candidates: [test] }
gates:
  # Six cases are too few for a margin.
  - { metric: correct, losses: 0 }
  - { errors: 0.5 }
`;
}

/** Starts `tandem view` over it. Resolves with its address, token and all. */
export async function startView(tandem: Tandem, port = 0): Promise<Begun & { url: string }> {
  const { child, ended } = tandem.begin("view", "--port", String(port), "--json");
  const url = await new Promise<string>((resolve, reject) => {
    let out = "";
    const read = (text: string): void => {
      out += text;
      if (!out.includes("\n")) return;
      child.stdout?.off("data", read);
      resolve(String(JSON.parse(out).url));
    };
    child.stdout?.on("data", read);
    void ended.then(({ err }) => reject(new Error(`tandem view ended: ${err}`)));
  });
  return { url, child, ended };
}

/** Somebody who was let in. */
export interface Caller {
  base: string;
  cookie: string;
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** Sends headers as the page does, unless others are given. */
  send: (method: "POST" | "DELETE", path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
}

/** Goes in with the token, as a browser does. */
export async function enter(url: string): Promise<Caller> {
  const { origin: base } = new URL(url);
  const first = await fetch(url, { redirect: "manual" });
  const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
  return {
    base,
    cookie,
    get: (path, headers = {}) => fetch(`${base}${path}`, { headers: { cookie, ...headers } }),
    send: (method, path, given, headers = { "x-tandem": "1", "content-type": "application/json" }) => {
      const body = typeof given === "string" ? given : JSON.stringify(given);
      const all = { cookie, ...headers };
      return method === "POST"
        ? fetch(`${base}${path}`, { method: "POST", headers: all, body })
        : fetch(`${base}${path}`, { method: "DELETE", headers: all, body });
    },
  };
}

export async function json<Answer>(response: Promise<Response>): Promise<Answer> {
  return (await (await response).json()) as Answer;
}

/** Opens the latest batch, or what is asked for, and waits until it is ready. */
export async function opened({ get }: Caller, query = "batch=latest"): Promise<Extract<Opened, { ready: true }>> {
  for (;;) {
    const response = await get(`/api/open?${query}`);
    if (!response.ok) throw new Error(await response.text());
    const answer = (await response.json()) as Opened;
    if (answer.ready) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Results of the first run in this process, and the port of the service that it asked. */
let made: { results: string; port: number } | null = null;

/** A results folder with a batch that has ended: run once, and then copied, with a service at the place that was asked. */
export async function endedBatch(
  given: Pick<BatchOfTwo, "whenOver"> = {},
): Promise<{ tandem: Tandem; service: Service }> {
  // Somebody else may have the port by now.
  const again = made === null ? null : await batchOfTwo({ ...given, port: made.port }).catch(() => null);
  if (made !== null && again !== null) {
    cpSync(made.results, join(again.tandem.folder, "results"), { recursive: true });
    return again;
  }
  const { tandem, service } = await batchOfTwo(given);
  await tandem.run("run", "suite.yaml");
  const results = mkdtempSync(join(tmpdir(), "tandem-ended-"));
  process.once("exit", () => rmSync(results, { recursive: true, force: true }));
  cpSync(join(tandem.folder, "results"), results, { recursive: true });
  made = { results, port: Number(new URL(service.url).port) };
  return { tandem, service };
}

/** A results folder with a batch that has ended, and a viewer over it. */
export async function viewed(given: Pick<BatchOfTwo, "whenOver"> = {}) {
  const { tandem, service } = await endedBatch(given);
  const { url, child, ended } = await startView(tandem);
  return { tandem, service, url, child, ended, caller: await enter(url) };
}

/** The same for those tests of a file that leave both as they are; its service is gone with the first of them. */
export function viewedByFile(): () => ReturnType<typeof viewed> {
  const whenOver = endOfFile();
  let view: ReturnType<typeof viewed> | undefined;
  return () => (view ??= viewed({ whenOver }));
}
