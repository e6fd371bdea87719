import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { storedOutput } from "../../api/stored-output.ts";
import { AppError } from "../../errors.ts";
import { answerMark } from "../../lib/answer-mark.ts";
import { hashText } from "../../lib/hash.ts";
import type { JsonObject } from "../../lib/json.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { storedObject } from "../../lib/stored-json.ts";
import { clusterRank } from "../../plan/rank.ts";
import type { EarlierTurn } from "../../runner/journal.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { turnsBefore } from "../../store/journal/job-reader.ts";
import { caseResultReader } from "../../store/results/results.ts";
import { casesOfDraw, drawsOf, type StoredDraw, type StoredDrawnCase } from "../../store/scores/label-draws.ts";
import { batchLabels, type StoredLabel } from "../../store/scores/labels.ts";
import { type RepeatedLabel, repeatedLabels } from "../../store/scores/repeated-labels.ts";
import { answerRecordOf, gradedCase } from "../grade/score-answer.ts";

/**
 * Why a person is asked about a case of a draw: `first` as everybody is, `dispute` because others did not agree about it, `again`
 * because that person's own word of a while ago is held against one of today. Nobody is told which it is.
 */
export type TaskKind = "first" | "dispute" | "again";

/** A case of a draw that a person is to label. */
export interface DrawTask {
  caseId: number;
  kind: TaskKind;
}

/** An answer of a drawn case, without anything that tells whose it is. */
export interface DrawnAnswer {
  jobId: number;
  /** A mark that stands for it in sheets and in the viewer. It begins with a letter: a spreadsheet would round `12345678e9`. */
  id: string;
  text: string;
  /** A mark of the text (see `answerMark`). */
  mark: string;
  /** The turns before it in its conversation, with the answers of its own side. */
  earlier: DrawnTurn[];
}

/** A turn before a drawn one. */
export interface DrawnTurn {
  question: string;
  /** Null: it has no text. */
  answer: string | null;
}

/** The words of people on the answers of a batch that stand for the answer as a whole, of the texts that are there now. */
export interface DrawWords {
  of: (answer: Pick<DrawnAnswer, "jobId" | "mark">) => StoredLabel[];
  again: (answer: Pick<DrawnAnswer, "jobId" | "mark">) => RepeatedLabel[];
}

/** The draw of a candidate, or the latest one of a batch. Throws USAGE where nothing was drawn. */
export function drawFor(db: Connection, batch: Batch, candidate: string | null): StoredDraw {
  const draw = drawsOf(db, batch.id).find((each) => candidate === null || each.candidate === candidate);
  if (draw === undefined) throw nothingDrawn(batch, candidate);
  return draw;
}

/** Reads the question and the first answer of each side to a drawn case, in an order by lot; null: the case is gone. */
export function drawnCaseReader(db: Connection, batch: Batch, draw: StoredDraw) {
  const targets = new Map(batchTargets(db, batch.id).map((target) => [target.id, target]));
  const sides = new Set([draw.baseline, draw.candidate]);
  const read = caseResultReader(db);
  const before = turnsBefore(db, batch.id);
  return ({ caseId, kind }: DrawTask) => {
    const [result] = read([caseId]);
    if (result === undefined) return null;
    const seen = new Set<string>();
    const answers = result.jobs.flatMap((job): (DrawnAnswer & { rank: number })[] => {
      const target = targets.get(job.targetId);
      if (target === undefined || !sides.has(target.name) || seen.has(target.name) || job.outcome !== "ok") return [];
      const text = endpointOf(target.endpoint).textOf(answerRecordOf(target.endpoint, job).output);
      if (text === null) return [];
      seen.add(target.name);
      const rank = clusterRank(`side/${draw.seed}`, `${result.key}/${target.name}`);
      const earlier = before(job.jobId).map((turn) => earlierTurn(turn, target.endpoint));
      return [{ jobId: job.jobId, id: answerId(draw, job.jobId, kind), text, mark: answerMark(text), earlier, rank }];
    });
    const question = questionIn(gradedCase(result).input) ?? result.input;
    const ordered = answers.toSorted((one, other) => one.rank - other.rank);
    return { key: result.key, question, expected: result.expected, answers: ordered };
  };
}

const questionIn = ({ input_prompt: prompt }: JsonObject): string | null =>
  typeof prompt === "string" ? prompt : null;

function earlierTurn({ input, record }: EarlierTurn, endpoint: EndpointName): DrawnTurn {
  const output = storedOutput(endpoint, record);
  return {
    question: questionIn(storedObject(input, "an input")) ?? input,
    answer: output === null ? null : endpointOf(endpoint).textOf(output),
  };
}

export function answerId({ seed, id }: StoredDraw, jobId: number, kind: TaskKind): string {
  return `a${hashText(`${seed}/${id}/${jobId}${kind === "first" ? "" : `/${kind}`}`, 10)}`;
}

/** Reads the words of people on the answers of a batch. */
export function drawWords(db: Connection, batch: Batch): DrawWords {
  const labels = Map.groupBy(
    Array.from(batchLabels(db, batch.id)).filter(({ scorer }) => scorer === ""),
    ({ jobId }) => jobId,
  );
  const repeats = Map.groupBy(repeatedLabels(db, batch.id), ({ jobId }) => jobId);
  return {
    of: ({ jobId, mark }) => (labels.get(jobId) ?? []).filter((label) => isOfMark(label, mark)),
    again: ({ jobId, mark }) => (repeats.get(jobId) ?? []).filter((label) => isOfMark(label, mark)),
  };
}

const isOfMark = ({ answer }: { answer?: string | null }, mark: string): boolean =>
  answer === null || answer === undefined || answer === mark;

/** A person's own words are asked for again after a week, a tenth of them. */
const again = { afterMs: 7 * 24 * 3_600_000, share: 0.1 };

interface Asked {
  /** Null: whoever labels, with the cases of all. */
  author: string | null;
  /** Only those that others did not agree about. */
  disputes: boolean;
  now: number;
}

/** The cases of a draw for a person, in the order in which they are labelled: those that are done as well. */
export function drawTasks(
  db: Connection,
  batch: Batch,
  draw: StoredDraw,
  { author, disputes, now }: Asked,
): DrawTask[] {
  const words = drawWords(db, batch);
  const read = drawnCaseReader(db, batch, draw);
  const cases = inOrderByLot(casesOfDraw(db, draw.id), draw);
  const isAssigned = cases.some(({ labellers }) => labellers.length > 0);
  const tasks: DrawTask[] = [];
  const old: StoredDrawnCase[] = [];
  for (const each of cases) {
    const { caseId, labellers } = each;
    const isOwn = author === null || !isAssigned || labellers.includes(author);
    if (isOwn && !disputes) {
      tasks.push({ caseId, kind: "first" });
      if (author !== null && isOld(read({ caseId, kind: "first" })?.answers ?? [], words, { author, now }))
        old.push(each);
      continue;
    }
    const answers = read({ caseId, kind: "dispute" })?.answers ?? [];
    if (answers.some((answer) => isDisputed(words.of(answer), author))) tasks.push({ caseId, kind: "dispute" });
  }
  return withRepeats(tasks, old, { seed: `${draw.seed}/${author ?? ""}` });
}

/**
 * The cases of a wave in an order by lot. The draw has those first of which it drew most, such as the ones that both sides pass: who
 * labels would learn what the judge said of them.
 */
function inOrderByLot(cases: readonly StoredDrawnCase[], { seed }: StoredDraw): StoredDrawnCase[] {
  const rank = ({ caseId }: StoredDrawnCase): number => clusterRank(`order/${seed}`, String(caseId));
  return cases.toSorted((one, other) => one.wave - other.wave || rank(one) - rank(other));
}

/** Others did not agree, and nobody but this person has settled it; who said a word at first does not settle it. */
function isDisputed(labels: readonly StoredLabel[], author: string | null): boolean {
  const first = labels.filter(({ adjudicates }) => !adjudicates);
  if (author !== null && first.some((label) => label.author === author)) return false;
  const settled = labels.filter(({ adjudicates }) => adjudicates);
  if (settled.some((label) => label.author !== author)) return false;
  if (!first.every(({ value }) => value === 0 || value === 1)) return false;
  const good = first.filter(({ value }) => value === 1).length;
  return first.length > 1 && good * 2 === first.length;
}

function isOld(
  answers: readonly DrawnAnswer[],
  words: DrawWords,
  { author, now }: { author: string; now: number },
): boolean {
  return (
    answers.length > 0 &&
    answers.every((answer) =>
      words.of(answer).some((label) => label.author === author && label.at < now - again.afterMs),
    )
  );
}

/** Mixes a tenth of what a person labelled a while ago among the rest, by lot. */
function withRepeats(
  tasks: readonly DrawTask[],
  old: readonly StoredDrawnCase[],
  { seed }: { seed: string },
): DrawTask[] {
  const rank = (what: string, caseId: number): number => clusterRank(`again/${what}/${seed}`, String(caseId)) / 2 ** 48;
  const chosen = old
    .toSorted((one, other) => rank("which", one.caseId) - rank("which", other.caseId))
    .slice(0, Math.ceil(again.share * old.length));
  const mixed = tasks.slice();
  for (const { caseId } of chosen) {
    // Behind what was labelled then, so that nobody meets a case twice within a few rows.
    const [from, last] = [mixed.findIndex((task) => task.caseId === caseId) + 1, mixed.length];
    mixed.splice(from + Math.floor(rank("where", caseId) * (last - from + 1)), 0, { caseId, kind: "again" });
  }
  return mixed;
}

/** The word of a person on an answer in a task; undefined: none yet. `author` null: anybody. */
export function wordIn(
  words: DrawWords,
  answer: DrawnAnswer,
  { kind, author }: { kind: TaskKind; author: string | null },
): Pick<StoredLabel, "label" | "note" | "author"> | undefined {
  if (kind === "again") return words.again(answer).find((label) => label.author === author);
  return words
    .of(answer)
    .find((label) => (author === null || label.author === author) && label.adjudicates === (kind === "dispute"));
}

function nothingDrawn({ name }: Batch, candidate: string | null): AppError {
  const whose = candidate === null ? "" : ` of the candidate ${candidate}`;
  const flag = candidate === null ? "" : ` --candidate ${shellWord(candidate)}`;
  return new AppError("USAGE", `Nothing was drawn of ${name}${whose} for people to label.`, {
    hint: `Draw first: tandem label draw ${name} --labels 50${flag}`,
  });
}
