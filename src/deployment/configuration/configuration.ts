import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import { AppError } from "../../errors.ts";
import type { JsonObject } from "../../lib/json.ts";
import { checkYaml, faultsMessage, parseYaml } from "../../suite/yaml.ts";
import { loadBot } from "../bot/bot.ts";
import { drawLatency, latencySettings } from "../bot/drawn-latency.ts";
import { botSettings } from "../bot/bot-settings.ts";
import { runStreams } from "../bot/streams.ts";
import { sandboxLimits } from "../sandbox/sandbox-limits.ts";
import { runFunction } from "../sandbox/run-function.ts";

/** The result of a run before it becomes a record, and the time that it should seem to take. */
export interface ServedRun {
  output: JsonObject;
  latencyMs: number;
  /** The error of a run that failed; null for one that did not. */
  error: string | null;
}

/** A saved configuration, ready to run. */
export interface Configuration {
  endpoint: ServiceEndpoint;
  id: string;
  /** The saved request that one is merged over. */
  saved: JsonObject;
  price: number;
  /** It makes vectors of texts instead of answers. */
  embeds: boolean;
  /** Makes one run of a merged request. */
  run(request: JsonObject): Promise<ServedRun>;
}

const commonSettings = {
  price: z.int().min(0).default(1).describe("Credits that one run costs; a failed run costs none."),
};

const savedInputs = {
  input_audio: z.string().nullable().default(null).describe("A saved audio input, used when a request has none."),
  input_images: z.array(z.string()).nullable().default(null).describe("Saved images, used when a request has none."),
  input_documents: z.array(z.string()).nullable().default(null).describe("Saved documents of the user."),
  settings: z
    .strictObject({ retention_policy: z.enum(["keep", "delete"]).default("keep") })
    .default({ retention_policy: "keep" })
    .describe("With `retention_policy: delete` a run leaves nothing behind, and its output is an empty object."),
};

/** `bots/ID.yaml`. */
export const botFile = botSettings.extend({ ...commonSettings, ...savedInputs });

/** `functions/ID.yaml`, beside the code in `functions/ID.js`. */
export const functionFile = z.strictObject({
  ...commonSettings,
  variables: z.record(z.string(), z.json()).default({}).describe("Values that a request's variables are merged over."),
  limits: sandboxLimits.prefault({}).describe("How far one run may go."),
  latency: latencySettings.prefault({}).describe("How long a run seems to take, beyond the function's own time."),
  seed: z.union([z.string(), z.number()]).default(1).describe("Seed of the latency."),
});

/** Reads `bots/ID.yaml`; a fault raises `DEPLOYMENT_INVALID` with file, line and column. */
export async function readBot(directory: string, id: string): Promise<Configuration> {
  const file = join(directory, "bots", `${id}.yaml`);
  const settings = await readSettings(file, botFileIn(directory));
  const { price, input_audio, input_images, input_documents, settings: policy, ...rest } = settings;
  const bot = await loadBot(rest, directory);
  const saved = jsonOf({ ...bot.saved, input_audio, input_images, input_documents, settings: policy });
  const embeds = rest.embedding !== null;
  const run = async (request: JsonObject): Promise<ServedRun> => bot.answer(request, bot.randomOf(request));
  return { endpoint: "video-bots", id, saved, price, embeds, run };
}

/** A bot file of a served directory: what it names must be there. */
function botFileIn(directory: string): z.ZodType<z.output<typeof botFile>> {
  return botFile.superRefine(({ knowledge }, context) => {
    const fault = (key: string, index: number, message: string): void =>
      context.addIssue({ code: "custom", path: [key, index], message });
    knowledge.forEach((path, index) => {
      const full = resolve(directory, path);
      if (!existsSync(full)) fault("knowledge", index, `must be a file or a folder, but there is no ${full}`);
    });
  });
}

/** Reads `functions/ID.js` and, where there is one, `functions/ID.yaml`. */
export async function readFunction(directory: string, id: string): Promise<Configuration> {
  const file = join(directory, "functions", `${id}.js`);
  const sidecar = join(directory, "functions", `${id}.yaml`);
  const settings = await readSettings(sidecar, functionFile, true);
  const source = await readText(file);
  const { price, seed, limits, latency } = settings;
  const streams = runStreams(seed);
  const run = async (request: JsonObject): Promise<ServedRun> => {
    const variables = jsonOf(request.variables);
    const output = await runFunction({ source, fileName: `${id}.js`, body: request, variables, limits });
    return { output: jsonOf(output), latencyMs: drawLatency(latency, streams(JSON.stringify(request))), error: null };
  };
  const saved = { variables: settings.variables };
  return { endpoint: "functions", id, saved, price, embeds: false, run };
}

/** Reads and checks a YAML file; an empty one, and a missing one where it is optional, is all defaults. */
export async function readSettings<T>(file: string, schema: z.ZodType<T>, optional = false): Promise<T> {
  const document = parseYaml(await readText(file, optional), file, "DEPLOYMENT_INVALID");
  const checked = checkYaml({ ...document, value: document.value ?? {} }, schema);
  if (checked.ok) return checked.value;
  throw new AppError("DEPLOYMENT_INVALID", faultsMessage(`${file} is not a valid configuration`, checked.faults));
}

async function readText(file: string, optional = false): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (optional && isMissing(cause)) return "";
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("DEPLOYMENT_INVALID", `${file} cannot be read: ${reason}`, { cause });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** A value as the JSON it becomes: members without a value (undefined) are gone. */
function jsonOf(value: unknown): JsonObject {
  const json: JsonObject = JSON.parse(JSON.stringify(value ?? {}));
  return json;
}
