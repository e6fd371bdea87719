import { sessionField } from "../../api/session-field.ts";
import { descriptionIn, type EndpointName, endpointWord, isDescribed } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { compileBody } from "../../api/http/body-template.ts";
import { type HttpDescription, storedDescription } from "../../api/http/description.ts";
import { isJsonObject, type JsonValue } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { type Fault, type FaultPath, fault, keyFault } from "../../lib/fault.ts";
import { sendsHistory } from "../history.ts";
import { listKeys } from "../matrix/grid.ts";
import type { Sections } from "../schema/sections.ts";
import { fileFields } from "../sent-files.ts";

/** An endpoint that a suite names or describes; null where it does neither, or describes it by what is not Liquid. */
export function soundEndpoint(name: EndpointName | undefined): EndpointName | null {
  if (name === undefined) return null;
  const description = descriptionOf(name);
  return description === null || templateFaults(description, nothingKnown, []).length === 0 ? name : null;
}

const descriptionOf = (name: EndpointName): HttpDescription | null =>
  isDescribed(name) ? storedDescription.parse(JSON.parse(descriptionIn(name))) : null;

/** The keys of targets, judges and a matrix about the endpoint that they ask. */
type Asking = Pick<NonNullable<Sections["matrix"]>, "endpoint" | "mode" | "history" | "body">;

/** The things that run at an endpoint, and the keys that name them. */
interface Ran {
  example_id?: unknown;
  model?: unknown;
  keys: { example_id: string; model: string };
}

const ownKeys = { example_id: "example_id", model: "model" };

/** Finds faults in the endpoints of targets, judges and matrix: what is to run there, and the templates of those described. */
export function checkEndpoints({ targets = {}, judges = {}, matrix, case: mapping }: Sections): Fault[] {
  const ofTargets = Object.entries(targets).flatMap(([name, target]) =>
    target.answers === undefined
      ? checkAsking(target, ["targets", name], { ran: { ...target, keys: ownKeys }, mapping })
      : [],
  );
  const ofJudges = Object.entries(judges).flatMap(([name, judge]) =>
    checkAsking(judge, ["judges", name], { ran: { ...judge, keys: ownKeys }, mapping: undefined }),
  );
  if (matrix === undefined) return [...ofTargets, ...ofJudges];
  const { example_ids: ids, models, vary = {} } = matrix;
  const ran = { example_id: ids ?? vary["example_id"], model: models ?? vary["model"], keys: listKeys };
  return [...ofTargets, ...ofJudges, ...checkAsking(matrix, ["matrix"], { ran, mapping })];
}

function checkAsking(
  asking: Asking,
  path: FaultPath,
  { ran, mapping }: { ran: Ran; mapping: Sections["case"] },
): Fault[] {
  const { endpoint: name, mode, history, body = {} } = asking;
  const description = name === undefined ? null : descriptionOf(name);
  const ofTemplates =
    description === null
      ? []
      : templateFaults(description, fieldsOf(mapping, { body, description }), [...path, "endpoint"]);
  const endpoint = soundEndpoint(name);
  if (endpoint === null) return ofTemplates;
  const word = endpointWord(endpoint);
  const hasNoMode = mode !== undefined && endpointOf(endpoint).asyncForm === null;
  // A service that is sent what was said before need not know it.
  const needsNoHistory = history !== undefined && sendsHistory({ endpoint, body });
  return [
    ...checkRuns(endpoint, path, ran),
    ...(hasNoMode
      ? [
          fault(
            [...path, "mode"],
            `the endpoint ${word} has no asynchronous form`,
            "Take the line out: its answers are waited for.",
          ),
        ]
      : []),
    ...(needsNoHistory
      ? [
          fault(
            [...path, "history"],
            `is for a service that is not sent what was said before, and the endpoint ${word} is`,
            isDescribed(endpoint)
              ? "Take the line out, or the history ($messages, $conversation) out of the endpoint."
              : "Take the line out.",
          ),
        ]
      : []),
    ...ofTemplates,
  ];
}

/** Each endpoint runs a thing of one kind, and says how it is called. */
function checkRuns(endpoint: EndpointName, path: FaultPath, { keys, ...ran }: Ran): Fault[] {
  const { runs } = endpointOf(endpoint);
  const word = endpointWord(endpoint);
  const wayOut = runs === null ? "Its description says it all; take the line out." : `It needs ${keys[runs.key]}.`;
  const faults = (["example_id", "model"] as const)
    .filter((key) => key !== runs?.key && ran[key] !== undefined)
    .map((key) => keyFault([...path, keys[key]], `${keys[key]} is not for the endpoint ${word}`, wayOut));
  if (runs === null || ran[runs.key] !== undefined) return faults;
  const hint = `The endpoint ${word} needs it: the ${runs.word} that answers. A bot at an address of its own: tandem init SHEET --url ADDRESS.`;
  return [...faults, fault([...path, keys[runs.key]], "is required", hint)];
}

/** Fields of the cases of a target. */
interface KnownFields {
  /** Those that a template may use: mapped ones, and constants of the target; null where columns map themselves. */
  names: readonly string[] | null;
  /** Paths of those that hold files. */
  files: readonly string[];
}

const nothingKnown: KnownFields = { names: null, files: [] };

function fieldsOf(
  mapping: Sections["case"],
  { body, description }: { body: object; description: HttpDescription },
): KnownFields {
  const { input = null, turns, messages } = mapping ?? {};
  const isScript = turns !== undefined || messages !== undefined;
  if (input === null && !isScript) return nothingKnown;
  const mapped = Object.keys(input ?? {}).map((field) => field.split(".")[0] ?? "");
  const names = [
    ...mapped,
    ...(isScript ? ["input_prompt"] : []),
    ...Object.keys(body),
    "messages",
    "conversation",
    ...(description.session === undefined ? [] : [sessionField]),
  ];
  return { names: [...new Set(names)], files: fileFields({ input }) };
}

function templateFaults(description: HttpDescription, known: KnownFields, place: FaultPath): Fault[] {
  return (["path", "query", "form", "multipart", "body"] as const)
    .flatMap((name) => textsIn(description[name], [...place, name]))
    .flatMap((text) => textFaults(text, known));
}

interface PlacedText {
  text: string;
  place: FaultPath;
}

function textsIn(value: JsonValue | undefined, place: FaultPath): PlacedText[] {
  if (typeof value === "string") return [{ text: value, place }];
  if (Array.isArray(value)) return value.flatMap((part, index) => textsIn(part, [...place, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => textsIn(part, [...place, name]));
}

function textFaults({ text, place }: PlacedText, { names, files }: KnownFields): Fault[] {
  try {
    const { uses, alters } = compileBody(text);
    const unknown = uses
      .filter((field) => names?.includes(field) === false)
      .map((field) => {
        const hint =
          didYouMean(field, names ?? []) ??
          `Map it: case.input has ${(names ?? []).slice(0, -2).join(", ") || "nothing"}.`;
        return fault(place, `uses the field ${showText(field)}, which no case has`, hint);
      });
    const altered = files
      .filter((field) => alters.some((steps) => `${steps.join(".")}.`.startsWith(`${field}.`)))
      .map((field) => {
        const hint = `A file is put in when it is sent, and no template can look into it. Write {{ ${field} }}, or $${field} alone.`;
        return fault(place, `uses the field ${showText(field)}, which holds files, with a filter or in a tag`, hint);
      });
    return [...unknown, ...altered];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [fault(place, `is not Liquid: ${reason.replace(/, line:.*$/s, "")}`, null)];
  }
}
