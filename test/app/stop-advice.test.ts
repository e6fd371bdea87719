import { expect, test } from "vitest";
import { stopOf } from "../../src/app/send/stop-advice.ts";
import type { OutcomeKind } from "../../src/api/outcomes.ts";
import { suite } from "../store/batch.ts";

const [deployment] = suite.deployments;

function advice(
  kind: OutcomeKind,
  proxy: string | null,
  { written, folder = "/suites", reason = "r" }: { written?: string; folder?: string | null; reason?: string } = {},
): string | null | undefined {
  if (deployment === undefined) throw new Error("the suite of the tests has deployments");
  const own = { ...deployment, ...(written !== undefined && { connection: { proxy: written } }) };
  const queue = `${deployment.name}/video-bots`;
  const event = { type: "queue-stopped", queue, reason, deployment: true, kind, proxy } as const;
  return stopOf(event, { ...suite, deployments: [own], folder })?.advice;
}

test.each(["not-sent", "not-the-api"] as const)(
  "advice for %s names the proxy on the way, and where it is set",
  (kind) => {
    const address = "base_url of the deployment";
    expect(advice(kind, null)).toMatch(new RegExp(`^Check the ${address}`));
    const through = advice(kind, "http://10.0.0.1:3128");
    expect(through).toContain("Check the proxy http://10.0.0.1:3128 on the way (HTTPS_PROXY or HTTP_PROXY;");
    expect(through).toContain(address);
    expect(advice(kind, "http://10.0.0.1:3128", { written: "http://10.0.0.1:3128" })).toContain(
      `(deployments.${deployment?.name}.proxy)`,
    );
  },
);

test.each([null, "http://10.0.0.1:3128"])(
  "without a suite file nobody is sent to tandem check, nor to a line of the file, with proxy %s",
  (proxy) => {
    expect(advice("not-sent", proxy)).toContain("`tandem check SUITE`");
    const ofFlags = advice("not-sent", proxy, { folder: null });
    expect(ofFlags).toContain(`address of the deployment ${deployment?.name}`);
    expect(ofFlags).not.toMatch(/doctor|base_url/);
  },
);

test("a refused key is looked for where it stands: in a header of the suite, else in a variable, and either where none is needed", () => {
  if (deployment === undefined) throw new Error("the suite of the tests has deployments");
  const said = (own: Partial<typeof deployment>, isKeyless = false): string | null | undefined => {
    const queue = `${deployment.name}/video-bots`;
    const stopped = { reason: "r", deployment: true, kind: "auth", proxy: null, isKeyless } as const;
    const event = { type: "queue-stopped", queue, ...stopped } as const;
    return stopOf(event, { ...suite, deployments: [{ ...deployment, ...own }] })?.advice;
  };
  const headers = { "X-Api-Key": "${BOT_KEY}" };
  expect(said({ connection: { headers }, keyNames: [] })).toMatch(
    /^Check the header X-Api-Key \(BOT_KEY\): it belongs to/,
  );
  expect(said({ connection: { headers }, keyOptional: true, keyNames: ["A"] })).not.toContain("Check the key in A");
  expect(said({ keyNames: ["A", "B"] })).toMatch(
    /^Check the key in A or B: it belongs to the deployment \S+ at \S+\.$/,
  );
  expect(said({ keyNames: ["A"], keyOptional: true }, true)).toMatch(
    /^Set the key of the deployment \S+ at \S+ in A, which is not set\. It is sent as/,
  );
  expect(said({ keyNames: ["A"], keyOptional: true })).toContain('`headers: { X-Api-Key: "${MY_KEY}" }`');
});

test("advice about failed runs is the same for every error: only a reader knows what its words mean", () => {
  const of = (reason: string): string | null | undefined => advice("run-failed", null, { reason });
  expect(of("(HTTP 503) upstream model is overloaded")).toMatch(/^If the error tells of an overload, resume later\./);
  expect(of("(HTTP 400) no such voice")).toBe(of("(HTTP 503) upstream model is overloaded"));
});
