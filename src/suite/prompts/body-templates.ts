import { asksInMessages, type BodyText, namesIn, templatesIn } from "../../api/body-templates.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { isJsonObject, type JsonValue } from "../../lib/json.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { type Fault, fault } from "../../lib/fault.ts";
import type { Suite, Target } from "../suite.ts";

/** True where every target that is asked asks something itself: its body has a prompt, or messages that end with one. */
export function askThemselves(targets: readonly Target[]): boolean {
  const asked = targets.filter(({ stored }) => stored === undefined);
  return asked.length > 0 && asked.every(({ body }) => hasPrompt(body["input_prompt"]) || asksInMessages(body));
}

const hasPrompt = (prompt: JsonValue | undefined): boolean => typeof prompt === "string" && isTemplate(prompt);

/** The names of columns and fields with which the templates of a target's requests are filled. */
export function namesAsked({ stored, ...target }: Target): string[] {
  if (stored !== undefined) return [];
  return templatesIn(target, "us").flatMap(({ text }) => (liquidFault(text) === null ? namesIn(text) : []));
}

/** Columns of a dataset, and fields of its cases. */
export interface TemplateNames {
  columns: ReadonlySet<string>;
  fields: ReadonlySet<string>;
}

/** Faults of templates that cannot be filled, whatever the rows are: no Liquid, or where no row is. */
export function templateFaults({ targets, judges }: Pick<Suite, "targets" | "judges">): Fault[] {
  const ofTargets = targets.flatMap((target) =>
    templatesIn(target, "us").flatMap(({ text, path }) => {
      const wrong = liquidFault(text);
      return wrong === null
        ? []
        : [faultAt(target, { path, at: wrong.at }, `is not Liquid: ${wrong.reason}`, literalBraces)];
    }),
  );
  const ofJudges = judges.flatMap((judge) =>
    templatesIn(judge, "us").map(({ path }) =>
      fault(
        ["judges", judge.name, "body", ...path],
        "is a template, and a judge has no row that fills it",
        literalBraces,
      ),
    ),
  );
  return [...ofTargets, ...ofJudges];
}

/** Advice about braces that are no template. */
export const literalBraces = "For braces that are sent as they are: {% raw %}{{name}}{% endraw %}.";

/** The reason why a text is not Liquid, and where, as `line:column`; null: it is. */
export function liquidFault(text: string): { reason: string; at: string } | null {
  try {
    namesIn(text);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const [place, line = "1", column = "1"] = /, line:(\d+), col:(\d+).*$/s.exec(reason) ?? [];
    return { reason: reason.replace(place ?? "", ""), at: `${line}:${column}` };
  }
}

/** Faults of templates that use what no row has, or what a service would fill with nothing. */
export function unknownNameFaults(suite: Pick<Suite, "targets" | "mapping">, known: TemplateNames): Fault[] {
  const all = [...new Set([...known.columns, ...known.fields])];
  return suite.targets.flatMap((target) => {
    if (target.stored !== undefined) return [];
    const unknown = templatesIn(target, "us").flatMap(({ text, path }) =>
      namesIn(text)
        .filter((name) => name !== "row" && !all.includes(name))
        .map((name) => {
          const has = `The dataset has: ${[...known.columns].map(shortName).join(", ")}.`;
          const message = `uses {{${name}}}, and there is no such column`;
          return faultAt(
            target,
            { path, at: placeIn(text, name) },
            message,
            `${didYouMean(name, all) ?? has} ${literalBraces}`,
          );
        }),
    );
    return [...unknown, ...notSent(target, suite, known)];
  });
}

const shortName = (name: string): string => (/^[\w ]{1,30}$/.test(name) ? name : showText(name));

/** Places of a prompt that its service fills from variables, of which none is sent. */
function notSent(target: Target, { mapping }: Pick<Suite, "mapping">, { columns }: TemplateNames): Fault[] {
  if (target.prompt === undefined) return [];
  const variables = isJsonObject(target.body["variables"]) ? Object.keys(target.body["variables"]) : [];
  const mapped = Object.keys(mapping.input ?? {});
  if (mapped.includes("variables")) return [];
  const sent = new Set([...variables, ...mapped.map((field) => field.replace(/^variables\./, ""))]);
  return templatesIn(target, "service")
    .filter(({ text, path }) => isOfPrompt(target, path) && liquidFault(text) === null)
    .flatMap(({ text, path }) =>
      namesIn(text)
        .filter((name) => columns.has(name) && !sent.has(name))
        .map((name) => {
          const message = `uses {{${name}}}, which the service fills from variables, and no variable of that name is sent`;
          const hint = `Map the column: case.input needs \`variables.${name}: ${name}\`; or have tandem fill it: \`prompt_field: input_prompt\`.`;
          return faultAt(target, { path, at: placeIn(text, name) }, message, hint);
        }),
    );
}

/** True for a path into the body where the prompt of the target stands. */
function isOfPrompt({ prompt, promptField, endpoint }: Target, path: BodyText["path"]): boolean {
  if (prompt === undefined) return false;
  const { promptField: fieldOf } = endpointOf(endpoint);
  const fields = promptField === undefined ? [fieldOf("question"), fieldOf("instructions"), "messages"] : [promptField];
  return fields.some((field) => field !== null && `${path.join(".")}.`.startsWith(`${field}.`));
}

/** A fault of a template: where the suite writes it, or names its prompt file, with line and column there. */
function faultAt(
  target: Target,
  { path, at }: Pick<BodyText, "path"> & { at: string },
  message: string,
  hint: string,
): Fault {
  if (!isOfPrompt(target, path)) return fault(["targets", target.name, "body", ...path], message, hint);
  const place = path.length > 1 ? target.prompt : `${target.prompt}:${at}`;
  return fault(["targets", target.name, "prompt"], `${place} ${message}`, hint);
}

/** `line:column`, from 1, of the first place of a template that uses a name. */
export function placeIn(text: string, name: string): string {
  const tags = [...text.matchAll(/\{[{%][^]*?(?:[%}]\}|$)/g)];
  const tag = tags.find(([inside]) => inside.includes(name)) ?? tags[0];
  const before = text.slice(0, tag?.index ?? 0);
  return `${before.split("\n").length}:${before.length - before.lastIndexOf("\n")}`;
}
