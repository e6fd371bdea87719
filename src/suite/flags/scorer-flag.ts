import { parseDocument } from "yaml";
import { defaultEndpoint, descriptionIn, type EndpointName, isDescribed } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { AppError } from "../../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { scorerOfType } from "../../score/registry.ts";
import { scorerSpecs } from "../../score/contract/spec.ts";
import { suiteFaults } from "../check/cross-check.ts";
import { withScorerJudges } from "../scorer-judges.ts";
import { suiteFile } from "../schema/schema.ts";
import type { Suite } from "../suite.ts";

/** A scorer on the command line: its type (`contains`), or a mapping as in a suite (`{type: words, max: 80}`). Raises USAGE. */
export function scorerFromFlag(text: string): JsonObject {
  if (/^[a-z\d-]+$/.test(text)) return withoutCode({ type: text });
  const document = parseDocument(text);
  const value: unknown = document.errors.length === 0 ? document.toJS() : null;
  if (text.trimStart().startsWith("{") && isJsonObject(value)) return withoutCode(value);
  throw new AppError("USAGE", `--scorer takes a type or a mapping in braces; got ${showText(text)}.`, {
    hint: 'For example: --scorer contains, or --scorer "{ name: short, type: length, max: 300 }"',
  });
}

function withoutCode(entry: JsonObject): JsonObject {
  const type = typeof entry["type"] === "string" ? scorerOfType(entry["type"]) : null;
  if (type?.runsCode !== true) return entry;
  throw new AppError("CODE_REFUSED", `--scorer ${type.type} ${type.readsOnly ? "reads a file" : "runs code"}.`, {
    hint: "Only a suite file may run code or read files: write the scorer into one, and name the file.",
  });
}

/** A suite with further scorers from the command line. They are checked beside its own; USAGE names the flag. */
export function withScorers(suite: Suite, texts: readonly string[]): Suite {
  const own = suite.scorers.map(({ name, type, options }) => ({ ...options, name, type }));
  const added = texts.map(scorerFromFlag);
  const file = { ...placeFor(suite), scorers: [...own, ...added] };
  const faults = suiteFaults(file).filter(({ path }) => path[0] === "scorers");
  if (faults.length > 0) {
    const lines = faults.map(({ path: [, place, key], message, hint }) => {
      const flag = scorerFlag(Number(place) - own.length, key);
      return `${flag} ${message}${hint === null ? "" : `. ${hint}`}`;
    });
    throw new AppError("USAGE", [...new Set(lines)].join("\n"));
  }
  const specs = scorerSpecs(suiteFile.parse(file).scorers ?? []).slice(own.length);
  const { scorers, judges } = withScorerJudges(specs, suite);
  return { ...suite, judges, scorers: [...suite.scorers, ...scorers] };
}

/** The name of a scorer's place on the command line: the number of the flag, and the key in its braces. */
export function scorerFlag(place: number, key: string | number | undefined): string {
  return `--scorer ${place + 1}${key === undefined ? "" : ` (${key})`}`;
}

/** The names that a scorer may refer to, in the form of a suite file. */
function placeFor({ judges, deployments: places }: Suite): JsonObject {
  const asked = judges.map(({ name, deployment, endpoint, exampleId }) => [
    name,
    { deployment, ...writtenEndpoint(endpoint, exampleId) },
  ]);
  const names = ["any", ...places.map(({ name }) => name)];
  const deployments = Object.fromEntries(names.map((name) => [name, { base_url: "local:." }]));
  const matrix = { deployments: ["any"], endpoint: defaultEndpoint, example_ids: ["any"] };
  return { dataset: "-", deployments, matrix, ...(asked.length > 0 && { judges: Object.fromEntries(asked) }) };
}

/** An endpoint and what runs there, as a suite file has them. */
function writtenEndpoint(endpoint: EndpointName, ran: string): JsonObject {
  const { runs } = endpointOf(endpoint);
  // We wrote the description ourselves, from a checked one.
  const written: JsonValue = isDescribed(endpoint) ? JSON.parse(descriptionIn(endpoint)) : endpoint;
  return { endpoint: written, ...(runs !== null && { [runs.key]: ran }) };
}
