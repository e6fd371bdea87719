import { type CandidateSummary, candidateSummary, type PairSide } from "./summary/candidate-summary.ts";
import { candidateTally } from "./tallies/candidate-tally.ts";
import { type CaseComparison, compareRead, type PairedResult } from "./cases/case-comparison.ts";
import type { Difference } from "./cases/difference.ts";
import { type ReadSide, readSide } from "./cases/case-side.ts";
import { type CandidateVerdict, candidateVerdicts, wordOfAll } from "./summary/candidate-verdict.ts";
import type { Confirmation } from "./summary/confirmation.ts";
import type { NextLook, GateFacts } from "./verdict/facts.ts";
import type { AskedGate } from "./verdict/kind.ts";
import { type GateState, topWord, type VerdictWord, wordFacts } from "./verdict-word.ts";
import { decideGates } from "./verdict/decide.ts";
import { type ComparisonPlan, labelled, primaryPlace } from "./comparison-plan.ts";
import { type BestOfMany, choiceOf, type ChoiceSettings, choiceWord, invalidChoice } from "./choice/choice.ts";
import { raceChoice } from "./choice/race-choice.ts";
import type { RaceStanding } from "./choice/race-watch.ts";
import { choiceTally } from "./choice/choice-tally.ts";
import { windowAlpha } from "../stats/planning/nights.ts";
import { type TargetSummary, targetTally } from "./tallies/target-tally.ts";
import { groupTally, type OpenColumns } from "./tallies/group-columns.ts";
import type { Belonging } from "./tallies/questions.ts";
import type { StopRule } from "./stop-rule.ts";
import type { ChosenRows, GateCause, PartsCause, NotCompared, OtherJudge, ValidityCause } from "./cause.ts";
import { validityOf, validityOfTargets, type Validity } from "./summary/validity.ts";
import type { LostTag } from "./summary/lost-tags.ts";
import { type WorseMetric, worseMetrics } from "./summary/worse.ts";

/** The result of a batch: a summary whose size does not depend on the number of cases. Plain JSON. */
export interface Comparison {
  cases: number;
  /** The target that all candidates are compared with; null when nothing is compared, or each with another. */
  baseline: string | null;
  targets: TargetSummary[];
  candidates: CandidateSummary[];
  /** Null without a case; where nothing is compared, only whether the targets answered. */
  validity: Validity | null;
  gates: GateFacts[];
  /** Metrics and values of tags that are surely worse, with a gate or without: the most important first. Empty where the comparison is invalid. */
  worse: WorseMetric[];
  /** Values of tags that lost everything, by each metric: they change no verdict, and are told beside it. Empty where the comparison is invalid. */
  lostTags: LostTag[];
  /** The worst of the gates: a regression, even where another candidate is invalid; else invalid, whatever they say. Null when there is no metric to decide by; where nothing is compared, null or invalid. */
  verdict: GateState | null;
  /** The same as it is said: the word that matters most of those of the candidates. Null as the verdict is. */
  word: VerdictWord | null;
  /** The verdict of each candidate, in their order. */
  verdicts: CandidateVerdict[];
  /** The best of the targets that are compared. */
  choice?: BestOfMany;
  decision: Decision;
  /** A run that could stop when it was decided; null: it was to be run to its end. */
  stopping: Stopping | null;
  /** Left out: no regression was asked once more. */
  confirmation?: Confirmation;
  /** Names of the dataset's columns, in the order in which they were met. */
  columns: string[];
}

/** The end of a run that could stop when it was decided. */
interface Stopping {
  /** Cases of the plan, and those after which it was decided; null: it was not. */
  cases: number;
  decidedAfter: number | null;
  /** Jobs that were not sent, and their price; null: not known, or there are none. */
  spared: number;
  saved: number | null;
  /** Jobs are left that were not spared: it was interrupted. */
  isOpen: boolean;
  /** It goes on only with the suite file, of which its gates take code. */
  needsSuite: boolean;
}

/** The rules of the verdict: with the same ones it is made again bit for bit. */
interface Decision {
  /** Share of false alarms in one comparison: the share for several nights is divided among them. */
  alpha: number;
  nights: number;
  maxErrorShare: number;
  /** Seed of every random draw. */
  seed: string;
  /** Metrics that are not compared, and why. */
  notCompared: NotCompared[];
  /** Which look at this comparison it is; left out where looks are not counted: nights, pins, and the first where one is declared. */
  look?: Look;
}

/** A look at a comparison that was, or may be, looked at more than once. */
export interface Look {
  /** From 1. The earlier ones were open or bad, and their answers can be of the same bots. */
  number: number;
  /** Names of the batches of the earlier ones, the oldest first. */
  earlier: string[];
  /** Looks that the suite declares (`looks: 2`), a second that this run is told as (`--second-look`), or neither. */
  by: "suite" | "flag" | null;
  /** Why the level of a second look that was declared is not kept; null: it is. */
  broken: string | null;
}

/** A baseline that an earlier run chose as the best of several by the same cases: equal bots look worse beside it. */
export interface ChosenBaseline {
  baseline: string;
  /** Name of the batch that chose it, and among how many. */
  batch: string;
  of: number;
}

/** Parts of a run that a batch lacks. */
export interface MissingPart extends PartsCause {
  /** They are missing on purpose: it is told, and the comparison counts. */
  isAllowed: boolean;
}

/** The pairs that are compared, and the rules. */
export interface ComparisonSettings extends ComparisonPlan, Omit<Decision, "notCompared"> {
  notCompared: readonly NotCompared[];
  /** Several cases may be of one cluster, such as the turns of a conversation. */
  clustered: boolean;
  /** The column by which they are, where they are no turns of a conversation; else null. */
  clusterColumn: string | null;
  /** The suite says that every row is its own (`cluster: false`), whatever it asks. */
  isIndependent?: boolean;
  /** Columns that the suite uses for nothing, by which rows may belong together. Left out, or where clusters are named: none is looked at. */
  openColumns?: OpenColumns;
  /** The baseline was run before and stays as it is. */
  fixedBaseline: boolean;
  /** The candidates' batches hold a selection of the dataset. */
  selected: boolean;
  /** Gates that nothing is known of: the comparison is invalid. */
  undecided: readonly ValidityCause[];
  /** Judges that have changed between the grades of two sides: the comparison is invalid. */
  otherJudges?: readonly OtherJudge[];
  /** Parts of a run that a side's batches lack (`--shard`): the comparison is invalid, unless they are missing on purpose. */
  missingParts?: readonly MissingPart[];
  /** The run could stop when it was decided; null: everything was looked at once, when it was in. */
  stop: StopRule | null;
  /** Why the cases at hand were chosen by what was seen in them, so that nothing is claimed of them; null: they were not. */
  chosen: ChosenRows | null;
  /** The targets of a batch, which are the same bot on purpose. */
  isSameBot?: boolean;
  /** The baseline was chosen by the same cases. */
  chosenBaseline?: ChosenBaseline;
  /** The best of all that are compared is asked for. */
  choice?: ChoiceSettings;
  /** The targets race for it, and what has come of that. */
  race?: RaceStanding;
  /** Level of a look after this one; null: none is offered. Left out: the same again. */
  nextAlpha?: number | null;
}

/** Compares case by case; memory stays flat but for a few numbers of each case. Take the summary after the last case. */
export interface ComparisonStream {
  /** Compares a case and counts it. */
  add: (result: PairedResult) => CaseComparison;
  summary: () => Comparison;
}

export function comparisonStream(settings: ComparisonSettings): ComparisonStream {
  const targets = settings.sides.map((side) => targetTally(side, settings));
  const belonging = belongingOf(settings);
  const choosing = choiceStream(settings, belonging);
  // Where nothing is compared nothing is judged by them.
  const looksForGroups = settings.pairs.length > 0 && belonging === "open";
  const groups = settings.openColumns !== undefined && looksForGroups ? groupTally(settings.openColumns) : null;
  const tallies = settings.pairs.map(({ drawn }) =>
    candidateTally(settings, settings.clustered, belonging, { groups, drawn }),
  );
  const columns = new Set<string>();
  const clusterOf = clusterNumbers(settings.clustered);
  let cases = 0;

  /** The place of a case, where it counts of a side as well. */
  const placeWith = (place: number | null | undefined, side: number): number | null | undefined =>
    typeof place === "number" && place >= (settings.stop?.countedTo?.[side] ?? Infinity) ? null : place;
  const add = (result: PairedResult): CaseComparison => {
    const read = settings.sides.map((side) => readSide(result, side, settings.metrics));
    const compared = compareRead(result, read, settings);
    const cluster = clusterOf(result.cluster);
    const place = settings.stop?.placeOf(result.caseId);
    // Another input of a key is no case more.
    if ((result.variant ?? 0) === 0) cases += 1;
    for (const name of Object.keys(result.columns)) columns.add(name);
    const row = groups?.add(result);
    if ((result.variant ?? 0) === 0 && place !== null) choosing?.add(result, read, cluster);
    targets.forEach((tally, at) => {
      const own = read[at];
      if (own !== undefined) tally.add(result, own, { cluster, isCounted: placeWith(place, at) !== null });
    });
    settings.pairs.forEach(({ baseline, candidate }, at) => {
      const from = read[baseline];
      const to = read[candidate];
      const difference = compared.differences[at];
      if (from === undefined || to === undefined || difference === undefined) return;
      const pair = { baseline: from, candidate: to };
      const own = placeWith(placeWith(place, baseline), candidate);
      if (own === null) leaveOut(difference);
      tallies[at]?.add({
        result,
        compared,
        from: from.side,
        to: to.side,
        read: pair,
        difference,
        cluster,
        place: own,
        ...(row !== undefined && { at: row }),
      });
    });
    return compared;
  };

  return {
    add,
    summary() {
      const compared = settings.pairs.flatMap(({ baseline, candidate }, place) => {
        const sideAt = (at: number): PairSide => {
          return { target: settings.sides[at]?.target ?? "", shape: targets[at]?.shape() ?? null };
        };
        const results = tallies[place]?.results();
        return results === undefined
          ? []
          : [
              candidateSummary(
                results,
                { baseline: sideAt(baseline), candidate: sideAt(candidate) },
                rulesOf(settings),
              ),
            ];
      });
      const candidates = compared.map(({ summary }) => summary);
      const sums = { cases, targets: targets.map((tally) => tally.summary()), candidates };
      const questions = compared.map((each) => each.questions);
      const stopping = stoppingOf(sums.targets, settings.stop);
      const choice = choosing?.choice() ?? null;
      const lost = compared.flatMap((each) => each.lostTags);
      // A choice without gates compares all with all: no side of it has lost anything.
      const lostTags = choice !== null && questions.every((own) => own.length === 0) ? [] : lost;
      const verdict = verdictOf({ ...sums, lostTags, ...(choice !== null && { choice }) }, questions, settings);
      const isValid = verdict.validity?.state === "valid";
      const told = choice === null || isValid ? choice : invalidChoice(choice);
      const found = { ...sums, ...verdict, ...(told !== null && { choice: told }) };
      return { ...found, lostTags: isValid ? lostTags : [], stopping, columns: Array.from(columns) };
    },
  };
}

/** An answer that was in flight when it was decided is kept, and compared with nothing: no list counts more than the verdict. */
function leaveOut(difference: Difference): void {
  difference.change = "not-compared";
  difference.turn = null;
  difference.flips = [];
}

/** Collects what is chosen by: the primary metric of all sides that are compared; null where nothing is chosen. */
function choiceStream(settings: ComparisonSettings, belonging: Belonging) {
  const { choice, metrics, sides, pairs, seed } = settings;
  const place = primaryPlace(metrics);
  const compared = metrics[place];
  if (choice === undefined || compared === undefined) return null;
  const taking = new Set(pairs.flatMap(({ baseline, candidate }) => [baseline, candidate]));
  const { race } = settings;
  const isLeft = (target: string): boolean =>
    race?.configurations.find((each) => each.target === target)?.droppedAfter === null;
  // Those that were dropped were asked other cases.
  const places = sides.flatMap(({ target }, at) =>
    taking.has(at) && (race === undefined || race.isWhole || isLeft(target)) ? [at] : [],
  );
  const targets = places.map((at) => sides[at]?.target ?? "");
  const tally = choiceTally({ compared, place }, { configurations: places.length, belonging });
  return {
    add(result: PairedResult, read: readonly ReadSide[], cluster: number): void {
      const own = places.flatMap((at) => read[at] ?? []);
      tally.add(result, own, cluster);
    },
    choice: () =>
      race === undefined
        ? choiceOf(tally.numbers(), { compared, targets, seed, ...choice })
        : raceChoice(tally.numbers(), race, { compared, targets, expected: choice.expected }),
  };
}

function stoppingOf(targets: readonly TargetSummary[], stop: StopRule | null): Stopping | null {
  if (stop === null) return null;
  const saved = targets.flatMap((target) => target.saved ?? []);
  return {
    cases: stop.planned,
    decidedAfter: stop.decidedAfter,
    spared: targets.reduce((sum, target) => sum + target.spared, 0),
    saved: saved.length === 0 ? null : saved.reduce((sum, each) => sum + each, 0),
    isOpen: targets.some(({ unfinished }) => unfinished > 0),
    needsSuite: stop.needsSuite,
  };
}

function belongingOf({ clustered, clusterColumn, isIndependent }: ComparisonSettings): Belonging {
  if (clustered) return clusterColumn === null ? "turns" : "column";
  return isIndependent === true ? "independent" : "open";
}

/** Numbers clusters as they are met. Where every case is its own nothing has to be remembered. */
function clusterNumbers(clustered: boolean): (name: string) => number {
  const known = new Map<string, number>();
  let next = 0;
  return (name) => {
    if (!clustered) return next++;
    const code = known.get(name) ?? known.size;
    known.set(name, code);
    return code;
  };
}

function rulesOf(settings: ComparisonSettings) {
  const { alpha, nights, seed, fixedBaseline, clusterColumn, stop, chosen, nextAlpha } = settings;
  const next = nextAlpha === undefined ? undefined : nextLook(nextAlpha, settings.look);
  const passAlpha = windowAlpha(alpha, nights);
  const rules = { alpha, passAlpha, seed, fixedBaseline, clusterColumn, stop, chosen };
  return { comparisonPlan: settings, ...rules, ...(next !== undefined && { next }) };
}

/** The way to set the level of the look after this one; null: none is offered. */
function nextLook(alpha: number | null, look: Look | undefined): NextLook | null {
  if (alpha === null) return null;
  return { alpha, by: look === undefined ? "alpha" : look.by === "suite" ? "suite" : "flag" };
}

type Verdict = Pick<
  Comparison,
  "baseline" | "validity" | "gates" | "worse" | "verdict" | "word" | "verdicts" | "decision"
>;

function verdictOf(
  sums: Pick<Comparison, "cases" | "targets" | "candidates" | "choice" | "lostTags">,
  asked: readonly AskedGate[][],
  settings: ComparisonSettings,
): Verdict {
  const { alpha, nights, maxErrorShare, seed, notCompared, selected, undecided, missingParts = [] } = settings;
  const missing = missingParts.flatMap(({ isAllowed, ...parts }) => (isAllowed ? [] : [parts]));
  const look = settings.look === undefined ? {} : { look: settings.look };
  const decision: Decision = { alpha, nights, maxErrorShare, seed, notCompared: [...notCompared], ...look };
  if (sums.candidates.length === 0) return { ...withoutPairs(sums, { maxErrorShare, missing }), decision };
  // A target that nothing is compared with takes nothing away from the others.
  const taking = new Set(sums.candidates.flatMap(({ candidate, baseline }) => [candidate, baseline]));
  const targets = sums.targets.filter(({ target }) => taking.has(target));
  const { sides } = settings;
  const batchesOf = new Map(sides.map(({ target, label = target, batches = [] }) => [label, batches]));
  const rules = { maxErrorShare, selected, undecided, missing, batchesOf, otherJudges: settings.otherJudges ?? [] };
  const validity = validityOf({ ...sums, ...labelled({ ...sums, targets }, sides), ...rules });
  const questions = sums.candidates.flatMap((candidate, place) => {
    // A candidate that is down does not take away what is known of the others.
    const both = sums.targets.filter(({ target }) => target === candidate.candidate || target === candidate.baseline);
    const own = validityOf({ ...sums, ...labelled({ targets: both, candidates: [candidate] }, sides), ...rules });
    const invalid = own.state === "valid" ? null : (own.reasons[0] ?? null);
    return (asked[place] ?? []).map((gate) => {
      gate.basis.invalid = invalid ?? gate.basis.invalid ?? whyNotCompared(gate, settings);
      return gate;
    });
  });
  const gates = decideGates(questions, { alpha, passAlpha: windowAlpha(alpha, nights) });
  const baselines = new Set(sums.candidates.map(({ baseline }) => baseline));
  const [baseline = null] = baselines.size === 1 ? baselines : [];
  const worse = validity.state === "valid" ? worseMetrics(sums.candidates, gates) : [];
  const chosen = sums.choice === undefined ? {} : { choice: sums.choice };
  const { candidates, lostTags } = sums;
  const found = { candidates, gates, worse, validity, lostTags, ...chosen };
  return { baseline, validity, gates, worse, ...concluded(found), decision };
}

/** The verdict that gates and a choice come to, in words and as a state. */
export function concluded({
  candidates,
  gates,
  worse,
  validity,
  lostTags,
  choice,
}: Pick<Comparison, "candidates" | "gates" | "worse" | "validity" | "lostTags" | "choice">): Pick<
  Comparison,
  "verdict" | "word" | "verdicts"
> {
  const verdicts = candidateVerdicts(candidates, gates, worse, lostTags);
  const decided = wordOfAll(verdicts, gates);
  const found = topWord([decided ?? [], choice === undefined ? [] : choiceWord(choice)].flat());
  const word = validity?.state === "valid" || decided === "regression" ? found : "invalid";
  return { word, verdict: word === null ? null : wordFacts(word).state, verdicts };
}

/** Where nothing is compared there is still something to rely on: that the targets answered. */
function withoutPairs(
  { cases, targets }: Pick<Comparison, "cases" | "targets">,
  rules: { maxErrorShare: number; missing: readonly PartsCause[] },
) {
  const validity = cases === 0 ? null : validityOfTargets(targets, rules);
  const verdict = validity?.state === "invalid" ? ("invalid" as const) : null;
  return { baseline: null, validity, gates: [], worse: [], verdict, word: verdict, verdicts: [] };
}

/** Finds the reason why a metric has no case to compare, where it is known. */
function whyNotCompared({ basis, facts }: AskedGate, { notCompared }: ComparisonSettings): GateCause | null {
  const why = basis.empty === null ? undefined : notCompared.find(({ metric }) => metric === facts.metric);
  return why === undefined ? null : { kind: "not-compared", why };
}
