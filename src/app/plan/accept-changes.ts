import { AppError } from "../../errors.ts";
import { canonicalJson } from "../../lib/json.ts";
import { storedObject } from "../../lib/stored-json.ts";
import { showText } from "../../lib/show.ts";
import { clusterRank } from "../../plan/rank.ts";
import { counted } from "../../report/say/quantity.ts";
import { type Batch, type BatchTarget, batchTargets, targetAddress } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { answeredBefore, askAnew } from "../../store/plan/ask-anew.ts";
import { type DatasetChanges, datasetChanges, type KeyCount, skipJobs } from "../../store/plan/dataset-changes.ts";
import { changedValues } from "../../suite/address.ts";
import type { CaseMapping, Suite } from "../../suite/suite.ts";
import { watched, type PrepareOptions, readCases, repeatsOf } from "./prepare.ts";
import { openSelection } from "./selection.ts";
import { watchTemplates } from "./template-check.ts";

/** A target that is not what the batch was made of. */
interface TargetChange {
  id: number | null;
  name: string;
  /** The difference, in words. */
  text: string;
  /** The reason why its jobs cannot be run any more; null when only more repeats are wanted. */
  reason: string | null;
  /** Jobs up to this repeat are still the same. */
  repeats: number;
  /** Its cases can be asked anew: it is only configured otherwise. */
  renews: boolean;
}

/** The changes of a suite that were accepted to resume an earlier batch. */
export interface Accepted {
  /** Differences, a line each; empty when there are none. */
  changes: string[];
  /** Unfinished jobs that are not run, because they are no longer the same. */
  skipped: number;
  /** Sentences about targets that are configured otherwise, and are asked anew. */
  renewed: string[];
}

/**
 * Compares dataset and suite with what a batch was made of. A target that is only configured otherwise (another id, address
 * or body) is asked anew, and what the others answered stays. Anything else, and an address that only the value of a variable has
 * changed, throws BATCH_CHANGED with everything that differs, unless changes are accepted: then the unfinished jobs that are no
 * longer the same are marked as skipped with the reason, and what is new is left for another batch. Only for the holder of the
 * batch's lock.
 */
export async function acceptBatch(
  db: Connection,
  batch: Batch,
  suite: Suite,
  options: PrepareOptions & { acceptChanges: boolean },
): Promise<Accepted> {
  // Without flags that select, what was selected then.
  const chosen = openSelection(db, batch.selection, { suite, earlier: null });
  const templates = watchTemplates(suite);
  const cases = await datasetChanges(db, batch.id, chosen.watch(watched(readCases(suite, options), templates.onCase)), {
    rankOf: (cluster) => clusterRank(batch.seed, cluster),
    keep: chosen.keep,
    turns: suite.mapping.turn !== null,
  });
  chosen.close();
  templates.check(options.errorOf);
  const targets = targetChanges(batchTargets(db, batch.id), suite);
  const renewed = targets.filter(({ renews }) => renews);
  const changes = [
    ...caseLines(cases),
    ...targets.flatMap(({ text, renews }) => (renews ? [] : [text])),
    ...changedValues(batch.suite.deployments, suite.deployments),
    ...mappingLines(batch.suite.mapping, suite.mapping),
  ];
  if (changes.length > 0 && !options.acceptChanges) throw changed(batch, changes);
  const notes = renewNotes(db, batch, renewed);
  if (renewed.length > 0) {
    const targetIds = new Map(renewed.flatMap(({ id, name }) => (id === null ? [] : [[name, id]])));
    askAnew(db, batch, { targetIds, suite, notes, at: Date.now() });
  }
  const ofTargets = targets.flatMap(({ id, reason, repeats, renews }) =>
    id === null || renews ? [] : [{ id, reason, repeats }],
  );
  return { changes, skipped: skipJobs(db, batch.id, ofTargets), renewed: notes };
}

/** Says what is asked anew. Throws BATCH_CHANGED where a person has labelled what would be replaced. */
function renewNotes(db: Connection, batch: Batch, renewed: readonly TargetChange[]): string[] {
  return renewed.flatMap(({ id, name, text }) => {
    if (id === null) return [];
    const { answered, labelled } = answeredBefore(db, batch.id, id);
    if (labelled > 0) throw changed(batch, [`${text}, and ${counted(labelled, "answer")} of it are labelled`]);
    const before =
      answered === 0 ? "" : `; ${counted(answered, "answer")} of before ${answered === 1 ? "is" : "are"} not used`;
    return [`${text}: ${name} is asked anew${before}.`];
  });
}

function changed(batch: Batch, changes: string[]): AppError {
  const lines = changes.map((line) => `  ${line}`).join("\n");
  return new AppError("BATCH_CHANGED", `This is not what ${batch.name} was made of:\n${lines}`, {
    hint: `\`tandem run\` starts a new batch; \`tandem resume ${batch.name}\` without --suite resumes it as it was planned; --accept-changes runs only what is still the same.`,
  });
}

function caseLines({ added, gone, changed: different }: DatasetChanges): string[] {
  return [...keyLine(added, "new"), ...keyLine(gone, "gone"), ...keyLine(different, "changed")];
}

function keyLine({ count, first }: KeyCount, what: string): string[] {
  const keys = first.map((key) => showText(key)).join(", ");
  return count === 0 ? [] : [`${counted(count, "row")} ${what}: ${keys}${count > first.length ? ", ..." : ""}`];
}

function targetChanges(stored: BatchTarget[], suite: Suite): TargetChange[] {
  const added = suite.targets.filter(({ name }) => !stored.some((target) => target.name === name));
  return [
    ...added.map(({ name }) => ({
      id: null,
      name,
      text: `target ${name} is new`,
      reason: null,
      repeats: 0,
      renews: false,
    })),
    ...stored.flatMap((target) => changeOf(target, suite)),
  ];
}

function changeOf(stored: BatchTarget, suite: Suite): TargetChange[] {
  const { id, name } = stored;
  const target = suite.targets.find((one) => one.name === name);
  if (target === undefined) {
    const reason = "the target is no longer in the suite";
    return [{ id, name, text: `target ${name} is gone`, reason, repeats: 0, renews: false }];
  }
  const baseUrl = targetAddress(suite, target);
  const repeats = repeatsOf(suite, name);
  const body = canonicalJson(target.body);
  const storedBody = storedObject(stored.body, "a body");
  const differences = [
    ...difference("deployment", stored.deployment, target.deployment),
    ...difference("base_url", stored.baseUrl, baseUrl),
    ...difference("endpoint", stored.endpoint, target.endpoint),
    ...difference("example_id", stored.exampleId, target.exampleId),
    ...difference("body", canonicalJson(storedBody), body),
  ];
  if (differences.length > 0) {
    const reason = "the target has changed since the batch was planned";
    const text = `target ${name} has another ${differences.join("; ")}`;
    const renews = stored.deployment !== "" && target.stored === undefined && repeats === stored.repeats;
    return [{ id, name, text, reason, repeats: 0, renews }];
  }
  if (repeats === stored.repeats) return [];
  const text = `target ${name} has ${counted(repeats, "repeat")} for each case, not ${stored.repeats}`;
  return [{ id, name, text, reason: "fewer repeats are wanted since the batch was planned", repeats, renews: false }];
}

function difference(what: string, before: string, now: string): string[] {
  return before === now ? [] : [`${what} (${showText(before)} then, ${showText(now)} now)`];
}

function mappingLines(before: CaseMapping, now: CaseMapping): string[] {
  const names = [
    "key",
    "input",
    "expected",
    "cluster",
    "turn",
    "turns",
    "messages",
    "opening",
    "history",
    "orderBy",
    "tags",
    "scorers",
  ] as const;
  return names.flatMap((name) => {
    const [then, today] = [canonicalJson(before[name] ?? null), canonicalJson(now[name] ?? null)];
    return then === today ? [] : [`case.${name} was ${showText(then)}, is ${showText(today)}`];
  });
}
