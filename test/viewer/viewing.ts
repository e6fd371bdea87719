import type { ChildProcess } from "node:child_process";
import { record, type Service, startService } from "../e2e/service.ts";
import { Tandem } from "../e2e/tandem.ts";

/** Questions in several scripts, one of them hostile. */
export const prompts = [
  ["en-1", "How do I renew a book?", "en"],
  ["en-2", "<img src=x onerror=alert(1)>", "en"],
  ["hi-1", "मैं किताब कैसे नवीनीकृत करूँ?", "hi"],
  ["ar-1", "كيف أجدد إعارة كتاب؟", "ar"],
  ["emoji-1", "📚 renew?? 👍🏽", "emoji"],
  ["a&b=c #1/%20", "A key of all kinds", "en"],
] as const;

/** A results folder with one batch of two targets of which `test` shouts, and sometimes says nothing. */
export async function batchOfTwo(delayMs = 0): Promise<{ tandem: Tandem; service: Service }> {
  const service = await startService(({ path, prompt }) => {
    const isTest = path.startsWith("/test");
    if (isTest && prompt.startsWith("📚")) return { status: 500, body: '{"detail":{"error":"no model"}}' };
    return { ...record(isTest ? `${prompt} - WHO KNOWS?` : `${prompt} - answered.`), delayMs };
  });
  const rows = prompts.map(([id, question, language]) => `"${id}","${question}",answered,${language}`);
  const tandem = new Tandem()
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
  - { metric: correct, margin: 0.05 }
  - { errors: 0.5 }
`;
}

/** Starts `tandem view` over it. Resolves with its address, token and all. */
export async function startView(tandem: Tandem): Promise<{ url: string; child: ChildProcess }> {
  const { child, ended } = tandem.start("view", "--port", "0", "--json");
  const url = await new Promise<string>((resolve, reject) => {
    let out = "";
    child.stdout?.on("data", (text: string) => {
      out += text;
      if (out.includes("\n")) resolve(String(JSON.parse(out).url));
    });
    void ended.then(({ err }) => reject(new Error(`tandem view ended: ${err}`)));
  });
  return { url, child };
}
