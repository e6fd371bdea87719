import { sessionField } from "../../api/session-field.ts";
import { type EndpointName, endpointNamed, endpointWord, isDescribed } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { compileBody } from "../../api/http/body-template.ts";
import { httpDescription, nameOfDescription } from "../../api/http/description.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { type Fault, type FaultPath, fault, keyFault } from "../fault.ts";
import { sendsHistory } from "../history.ts";

/** The endpoint that a suite names or describes soundly; null for anything else. */
export function endpointIn(written: unknown): EndpointName | null {
  if (typeof written === "string") return isDescribed(written) ? null : endpointNamed(written);
  const description = isJsonObject(written) ? httpDescription.safeParse(written) : null;
  if (description?.success !== true || templateFaults(description.data, nothingKnown, []).length > 0) return null;
  return nameOfDescription(description.data);
}

/** Finds faults in the endpoints of targets, judges and matrix: what is to run there, and the templates of those described. */
export function checkEndpoints(suite: Record<string, unknown>): Fault[] {
  const { targets, judges, matrix } = suite;
  const faults: Fault[] = [];
  for (const [section, entries] of Object.entries({ targets, judges })) {
    if (!isJsonObject(entries)) continue;
    for (const [name, entry] of Object.entries(entries)) {
      if (!isJsonObject(entry) || entry["answers"] !== undefined) continue;
      faults.push(...checkRuns(entry, [section, name], ["example_id", "model"]));
      faults.push(...checkMode(entry, [section, name]), ...checkHistoryKey(entry, [section, name]));
      faults.push(
        ...checkTemplates(entry, [section, name], section === "targets" ? fieldsOf(suite, entry) : nothingKnown),
      );
    }
  }
  if (!isJsonObject(matrix)) return faults;
  return [
    ...faults,
    ...checkRuns(withVaried(matrix), ["matrix"], ["example_ids", "models"]),
    ...checkMode(matrix, ["matrix"]),
    ...checkHistoryKey(matrix, ["matrix"]),
    ...checkTemplates(matrix, ["matrix"], fieldsOf(suite, matrix)),
  ];
}

/** A matrix with the configurations that it varies, as if they were listed. */
function withVaried(matrix: JsonObject): JsonObject {
  const { vary } = matrix;
  if (!isJsonObject(vary)) return matrix;
  const { example_id: ids, model: models } = vary;
  return { ...(ids !== undefined && { example_ids: ids }), ...(models !== undefined && { models }), ...matrix };
}

/** Each endpoint runs a thing of one kind, and says how it is called. */
function checkRuns(entry: JsonObject, path: FaultPath, keys: readonly [id: string, model: string]): Fault[] {
  const endpoint = endpointIn(entry["endpoint"]);
  if (endpoint === null) return [];
  const { runs } = endpointOf(endpoint);
  const [id, model] = keys;
  const needed = runs === null ? null : runs.key === "model" ? model : id;
  const word = endpointWord(endpoint);
  const faults = keys
    .filter((key) => key !== needed && entry[key] !== undefined)
    .map((key) => keyFault([...path, key], `${key} is not for the endpoint ${word}`, wayOut(needed)));
  if (needed === null || entry[needed] !== undefined) return faults;
  return [
    ...faults,
    fault(
      [...path, needed],
      "is required",
      `The endpoint ${word} needs it: the ${runs?.word ?? ""} that answers. A bot at an address of its own: tandem init SHEET --url ADDRESS.`,
    ),
  ];
}

/** Not every endpoint has an asynchronous form. */
function checkMode({ endpoint: written, mode }: JsonObject, path: FaultPath): Fault[] {
  const endpoint = endpointIn(written);
  if (mode === undefined || endpoint === null || endpointOf(endpoint).asyncForm !== null) return [];
  const message = `the endpoint ${endpointWord(endpoint)} has no asynchronous form`;
  return [fault([...path, "mode"], message, "Take the line out: its answers are waited for.")];
}

/** A service that is sent what was said before need not know it. */
function checkHistoryKey({ endpoint: written, history, body }: JsonObject, path: FaultPath): Fault[] {
  const endpoint = endpointIn(written);
  if (history === undefined || endpoint === null) return [];
  if (!sendsHistory({ endpoint, body: isJsonObject(body) ? body : {} })) return [];
  const message = `is for a service that is not sent what was said before, and the endpoint ${endpointWord(endpoint)} is`;
  const hint = isDescribed(endpoint)
    ? "Take the line out, or the history ($messages, $conversation) out of the endpoint."
    : "Take the line out.";
  return [fault([...path, "history"], message, hint)];
}

const wayOut = (needed: string | null): string =>
  needed === null ? "Its description says it all; take the line out." : `It needs ${needed}.`;

/** Fields of the cases of a target. */
interface KnownFields {
  /** Those that a template may use: mapped ones, and constants of the target; null where columns map themselves. */
  names: readonly string[] | null;
  /** Paths of those that hold files. */
  files: readonly string[];
}

const nothingKnown: KnownFields = { names: null, files: [] };

function fieldsOf({ case: mapping }: Record<string, unknown>, { body }: JsonObject): KnownFields {
  if (!isJsonObject(mapping)) return nothingKnown;
  const { input, turns, messages } = mapping;
  if (!isJsonObject(input) && turns === undefined && messages === undefined) return nothingKnown;
  const mapped = isJsonObject(input) ? Object.keys(input).map((field) => field.split(".")[0] ?? "") : [];
  const said = turns === undefined && messages === undefined ? [] : ["input_prompt"];
  const constants = Object.keys(isJsonObject(body) ? body : {});
  const files = Object.entries(isJsonObject(input) ? input : {}).filter(([, from]) => [from].flat().some(namesFile));
  return {
    names: [...new Set([...mapped, ...said, ...constants, "messages", "conversation"])],
    files: files.map(([field]) => field),
  };
}

const namesFile = (part: JsonValue): boolean => isJsonObject(part) && part["type"] === "file";

function checkTemplates({ endpoint }: JsonObject, path: FaultPath, cases: KnownFields): Fault[] {
  const description = isJsonObject(endpoint) ? httpDescription.safeParse(endpoint) : null;
  if (description?.success !== true) return [];
  const isNamed = description.data.session !== undefined && cases.names !== null;
  const known = isNamed ? { ...cases, names: [...(cases.names ?? []), sessionField] } : cases;
  return templateFaults(description.data, known, [...path, "endpoint"]);
}

type Description = ReturnType<typeof httpDescription.parse>;

function templateFaults(
  { path, query, form, multipart, body }: Description,
  known: KnownFields,
  place: FaultPath,
): Fault[] {
  const parts: [string, JsonValue | undefined][] = [
    ["path", path],
    ["query", query],
    ["form", form],
    ["multipart", multipart],
    ["body", body],
  ];
  return parts.flatMap(([name, value]) => textsIn(value, [...place, name])).flatMap((text) => textFaults(text, known));
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
