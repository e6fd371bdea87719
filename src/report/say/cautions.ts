import type { ReportTarget } from "../shape/target.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import { causeSentence, notComparedWords } from "./causes.ts";
import type { CandidateSummary } from "../../compare/summary/candidate-summary.ts";
import type { ChosenBaseline, Comparison, MissingPart } from "../../compare/comparison.ts";
import { nightlyFalseAlarm } from "../../stats/planning/nights.ts";
import { decimal, shareFigure } from "./figures.ts";
import type { PairingSummary } from "../../compare/tallies/pairing-tally.ts";
import type { LimitFound } from "../../store/results/limits-found.ts";
import type { StoredOutage } from "../../store/results/outages.ts";
import { besideWords, type UnreadExpected, unreadWords } from "./scorers.ts";
import { counted, duration, number, price } from "./quantity.ts";
import { statusWords } from "../../lib/status-words.ts";
import type { JudgeWatch } from "../shape/judge-watch.ts";
import { watchWords } from "./judges.ts";
import { clockLabel, dayLabel, momentLabel, nightLabel, timeLabel } from "./night-names.ts";

/** A judge that stands in for one that nobody named. */
export interface StandInJudge {
  judge: string;
  scorers: readonly string[];
}

interface Options {
  /** The baseline was run before and stays as it is, as a pin. */
  fixedBaseline?: boolean;
  /** Changes of the batch after it was planned. */
  changes?: readonly string[];
  /** Times in which a service was away while the batch ran. */
  outages?: readonly StoredOutage[];
  /** Limits of requests that were found while it ran. */
  limits?: readonly LimitFound[];
  /** Parts of a run that a batch lacks; those that make it invalid are told by the verdict. */
  missingParts?: readonly MissingPart[];
  /** Targets that are answered by the bot that tandem makes of the sheet. */
  standIns?: readonly string[];
  /** Judges that count shared words until somebody names one, each with the scorers that ask it. */
  standInJudges?: readonly StandInJudge[];
  /** Expected answers that no metric reads; null: one does, or none is expected. */
  unread?: UnreadExpected | null;
  /** The baseline was chosen by the same cases. */
  chosenBaseline?: ChosenBaseline;
  /** Judges that were asked the questions of their check again in this night, or have changed. */
  judgeWatch?: readonly JudgeWatch[];
}

/**
 * Cautions to weigh before relying on the verdict, as sentences: cases that are not compared, and changes that happened
 * meanwhile.
 */
export function cautionsOf(
  { candidates, targets, gates, decision }: Comparison,
  {
    fixedBaseline = false,
    changes = [],
    outages = [],
    limits = [],
    standIns = [],
    standInJudges = [],
    missingParts = [],
    unread = null,
    chosenBaseline,
    judgeWatch = [],
  }: Options,
): string[] {
  return [
    ...judgeWatch.flatMap((judge) => (judge.state === "same" ? [] : [watchWords(judge)])),
    ...missingParts.flatMap(({ isAllowed, ...parts }) => (isAllowed ? [causeSentence(parts)] : [])),
    ...standInNote(standIns),
    ...standInJudges.map(standInJudgeNote),
    ...(unread === null ? [] : unreadNote(unread, targets)),
    ...(chosenBaseline === undefined ? [] : [chosenNote(chosenBaseline)]),
    ...targets.flatMap(({ target: name, ...edits }) => editsNote({ ...edits, name })),
    ...changes.map((text) => `Changed while the batch was unfinished: ${text}`),
    ...outageWords(outages),
    ...limits.map(limitSentence),
    ...(gates.length === 0 ? [] : [...levelNote(decision), ...lookNote(decision)]),
    ...candidates.flatMap(({ candidate, baseline, pairing }) => pairingNotes(candidate, baseline, pairing)),
    ...ungradedNotes(candidates),
    ...candidates.flatMap(expectedNote),
    ...targets.flatMap(({ target, echoChanges }) =>
      echoChanges.map(
        ({ path, before, after, at }) =>
          `${target}: ${path} changed from ${before} to ${after} while the batch ran, at ${new Date(at).toISOString()}.`,
      ),
    ),
    ...sharedIdsNote(targets),
    ...(fixedBaseline ? [] : candidates.flatMap(gapNote)),
  ];
}

/** `prod and test are the demo bot ...`: one sentence for all of them. */
function standInNote(standIns: readonly string[]): string[] {
  if (standIns.length === 0) return [];
  const are = standIns.length === 1 ? "is" : "are";
  return [
    `${sentenceList(standIns)} ${are} the demo bot that \`tandem init\` made of the sheet: these figures say nothing of your bot. Write its address under \`deployments\` of the suite.`,
  ];
}

function standInJudgeNote({ judge, scorers }: StandInJudge): string {
  const [graded, are] = [sentenceList(scorers.map((name) => `\`${name}\``)), scorers.length === 1 ? "is" : "are"];
  return `${graded} ${are} graded by a stand-in judge, which only counts shared words: do not rely on these grades. Name a model in the place of ${judge} under \`judges\` of the suite.`;
}

/** A baseline that was chosen by the same cases was lucky among them: that is simulated, best of five, at the level of WORSE. */
function chosenNote({ baseline, batch, of }: ChosenBaseline): string {
  return `${baseline} was chosen as the best of ${of} by these rows (${batch}), so equal bots look worse beside it: they are called WORSE in about 4 of 100 such comparisons, not in 1. Choose by some rows, and compare by others.`;
}

/** A scorer that passes every answer is named: its verdict would be the same for any bot. */
function unreadNote(unread: UnreadExpected, targets: Comparison["targets"]): string[] {
  const scores = targets[0]?.scores ?? [];
  const passesAll = scores.find(
    (score, place) => score.of === "pass" && targets.every((target) => target.scores[place]?.mean === 1),
  );
  const names = Array.from(new Set(scores.map(({ metric }) => metric)));
  return [`${unreadWords(unread, { scorers: names, passesAll: passesAll?.metric ?? null })}.`];
}

/** Other notes beside the figures, as sentences. */
export function notesOf(comparison: Comparison, given: Options): string[] {
  const { candidates, decision } = comparison;
  return [
    ...cautionsOf(comparison, given),
    ...(given.judgeWatch ?? []).flatMap((judge) => (judge.state === "same" ? [watchWords(judge)] : [])),
    // A baseline that is kept always lies in the past: that is known, and no caution.
    ...(given.fixedBaseline === true ? candidates.flatMap(gapNote) : []),
    ...fixedSizeNote(comparison),
    ...repeatNotes(comparison.targets),
    ...candidates.flatMap(candidateNotes),
    ...candidates.flatMap((candidate) => costNote(candidate, comparison.targets)),
    ...decision.notCompared.map((why) => `Not compared: ${notComparedWords(why)}.`),
  ];
}

/** The tests beside the gates know nothing of a stop. */
function fixedSizeNote({ stopping }: Comparison): string[] {
  if (stopping === null || stopping.spared === 0) return [];
  return [
    `The number of rows was decided by their results. The gates allow for it; how answers behave, errors that came or went, and the interval of each target by itself are worked out as if it had been fixed before: they describe, and claim nothing.`,
  ];
}

/** Chances that a case passes in several runs: for the first metric, if the runs of a case do not all agree. */
function repeatNotes(targets: Comparison["targets"]): string[] {
  const metrics = targets[0]?.scores ?? [];
  return metrics.flatMap(({ metric }, place) => {
    const reported = targets.flatMap(({ target, scores }) => {
      const repeated = scores[place]?.repeated ?? null;
      if (repeated === null || (place > 0 && repeated.passAtK === repeated.passHatK)) return [];
      const { k, passAtK, passHatK } = repeated;
      return [
        `${target} passes in ${shareFigure(passAtK)} at least one of ${k} runs (pass@${k}), in ${shareFigure(passHatK)} all of them (pass^${k})`,
      ];
    });
    return reported.length === 0 ? [] : [`${metric}: ${reported.join("; ")}.`];
  });
}

/** Cases that no gate of a metric is about; where it is not so for all candidates, each is named. */
function ungradedNotes(candidates: readonly CandidateSummary[]): string[] {
  const found = candidates.map(({ candidate, metrics }) => ({
    candidate,
    notes: metrics.flatMap((metric) => {
      const words = metric.gated ? besideWords(metric) : null;
      return words === null ? [] : [`${metric.metric}: ${words}.`];
    }),
  }));
  const ofAll = (note: string): boolean => found.every(({ notes }) => notes.includes(note));
  return Array.from(
    new Set(
      found.flatMap(({ candidate, notes }) => notes.map((note) => (ofAll(note) ? note : `${candidate}, ${note}`))),
    ),
  );
}

/** Both are asked the same, but not graded by the same. */
function expectedNote({ candidate, baseline, metrics, ...summary }: CandidateSummary): string[] {
  const { expectedDiffers: cases, expectedDiffersIn: keys } = summary;
  const left = Array.from(new Set(metrics.flatMap(({ metric, otherExpected }) => (otherExpected > 0 ? metric : []))));
  if (cases === 0 || left.length === 0) return [];
  const [expects, are] = cases === 1 ? ["expects", "is"] : ["expect", "are"];
  const listed = `${keys.slice(0, 5).join(", ")}${cases > 5 ? " ..." : ""}`;
  return [
    `${counted(cases, "row")} ${expects} another answer in ${candidate} than in ${baseline}, and ${are} left out of ${left.join(", ")}: ${listed}`,
  ];
}

/** Sentences on the scores of a target that people edited; empty: none. */
export function editsNote({
  name,
  edited = 0,
  following = 0,
}: Pick<ReportTarget, "name" | "edited" | "following">): string[] {
  if (edited === 0) return [];
  const made = following === 0 ? "" : `, and ${following} made of them computed again`;
  return [`${name}: ${counted(edited, "score")} edited by hand${made}; who did, and why, stands with the answers.`];
}

/** Repeats that are one run say nothing of how far answers vary. */
function sharedIdsNote(targets: Comparison["targets"]): string[] {
  const shared = targets.flatMap(({ target, sharedIds }) =>
    sharedIds === undefined ? [] : [{ target, ...sharedIds }],
  );
  if (shared.length === 0) return [];
  const answers = shared.reduce((sum, each) => sum + each.shared, 0);
  return [
    `${counted(answers, "answer")} of ${sentenceList(shared.map(({ target }) => target))} share a run id. Is there a cache in front of the bot? Check \`id:\`.`,
  ];
}

function gapNote({ candidate, farApart }: CandidateSummary): string[] {
  if (farApart === null) return [];
  const { minutes, isBefore } = farApart;
  // A baseline that is kept lies in the past: that is no fault, but changes since then count as differences.
  const ago = minutes < 180 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  const apart = isBefore
    ? `the baseline was asked about ${ago} before`
    : `half of the rows were sent to the two sides more than ${minutes} minutes apart`;
  return [`${candidate}: ${apart}: what changed in between counts as a difference.`];
}

const ordinals = ["", "1st", "2nd", "3rd"];

/** Who looks until something is found finds something. */
function lookNote({ look }: Comparison["decision"]): string[] {
  if (look === undefined || look.number === 1) return [];
  const { number: place, earlier, by, broken } = look;
  const first = `This is the ${ordinals[place] ?? `${place}th`} look at this comparison`;
  const after = `after ${earlier.slice(-3).join(", ")}`;
  if (broken !== null)
    return [`${first}, ${after}; but ${broken}: false answers are more frequent than two looks at 3 % promise.`];
  if (by === "suite" && place === 2)
    return [`${first}, ${after}: the second of two that the suite declares, at 3 % each.`];
  if (by === "flag") return [`${first}, ${after}: it asks for more proof than a first one (1 % instead of 5 %).`];
  return [
    `You ran this comparison before (${earlier.slice(-3).join(", ")}); repeating it raises the risk of a false alarm.`,
  ];
}

/** The bounds of the gates are then others than the interval that is shown would make one think. */
function levelNote({ alpha, nights, look }: Comparison["decision"]): string[] {
  // The level of a look is said with it.
  const ofLook = look !== undefined && look.by !== null && look.number > 1;
  if (Math.abs(alpha - 0.05) < 1e-9 || ofLook) return [];
  const [one, all] = [alpha, nightlyFalseAlarm(alpha, nights)].map((each) => String(Math.round(each * 1e4) / 100));
  if (nights > 1) {
    return [
      `The gates call a regression at an alpha of ${one} %, so that ${nights} nights together have ${all} % (Sidak); they pass at ${all} %.`,
    ];
  }
  return [`The gates ask for ${alpha < 0.05 ? "more" : "less"} proof than usual (${one} % instead of 5 %).`];
}

function candidateNotes({
  candidate,
  baseline,
  latency,
  drift,
  pairsLeft,
  metrics,
  expectedLost,
  expectedGained,
}: CandidateSummary): string[] {
  const notes: string[] = [];
  if (metrics.length === 0 && expectedLost + expectedGained > 0) {
    const [lost, gained] = [counted(expectedLost, "row"), counted(expectedGained, "row")];
    notes.push(`The expected text is found by ${baseline} alone in ${lost}, by ${candidate} alone in ${gained}.`);
  }
  if (latency !== null) {
    const range =
      latency.interval === null
        ? ""
        : ` (95 % range ${decimal(latency.interval.low, 2)} to ${decimal(latency.interval.high, 2)})`;
    notes.push(
      `${candidate} takes ${decimal(latency.ratio, 2)} times as long as ${baseline}${range}, by the runs sent side by side.`,
    );
  }
  if (pairsLeft > 0)
    notes.push(
      `${candidate}: ${counted(pairsLeft, "pair")} of tags with few rows ${pairsLeft === 1 ? "was" : "were"} not looked at, so that changes in the larger ones still stand out from chance.`,
    );
  if (drift !== null) notes.push(...driftNotes(candidate, baseline, drift));
  return notes;
}

/** The cost of a run that was made, or may have been paid without a record. */
function costNote({ candidate, baseline }: CandidateSummary, targets: Comparison["targets"]): string[] {
  const [now, before] = [candidate, baseline].map((name) => {
    const { cost = null, runsPaid = 0 } = targets.find(({ target }) => target === name) ?? {};
    return cost === null || runsPaid === 0 ? null : cost / runsPaid;
  });
  if (now === null || now === undefined || before === null || before === undefined) return [];
  // The same price by other counts of runs is rounded differently.
  if (Math.abs(now - before) <= 1e-9 * before) return [];
  const times = before > 0 ? `${decimal(now / before, 2)} times as much as` : "more than";
  return [`A run of ${candidate} costs ${times} one of ${baseline} (${price(now)} against ${price(before)}).`];
}

function driftNotes(candidate: string, baseline: string, drift: NonNullable<CandidateSummary["drift"]>): string[] {
  const { members, appeared, vanished, types } = drift;
  const notes: string[] = [];
  if (appeared.length > 0) notes.push(`Fields that ${candidate} has and ${baseline} has not: ${appeared.join(", ")}.`);
  if (vanished.length > 0) notes.push(`Fields that ${baseline} has and ${candidate} has not: ${vanished.join(", ")}.`);
  if (members.baseline !== members.candidate) {
    notes.push(
      `Outputs of ${baseline} have ${counted(members.baseline, "field")}, those of ${candidate} ${members.candidate}.`,
    );
  }
  for (const { path, baseline: before, candidate: after } of types) {
    notes.push(`${path} is ${before} in ${baseline} and ${after} in ${candidate}.`);
  }
  return notes;
}

function pairingNotes(candidate: string, baseline: string, pairing: PairingSummary): string[] {
  const lists = [
    [pairing.onlyBaseline, `only in ${baseline}`],
    [pairing.onlyCandidate, `only in ${candidate}`],
    [pairing.inputDiffers, `with another input in ${candidate} than in ${baseline}: not compared`],
  ] as const;
  return lists.flatMap(([{ cases, keys }, where]) =>
    cases === 0 ? [] : [`${counted(cases, "row")} ${where}: ${keys.slice(0, 5).join(", ")}${cases > 5 ? " ..." : "."}`],
  );
}

const mostOutages = 3;

/** Sentences on the times in which services were away: `prod was down 02:10 to 02:14; 36 requests were answered 502 (bad gateway).` */
function outageWords(outages: readonly StoredOutage[]): string[] {
  const reported = outages.slice(0, mostOutages).map(outageSentence);
  const rest = outages.slice(mostOutages);
  if (rest.length === 0) return reported;
  const requests = rest.reduce((sum, each) => sum + each.requests, 0);
  return [
    ...reported,
    `Services were down ${counted(rest.length, "more time")}; ${counted(requests, "request")} ${were(requests)} answered by a gateway then.`,
  ];
}

function limitSentence({ deployment, refused, measured }: LimitFound): string {
  const found = `${deployment} answered 503 to ${counted(refused, "request")} while it answered others: a limit of requests.`;
  if (measured === null) return found;
  const { most, windowMs } = measured;
  const perSecond = Math.max(1, Math.floor((most * 1_000) / windowMs));
  return `${found} At most ${number(most)} in ${duration(windowMs)} got through; \`rate: ${perSecond}/s\` at deployments.${deployment} keeps below it.`;
}

function outageSentence({ deployment, since, until, status, requests }: StoredOutage): string {
  const when = until === null ? `from ${clock(since)} on` : `${clock(since)} to ${clock(until, since)}`;
  return `${deployment} was down ${when}; ${counted(requests, "request")} ${were(requests)} answered ${statusWords(status)}.`;

  function clock(at: number, from = at): string {
    // Minutes are enough where they tell the two ends apart.
    const isShort = until !== null && momentLabel(since) === momentLabel(until);
    const isSameDay = dayLabel(at) === dayLabel(from) && (until === null || dayLabel(since) === dayLabel(until));
    const time = isShort ? clockLabel(at) : timeLabel(at);
    return isSameDay ? time : nightLabel({ day: dayLabel(at), time });
  }
}

const were = (count: number): string => (count === 1 ? "was" : "were");
