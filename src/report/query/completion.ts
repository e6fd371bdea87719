import { shownOutcomes } from "../../api/outcomes.ts";
import { suggest } from "../../lib/suggest.ts";
import { folded } from "../../text/search-fold.ts";
import { sideFigures } from "../model/run-figures.ts";
import { queryName, queryValue } from "./query-text.ts";
import type { QueryFrame } from "./row-conditions.ts";
import { rowTerms, termNames } from "./row-terms.ts";

/** The names that a query may use, and the values of tags. */
export interface CompletionFrame extends QueryFrame {
  valuesOf: (tag: string) => readonly string[];
}

/** A way to go on with a query. */
export interface Continuation {
  /** Takes the place of what was typed of it. */
  text: string;
  about: string;
  /** Nothing can follow it but the next condition. */
  isWhole: boolean;
}

/** The ways to go on at a place in a query, and the part of it that each takes the place of. */
export interface QueryCompletion {
  from: number;
  to: number;
  continuations: Continuation[];
}

const mostShown = 10;

/** Finds the ways to go on with what stands before the caret: a name, or a value behind `name:` or `name@`. */
export function completionsAt(text: string, caret: number, frame: CompletionFrame): QueryCompletion {
  const [piece = ""] = /(?:[^\s()"']|"[^"]*"?)*$/u.exec(text.slice(0, caret)) ?? [];
  const sign = /^-(?=.)/u.test(piece) ? 1 : 0;
  const typed = piece.slice(sign);
  const from = caret - typed.length;
  const found = valuesBehind(typed, frame) ?? names(frame);
  return { from, to: caret, continuations: matching(found, typed) };
}

/** Null where no value is expected. */
function valuesBehind(typed: string, frame: CompletionFrame): Continuation[] | null {
  const at = /^(?:[\p{L}_][^\s:@="]*|"[^"]*")(?=[:@=])/u.exec(typed);
  if (at === null) return null;
  const [written] = at;
  const name = written.replaceAll('"', "");
  const rest = typed.slice(written.length);
  const term = written.startsWith('"') ? undefined : rowTerms.find((each) => each.name === name);
  const behind = (values: readonly string[], sign: string, about: string, isWhole: boolean): Continuation[] =>
    values.map((value) => ({ text: `${written}${sign}${queryValue(value)}`, about, isWhole }));
  if (rest.startsWith("@")) return term?.ofTarget === true ? behind(frame.targets, "@", term.about, false) : [];
  const sign = rest.startsWith("==") ? "==" : rest.slice(0, 1);
  if (term === undefined) return behind(frame.valuesOf(name), sign, `Tag ${name}`, true);
  if (term.ofMetric === true && sign === ":") {
    const figures = term.name === "change" ? sideFigures : [];
    return behind([...frame.metrics.map((metric) => metric.name), ...figures], ":", term.about, false);
  }
  if (term.kind === "choice") return behind(term.choices ?? shownOutcomes, sign, term.about, true);
  return [];
}

function names(frame: CompletionFrame): Continuation[] {
  const compared = frame.pairs.length > 0;
  const terms = rowTerms
    .filter(({ name }) => compared || !ofTwo.has(name))
    .map(({ name, kind, about, example }) => {
      const isWhole = kind === "flag";
      const asks = kind === "text" || kind === "choice" ? ":" : "";
      return { text: `${name}${asks}`, about: isWhole ? about : `${about}: ${example}`, isWhole };
    });
  const columns = frame.columns.filter((name) => !frame.tags.includes(name));
  return [...terms, ...own(frame.tags, "Tag of the rows"), ...own(columns, "Column of the sheet")];
}

function own(all: readonly string[], about: string): Continuation[] {
  return all.map((name) => ({ text: `${queryName(name, termNames)}:`, about, isWhole: false }));
}

/** Terms that are about two targets. */
const ofTwo: ReadonlySet<string> = new Set([
  "worse",
  "better",
  "different",
  "changed",
  "members",
  "change",
  "diff",
  "newly",
]);

/** Those that begin so first, then those that hold it; the very same is no way to go on, in quotes or not. */
function matching(all: readonly Continuation[], typed: string): Continuation[] {
  const wanted = bareOf(typed);
  const isClosed = /"[^"]*"$/u.test(typed);
  if (isClosed && all.some(({ text, isWhole }) => isWhole && bareOf(text) === wanted)) return [];
  const begin = all.filter(({ text }) => bareOf(text).startsWith(wanted));
  const within = all.filter((each) => !begin.includes(each) && wanted !== "" && bareOf(each.text).includes(wanted));
  const found = [...begin, ...within].filter(({ text, isWhole }) => !(isWhole && text === typed));
  const isWritten = all.some(({ text }) => text === typed);
  if (found.length > 0 || isWritten || wanted.length < 3) return found.slice(0, mostShown);
  const near = suggest(
    typed,
    all.map(({ text }) => text),
  );
  return all.filter(({ text }) => text === near);
}

const bareOf = (text: string): string => folded(text.replaceAll('"', ""));
