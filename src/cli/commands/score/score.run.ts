import { AppError } from "../../../errors.ts";
import { explainCase } from "../../../app/grade/explain.ts";
import { scoreStored } from "../../../app/grade/score-stored.ts";
import { findBatch } from "../../../store/batches.ts";
import { databasePath, openDatabase } from "../../../store/database.ts";
import { listScorings } from "../../../store/scores/scores.ts";
import { loadSuite } from "../../../suite/load.ts";
import type { CodeTrust } from "../../../score/contract/code-trust.ts";
import { trustWithin } from "../../flags/suite-source.ts";
import type { Suite } from "../../../suite/suite.ts";
import { withScorers } from "../../../suite/flags/scorer-flag.ts";
import { askedJudges } from "../../../suite/used.ts";
import { loadDotEnv, namesInSuite } from "../../dot-env.ts";
import { withRun } from "../../progress/with-run.ts";
import { scoreText, scoringsText } from "./score.text.ts";
import { explanationText } from "./score.explain.text.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import type { JsonData } from "../../json-outputs.ts";
import type { ScoreFlags } from "./score.ts";

/** Grades a stored batch again. */
export async function runScore(flags: ScoreFlags, terminal: Terminal): Promise<CommandResult> {
  const { batch, suite, trust } = await suiteOf(flags, terminal);
  const judges = new Set(askedJudges(suite).map(({ deployment }) => deployment));
  const deployments = suite.deployments.filter(({ name }) => judges.has(name));
  const asked = { ...suite, deployments, targets: suite.judges, judges: [], scorers: [] };
  return withRun({ terminal, flags, suite, trust, asked }, async (opened) => {
    const readsExpected = flags.suite !== undefined;
    const scored = await scoreStored(opened.run, batch, { readsExpected, again: flags.again });
    opened.close();
    const { report, exitCode } = scored;
    const data = report satisfies JsonData["score"];
    const text = scoreText(report, flags.results);
    return opened.end(scored.batch, { data, text, exit: exitCode });
  });
}

/** Every scoring of a batch, the one that counts last. */
export function listOfScorings(flags: ScoreFlags): CommandResult {
  using db = openDatabase(databasePath(flags.results), { reading: true });
  const batch = findBatch(db, flags.batch);
  const scorings = listScorings(db, batch.id);
  const data = { batch: batch.name, scorings } satisfies JsonData["score"];
  return { data, text: scoringsText(batch.name, scorings) };
}

/** Shows how each scorer sees one case. */
export async function explained(flags: ScoreFlags & { explain: string }, terminal: Terminal): Promise<CommandResult> {
  const { batch, named, trust } = await suiteOf(flags, terminal);
  using db = openDatabase(databasePath(flags.results), { reading: true });
  const explanation = await explainCase(db, findBatch(db, batch), { suite: named, trust, key: flags.explain });
  const data = explanation satisfies JsonData["score"];
  return { data, text: explanationText(explanation) };
}

/**
 * The suite whose scorers hold: the one that is named, or the batch's own from the database, with scorers of the command
 * line where there are any (`named` is then that). Only a file that is named may run code.
 */
async function suiteOf(
  flags: ScoreFlags,
  terminal: Terminal,
): Promise<{ batch: string; suite: Suite; named: Suite | null; trust: CodeTrust | null }> {
  using db = openDatabase(databasePath(flags.results), { reading: true });
  const batch = findBatch(db, flags.batch);
  if (flags.suite !== undefined && flags.scorer.length > 0) {
    throw new AppError("USAGE", "--suite and --scorer cannot be used together.", {
      hint: "Add the scorer to the suite file.",
    });
  }
  if (flags.suite === undefined) {
    const suite = withScorers(batch.suite, flags.scorer);
    return { batch: batch.name, suite, named: flags.scorer.length > 0 ? suite : null, trust: null };
  }
  loadDotEnv(namesInSuite(flags.suite));
  const { suite, warnings, trust } = await loadSuite(flags.suite, process.env);
  for (const { where, message } of warnings) terminal.warn(`${where}: ${message}`);
  return { batch: batch.name, suite, named: suite, trust: trustWithin(trust, flags) };
}
