import { expect } from "vitest";
import type { Service } from "../e2e/service.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";

interface SuiteOptions {
  jobs: number;
  concurrency?: number;
  /** Members of the deployment. */
  deployment?: string;
  /** Lines of the suite. */
  more?: string;
}

/** A folder of one who runs a suite over workers: prompts `p1`, `p2`, ... to one service. */
export function deskOf(
  url: string,
  service: Pick<Service, "url">,
  { jobs, concurrency = 8, deployment = "", more = "" }: SuiteOptions,
): Tandem {
  return new Tandem()
    .env({ TANDEM_WORKERS: url })
    .file("prompts.csv", prompts(jobs))
    .file(
      "suite.yaml",
      `name: plain
dataset: prompts.csv
case: { key: id }
deployments: { prod: { base_url: "${service.url}", concurrency: ${concurrency}${deployment} } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
${more}
`,
    );
}

/** What the service got more than once. */
export function twice({ received }: Pick<Service, "received">): string[] {
  const times = new Map<string, number>();
  for (const { prompt } of received) times.set(prompt, (times.get(prompt) ?? 0) + 1);
  return [...times].flatMap(([prompt, count]) => (count > 1 ? [prompt] : []));
}

/** Resolves when the service has so many requests. */
export async function receives({ received }: Pick<Service, "received">, count: number): Promise<void> {
  await expect.poll(() => received.length, { interval: 5, timeout: 60_000 }).toBeGreaterThanOrEqual(count);
}
