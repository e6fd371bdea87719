import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { type DeploymentOptions, type RunningDeployment, startDeployment } from "../../src/deployment/deployment.ts";

/** A directory with these files, by their path in it, until the test is over. */
export function directoryOf(files: Record<string, string | Buffer>): string {
  const directory = mkdtempSync(join(tmpdir(), "tandem-served-"));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

/** A small bot and two functions. */
export const someFiles = {
  "bots/onions.yaml": "knowledge: [knowledge]\n",
  "bots/other.yaml": "greeting: Good day.\n",
  "knowledge/spacing.md": "# Spacing\n\nLeave 10 cm between onion plants in a row.\n",
  "knowledge/hindi.md": "---\nlanguage: hi\n---\n# प्याज\n\nप्याज के पौधों के बीच दस सेंटीमीटर की दूरी रखें।\n",
  "functions/double.js":
    "export default (variables, body) => { console.log('doubling', variables.n); return { twice: 2 * (variables.n ?? body.n) }; };\n",
  "functions/fails.js": "export default () => { throw new TypeError('no rows'); };\n",
};

/** Serves a directory (or files) until the test is over; silent unless told otherwise. */
export async function serve(
  files: Record<string, string | Buffer> | string,
  options: Omit<DeploymentOptions, "directory"> = {},
): Promise<RunningDeployment> {
  const directory = typeof files === "string" ? files : directoryOf(files);
  const running = await startDeployment({ directory, logLevel: "silent", ...options });
  onTestFinished(() => running.stop(500));
  return running;
}

/** An answer with its body read. */
export interface Got {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; undefined when it is none. */
  json: unknown;
}

const record = z.looseObject({
  id: z.string().optional(),
  url: z.string(),
  output: z.record(z.string(), z.unknown()),
});

/** The body as the record of a run; fails when it is none. */
export function recordOf(got: Got): z.infer<typeof record> {
  return record.parse(got.json);
}

/** Numbers from small to large. */
export function sorted(numbers: number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}

/** One POST to an endpoint as a stranger would make it; a text is sent as it is. */
export async function post(
  baseUrl: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Got> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return read(response);
}

export async function get(baseUrl: string, path: string, headers: Record<string, string> = {}): Promise<Got> {
  return read(await fetch(`${baseUrl}${path}`, { headers }));
}

async function read(response: Response): Promise<Got> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: jsonOf(text) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
