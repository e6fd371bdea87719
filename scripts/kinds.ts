import { endpointNames } from "../src/api/endpoint-name.ts";
import { otherEnds, outcomeKinds } from "../src/api/outcomes.ts";
import { gateKinds } from "../src/suite/gate-settings.ts";

/** Kinds that stand in one list. Whoever needs some of them asks the list for a fact, never for a name. */
export interface KindList {
  /** What they are kinds of. */
  of: string;
  /** Finds each place that asks for a name, or writes some of the list out again. */
  asks: RegExp;
  /** Texts that it finds. */
  examples: readonly string[];
  /** Files that may: the list itself, and those that say which of the kinds something is. */
  homes: readonly string[];
}

const quoted = (names: readonly string[]): string => `["'\`](?:${names.join("|")})["'\`]`;

function endpoints(): KindList {
  const name = quoted(endpointNames);
  return {
    of: "endpoints",
    asks: new RegExp(`[!=]==? ${name}|${name} [!=]==?|case ${name}:|\\.(?:includes|has)\\(${name}\\)`, "g"),
    examples: [`endpoint === "${endpointNames[0]}"`],
    homes: [],
  };
}

function outcomes(): KindList {
  const name = quoted([...outcomeKinds, ...Object.keys(otherEnds)]);
  // "ok" alone may be asked for: whether there is a run record is what an outcome says first of all.
  const failing = name.replace("|ok", "");
  const asked = `\\b(?:outcome|kind|\\w*Outcome)\\)? [!=]==? ${failing}|switch \\((?:\\w+\\.)*(?:outcome|kind)\\) \\{\\s*case ${name}:`;
  const listed = `${name}(?:, ?|\\s*\\|+\\s*|,?\\n\\s*|: [^\\n]*\\n\\s*(?:case )?)(?:\\w+(?:\\.\\w+)* === )?${name}`;
  return {
    of: "outcomes",
    asks: new RegExp(`${asked}|${listed}`, "g"),
    examples: [
      'kind === "ambiguous"',
      "outcome IN ('held', 'in-doubt')",
      'new Set(["run-failed", "throttled"])',
      'switch (outcome.kind) {\n    case "ok":',
    ],
    homes: [
      "api/outcomes.ts",
      // What an answer means is decided there, and in these words of what nobody answered.
      "client/classify.ts",
      "client/failure.ts",
      "compare/cases/side-outcome.ts",
      // It enters the one or the other.
      "store/journal/doubt.ts",
    ],
  };
}

function gates(): KindList {
  const name = quoted(Object.keys(gateKinds));
  return {
    of: "gates",
    // The advice of a margin's gate has a kind of its own.
    asks: new RegExp(
      `(?<!settle\\.)\\bkind [!=]==? ${name}|switch \\((?!settle)(?:\\w+\\.)*kind\\) \\{\\s*case ${name}:|${name} in \\b`,
      "g",
    ),
    examples: ['gate.kind === "losses" ? a : b', 'if ("margin" in gate)', 'switch (kind) {\n  case "cases":'],
    // What asks whether a gate has a margin stands beside the list; a kind's own file may name it.
    homes: ["compare/comparison-plan.ts", "compare/tallies/tries-tally.ts"],
  };
}

export const kindLists: readonly KindList[] = [endpoints(), outcomes(), gates()];

/** The places outside the homes of a list that ask for its kinds by name. `texts`: files under `src`, with what is in them. */
export function placesThatAsk({ asks, homes }: KindList, texts: ReadonlyMap<string, string>): string[] {
  return [...texts]
    .filter(([file]) => !homes.includes(file))
    .flatMap(([file, text]) => [...withoutComments(text).matchAll(asks)].map(([place]) => `${file}: ${place}`));
}

/** The homes in which no kind is named: they need not be any. */
export function idleHomes({ asks, homes }: KindList, texts: ReadonlyMap<string, string>): string[] {
  return homes.slice(1).filter((file) => !withoutComments(texts.get(file) ?? "").match(asks));
}

const withoutComments = (text: string): string => text.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, "");
