/** What becomes of the columns of a promptfoo test sheet that begin with two underscores. */
interface PromptfooSheet {
  /** `__description` and `__metadata:*`. */
  tags: { name: string; at: number }[];
  /** The one expectation of a row that is a text to be found in the answer; null when the sheet has none at all. */
  expected: ((cells: readonly string[]) => string) | null;
  /** What was read so far and has no counterpart. */
  remarks: () => string[];
}

const special =
  /^__(?:expected\d*|description|metadata:.+|threshold|prefix|suffix|metric|config:.+|provider.*|providerOutput)$/;

/** True for a column that means something to promptfoo. */
export function isPromptfooColumn(column: string): boolean {
  return special.test(column.trim());
}

/** True for the header of a promptfoo test sheet. */
export function isPromptfooSheet(header: readonly string[]): boolean {
  return header.some(isPromptfooColumn);
}

/** Reads a promptfoo test sheet by its header; null when it is none. */
export function promptfooSheet(header: readonly string[]): PromptfooSheet | null {
  if (!isPromptfooSheet(header)) return null;
  const columns = header.map((name, at) => ({ name: name.trim(), at })).filter(({ name }) => isPromptfooColumn(name));
  const expectations = columns.filter(({ name }) => /^__expected\d*$/.test(name));
  const tags = columns.flatMap(({ name, at }) => {
    const tag = name === "__description" ? "description" : /^__metadata:(.+?)(?:\[\])?$/.exec(name)?.[1];
    return tag === undefined ? [] : [{ name: tag, at }];
  });
  const without = columns.filter(({ name }) => /^__(?:threshold|prefix|suffix|metric|config|provider)/.test(name));
  const left = new Map<string, number>();
  const expected = (cells: readonly string[]): string => {
    for (const { name, at } of without) if ((cells[at] ?? "").trim() !== "") count(left, name);
    const written = expectations.map(({ at }) => readExpectation(cells[at] ?? "")).filter((each) => each !== null);
    const texts = written.filter(({ text }) => text !== null);
    for (const { type, text } of written) if (text === null) count(left, type);
    if (texts.length > 1) count(left, "several texts for one row");
    return texts.length === 1 ? (texts[0]?.text ?? "") : "";
  };
  return { tags, expected: expectations.length + without.length === 0 ? null : expected, remarks: () => remarks(left) };
}

function remarks(left: ReadonlyMap<string, number>): string[] {
  if (left.size === 0) return [];
  const listed = Array.from(left, ([what, rows]) => `${what} (${rows.toLocaleString("en")})`).join(", ");
  return [`Of this promptfoo sheet these have no counterpart in this version, and are not looked at: ${listed}`];
}

const typed = /^((?:not-)?[a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?\s*(?::([^]*))?$/;

/** Kinds of expectation whose value is a text that the answer should have. */
const textual = new Set(["equals", "contains", "icontains"]);

/** What promptfoo knows beside those; any other beginning is part of a plain text. */
const knownTypes =
  /^(?:not-)?(?:answer-relevance|bleu|classifier|contains-(?:all|any|json|sql|xml|html)|context-[a-z]+|cost|eval|factuality|fn|g-eval|gleu|grade|guardrails|icontains-(?:all|any)|is-[a-z-]+|javascript|latency|levenshtein|llm-rubric|meteor|model-graded-[a-z]+|moderation|perplexity(?:-score)?|pi|python|regex|rouge-[a-z]+|ruby|select-best|similar|starts-with|trace-[a-z-]+|webhook|word-count|equals|contains|icontains)$/;

/** One expectation: its type, and its text where that alone says it; null for an empty cell. */
function readExpectation(cell: string): { type: string; text: string | null } | null {
  const trimmed = cell.trim();
  if (trimmed === "") return null;
  if (trimmed.startsWith("file://")) return { type: "file://", text: null };
  const [, type = "", threshold, value] = typed.exec(trimmed) ?? [];
  if (textual.has(type) && value !== undefined) return { type, text: value.trim() };
  // One plain word alone, such as `cost`, is rather an answer; `is-json` needs no value.
  const isWhole = value !== undefined || threshold !== undefined || type.includes("-");
  if (isWhole && knownTypes.test(type)) return { type, text: null };
  return { type: "equals", text: cell };
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}
