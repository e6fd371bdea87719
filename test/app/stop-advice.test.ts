import { expect, test } from "vitest";
import { stopOf } from "../../src/app/send/stop-advice.ts";
import type { OutcomeKind } from "../../src/client/outcome.ts";
import { suite } from "../store/batch.ts";

const [deployment] = suite.deployments;

function advice(kind: OutcomeKind, proxy: string | null, written?: string): string | null | undefined {
  if (deployment === undefined) throw new Error("the suite of the tests has deployments");
  const own = { ...deployment, ...(written !== undefined && { connection: { proxy: written } }) };
  const lane = `${deployment.name}/video-bots`;
  const event = { type: "lane-stopped", lane, reason: "r", deployment: true, kind, proxy } as const;
  return stopOf(event, { ...suite, deployments: [own] })?.advice;
}

test.each(["not-sent", "not-the-api"] as const)(
  "advice for %s names the proxy on the way, and where it is set",
  (kind) => {
    const address = "base_url of the deployment";
    expect(advice(kind, null)).toMatch(new RegExp(`^Check the ${address}`));
    const through = advice(kind, "http://10.0.0.1:3128");
    expect(through).toContain("Check the proxy http://10.0.0.1:3128 on the way (HTTPS_PROXY or HTTP_PROXY;");
    expect(through).toContain(address);
    expect(advice(kind, "http://10.0.0.1:3128", "http://10.0.0.1:3128")).toContain(
      `(deployments.${deployment?.name}.proxy)`,
    );
  },
);
