import { z } from "zod";
import { defineScorer } from "../contract/define.ts";
import { quote, verdict } from "../contract/finding.ts";
import { pathKey, valueReader } from "../contract/text-selection.ts";
import type { JsonValue } from "../../lib/json.ts";
import { durationMs, durationPattern } from "../../lib/duration.ts";
import type { Probe } from "./probe.ts";
import type { Answer, EffectScorer, Score } from "../contract/scorer.ts";

const keys = {
  on: pathKey
    .default("output_audio")
    .describe("Where the addresses are: a text or a list of texts. Default: output_audio."),
  types: z
    .array(z.string())
    .default(["audio/", "video/", "application/octet-stream", "application/ogg", "binary/octet-stream"])
    .describe(
      "What its content type may begin with; one that names none is accepted. Default: audio/, video/ and the general ones.",
    ),
  allow_private: z
    .boolean()
    .default(false)
    .describe(
      "Also ask addresses of this machine and of private networks. Default: false, they are refused, and the answer is unscored.",
    ),
  timeout: z
    .string()
    .regex(durationPattern, { error: "must be a duration such as 10s or 500ms" })
    .default("10s")
    .describe("Longest time for one address. Default: 10s."),
  concurrency: z.int().min(1).max(64).default(4).describe("Answers that are looked at at once. Default: 4."),
};
type Options = z.output<z.ZodObject<typeof keys>>;

export const audioScorers = [
  defineScorer({
    type: "audio-reachable",
    family: "service",
    about:
      "There is audio, and every address of it (http or https; redirects are checked like the first one) can be loaded. It asks the network; its scores are stored and not asked again.",
    forRows: false,
    keys,
    examples: [
      { about: "no audio at all", scorer: {}, answer: "Hello", score: "fails" },
      {
        about: "this machine is not asked",
        scorer: {},
        answer: { output_audio: ["http://127.0.0.1/a.mp3"] },
        score: { unscored: true },
      },
      {
        about: "nor another protocol",
        scorer: {},
        answer: { output_audio: ["file:///etc/passwd"] },
        score: { unscored: true },
      },
    ],
    make: (options) => audioReachable(options),
  }),
];

/** Addresses asked before: several repeats often share a file. */
const mostKept = 10_000;

function audioReachable(options: Options): EffectScorer {
  const read = valueReader(options.on);
  const limits = { allowPrivate: options.allow_private, timeoutMs: durationMs(options.timeout) ?? 10_000 };
  const asked = new Map<string, Promise<Probe>>();
  // Node's HTTP is loaded when an address is asked: it would double the time that a command takes to start.
  const probed = async (address: string): Promise<Probe> => (await import("./probe.ts")).probe(address, limits);
  const ask = (address: string): Promise<Probe> => {
    const known = asked.get(address) ?? probed(address);
    if (asked.size >= mostKept) asked.clear();
    asked.set(address, known);
    return known;
  };
  return {
    kind: "effect",
    concurrency: options.concurrency,
    grade: async (answer: Answer): Promise<Score> => {
      const addresses = addressesIn(read(answer));
      if (addresses.length === 0) return verdict(false, false, `there is no audio in ${options.on}`);
      let last = "";
      for (const address of addresses) {
        const found = await ask(address);
        if ("refused" in found) return { unscored: `${quote(address)}: ${found.refused}` };
        const fault = faultOf(found, options.types);
        if (fault !== null) return verdict(false, false, `${quote(address)}: ${fault}`);
        last = "status" in found ? `${found.status} ${found.type}` : "";
      }
      return verdict(true, false, `the audio can be loaded (${last.trim()})`);
    },
    close: async () => asked.clear(),
  };
}

function faultOf(found: Exclude<Probe, { refused: string }>, types: readonly string[]): string | null {
  if ("failed" in found) return found.failed;
  if (found.status < 200 || found.status > 299) return `the status is ${found.status}`;
  if (found.type !== "" && !types.some((type) => found.type.startsWith(type)))
    return `the content type is ${found.type}`;
  return found.length === 0 ? "the file is empty" : null;
}

function addressesIn(value: JsonValue | undefined): string[] {
  return [value ?? []].flat().flatMap((each) => (typeof each === "string" && each.trim() !== "" ? [each.trim()] : []));
}
