import { defaultEndpoint } from "../../api/endpoint-name.ts";
import type { Case } from "../../dataset/case.ts";
import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { counted, number } from "../../report/words/quantity.ts";
import { AnswerSample, isTried, type Laxity, laxityOf, saying } from "../../score/laxity.ts";
import { type MadeScorer, makeScorers, runsCode } from "../../score/make.ts";
import type { Suite } from "../../suite/suite.ts";

/** What is known of the scorers of a suite when its sheet has been read, and nothing was sent. */
export interface SheetTrial {
  onCase: (found: Case) => void;
  watch: (pages: AsyncIterable<Case[]>) => AsyncGenerator<Case[]>;
  /** Scorers that pass the expected answers of other rows. */
  warnings: () => string[];
  /** Throws SUITE_INVALID where a stored answer leaves the range of a scorer. */
  checkRanges: () => void;
}

/** Nothing of a suite has to be tried. */
const nothingTried: SheetTrial = {
  onCase: () => {},
  watch: (pages) => passed(pages),
  warnings: () => [],
  checkRanges: () => {},
};

async function* passed(pages: AsyncIterable<Case[]>): AsyncGenerator<Case[]> {
  yield* pages;
}

/**
 * Tries the scorers that grade at once while the rows of a sheet pass by: with expected answers in the place of answers, and those
 * that have a range with the answers that the sheet holds. Memory does not grow with the rows.
 */
export async function openSheetTrial({ scorers, targets }: Pick<Suite, "scorers" | "targets">): Promise<SheetTrial> {
  const specs = scorers.filter((spec) => !runsCode(spec));
  const made = (await makeScorers(specs, { trust: null, timeoutMs: 0 })).filter(({ scorer }) => scorer.kind === "pure");
  const lax = made.filter(isTried);
  const ranged = made.flatMap((each) => (each.spec.range === undefined ? [] : [watchRange(each)]));
  if (lax.length === 0 && ranged.length === 0) return nothingTried;
  const endpoints = new Map(targets.map(({ name, endpoint }) => [name, endpoint]));
  const endpoint = targets[0]?.endpoint ?? defaultEndpoint;
  const sample = new AnswerSample();
  const onCase = (found: Case): void => {
    const { expected, stored = [] } = found;
    if (lax.length > 0 && expected !== null) {
      sample.add(() => saying({ case: found, endpoint }, expected), expected.length);
    }
    for (const { target, text } of ranged.length === 0 ? [] : stored) {
      if (text.trim() === "") continue;
      const answer = saying({ case: found, endpoint: endpoints.get(target) ?? endpoint, target }, text);
      for (const range of ranged) range.look(answer, found);
    }
  };
  return {
    onCase,
    async *watch(pages) {
      for await (const page of pages) {
        page.forEach(onCase);
        yield page;
      }
    },
    warnings: () =>
      lax.flatMap((each) => {
        const found = laxityOf(each, sample.kept);
        return found === null ? [] : (laxWords(each, found) ?? []);
      }),
    checkRanges() {
      const faults = ranged.flatMap(({ fault }) => fault() ?? []);
      const [first] = faults;
      if (first === undefined) return;
      throw new AppError("SUITE_INVALID", faults.map(({ message }) => message).join("\n"), { hint: first.hint });
    },
  };
}

/** Share of the expected answers of other rows above which a scorer that passes them is named. */
const mostConfused = 0.1;

function laxWords({ spec }: MadeScorer, { of, asked, passing, example, withinText }: Laxity): string | null {
  const isLax = of === "rows" ? passing > mostConfused * asked : passing * 2 > asked;
  if (!isLax || example === null) return null;
  const [said, wanted] = [JSON.stringify(example.answer), JSON.stringify(example.expected)];
  const advice = withinText ? "use `equals`" : "use one that asks for more, or raise its threshold";
  if (of === "stock") return `${spec.name} passes ${said} where ${wanted} is expected: ${advice}`;
  const why = withinText ? `${wanted} is contained in ${said}` : `${said} passes where ${wanted} is expected`;
  return `${spec.name}: ${why}: ${advice} (${number(passing)} of ${number(asked)} expected answers pass in a row that expects another one)`;
}

/** Counts the stored answers that leave the range of a scorer. */
function watchRange({ spec, scorer, applies }: MadeScorer) {
  const [min, max] = spec.range ?? [-Infinity, Infinity];
  let [seen, beyond, least, most] = [0, 0, min, max];
  let first: { row: string; value: number; target: string } | null = null;
  return {
    look(answer: Parameters<MadeScorer["applies"]>[0], { source }: Case): void {
      if (scorer.kind !== "pure" || !applies(answer)) return;
      const score = scorer.grade(answer);
      if ("unscored" in score) return;
      seen += 1;
      if (score.value >= min && score.value <= max) return;
      beyond += 1;
      [least, most] = [Math.min(least, score.value), Math.max(most, score.value)];
      first ??= { row: `${source.file}:${source.line} (row ${source.row})`, value: score.value, target: answer.target };
    },
    fault(): { message: string; hint: string } | null {
      if (first === null) return null;
      const message = `${first.row}: ${showText(spec.name)} of the stored answer of ${showText(first.target)} is ${first.value}, outside of its range: [${min}, ${max}]. ${number(beyond)} of ${counted(seen, "stored answer")} ${beyond === 1 ? "is" : "are"}.`;
      return { message, hint: `Write range: [${least}, ${most}] or wider, in the unit of the score.` };
    },
  };
}
