import { storedVersion } from "../../../lib/stored-version.ts";
import { extname } from "node:path";
import { AppError, exitCodes } from "../../../errors.ts";
import {
  type CheckPlan,
  checkJudge,
  type CheckRequest,
  type JudgeCheckReport,
  planCheck,
} from "../../../app/judge/check-judge.ts";
import { storedSuite } from "../../../app/grade/score-stored.ts";
import { didYouMean } from "../../../lib/suggest.ts";
import { folderFlag } from "../../../lib/paths/results-folder.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import { replacementOf } from "../../../lib/replaced.ts";
import { showText } from "../../../lib/show.ts";
import { checkOutput, writeReport } from "../../../report/write/output.ts";
import { type ProbeName, probeNames } from "../../../score/probes/probe-plan.ts";
import { loadSuite } from "../../../suite/load.ts";
import type { Suite } from "../../../suite/suite.ts";
import { isAllowed } from "../../ask.ts";
import { loadDotEnv, namesInSuite } from "../../dot-env.ts";
import { needOneDocument } from "../../flags/output-flags.ts";
import type { JsonData } from "../../json-outputs.ts";
import { withRun } from "../../progress/with-run.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import { checkMarkdown, checkText, openText, planLine, checkPlanText } from "./judge.text.ts";
import type { JudgeFlags } from "./judge.ts";

/** The flags of a check, with the name of a scorer. */
type NamedFlags = JudgeFlags & { name: string };

/** Questions above which a person is asked before they are sent. */
const manyQuestions = 1_000;

/** Tries a judge, prints what it has shown, and says by the exit code whether that is an alarm. */
export async function runJudge(given: JudgeFlags, terminal: Terminal): Promise<CommandResult> {
  const { name: scorer } = given;
  if (scorer === undefined)
    throw new AppError("USAGE", "judge check needs the name of a judge's scorer.", {
      hint: "For example: tandem judge check helpful",
    });
  const flags: NamedFlags = { ...given, name: scorer };
  needOneDocument(flags.json, flags.output);
  for (const path of flags.output) await checkFormat(path);
  const request = await requestOf(flags, terminal);
  const { suite } = request;
  if (flags["dry-run"]) {
    const plan = await planCheck(request);
    const data = plan satisfies JsonData["judge"];
    return { data, text: checkPlanText(plan) };
  }
  const judge = suite.judges.find(({ name }) =>
    suite.scorers.some((spec) => spec.name === flags.name && spec.options["target"] === name),
  );
  const deployments = suite.deployments.filter(({ name }) => name === judge?.deployment);
  const asked = { ...suite, deployments, targets: suite.judges, judges: [], scorers: [] };
  const sent = { ...flags, cache: false, "fail-on": undefined };
  return withRun({ terminal, flags: sent, suite, trust: null, asked }, async (opened) => {
    const onPlan = async (plan: CheckPlan): Promise<void> => {
      if (!flags.quiet) terminal.note(planLine(plan));
      await approve(plan, flags.yes);
    };
    const { report, plan, end } = await checkJudge(opened.run, request, { onPlan, now: () => Date.now() });
    const interrupted = opened.close();
    if (report === null) {
      terminal.note(openText(commandOf(flags)));
      const data = plan satisfies JsonData["judge"];
      const exit = interrupted ?? (end.stopped.length > 0 ? exitCodes.couldNotRun.code : exitCodes.ok.code);
      return opened.end({ name: plan.batch, state: "stopped" }, { data, exit });
    }
    for (const path of flags.output) await writeReport(path, writer(path)(report), process.stdout);
    const data = report satisfies JsonData["judge"];
    const text = flags.output.includes("-") ? {} : { text: checkText(report, Math.min(terminal.columns, 100)) };
    const exit = report.state === "alarm" ? exitCodes.regression.code : exitCodes.ok.code;
    return opened.end({ name: plan.batch, state: "finished" }, { data, ...text, exit });
  });
}

/** The check that the flags ask for. Throws USAGE for what they cannot. */
async function requestOf(flags: NamedFlags, terminal: Terminal): Promise<CheckRequest & { suite: Suite }> {
  const { name, cases, repeats, seed, results } = flags;
  const named = flags.suite === undefined ? null : await namedSuite(flags.suite, terminal);
  const stored = storedSuite(results, flags.batch ?? named?.name ?? "latest", named);
  return {
    out: results,
    batch: stored.batch,
    suite: stored.suite,
    name,
    probes: probesOf(flags.probes),
    cases,
    repeats,
    seed,
  };
}

async function namedSuite(path: string, terminal: Terminal): Promise<Suite> {
  loadDotEnv(namesInSuite(path));
  const { suite, warnings } = await loadSuite(path, process.env);
  for (const { where, message } of warnings) terminal.warn(`${where}: ${message}`);
  return suite;
}

const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

const isProbe = (name: string): name is ProbeName => (probeNames as readonly string[]).includes(name);

function probesOf(text: string | undefined): ProbeName[] {
  if (text === undefined) return [...probeNames];
  const names = listOf(text);
  const unknown = names.find((name) => !isProbe(name));
  if (unknown !== undefined || names.length === 0) {
    const hint =
      replacementOf("probe", unknown ?? "") ??
      didYouMean(unknown ?? "", probeNames) ??
      `There are ${probeNames.join(", ")}.`;
    throw new AppError("USAGE", `--probes: there is no ${showText(unknown ?? "")}.`, { hint });
  }
  return probeNames.filter((name) => names.includes(name));
}

const writers: Record<string, (report: JudgeCheckReport) => string> = {
  ".md": checkMarkdown,
  ".json": (report) => `${JSON.stringify({ version: storedVersion, ...report }, null, 2)}\n`,
};

/** The writer of a file by its name; of standard output Markdown. */
const writer = (path: string): ((report: JudgeCheckReport) => string) =>
  writers[extname(path).toLowerCase()] ?? checkMarkdown;

async function checkFormat(path: string): Promise<void> {
  if (path !== "-" && writers[extname(path).toLowerCase()] === undefined) {
    const endings = Object.keys(writers).join(", ");
    throw new AppError("USAGE", `-o takes a file that ends in one of ${endings}; got ${path}.`, {
      hint: "- is standard output, as Markdown.",
    });
  }
  await checkOutput(path);
}

/** Asks before a great many questions are sent. Throws USAGE where nobody allows it. */
async function approve({ questions, known, judge }: CheckPlan, isAllowedAlready: boolean): Promise<void> {
  const open = questions - known;
  if (isAllowedAlready || open <= manyQuestions) return;
  const words = `${open.toLocaleString("en")} questions to ${judge}.`;
  const refusal = { message: `${words} Nothing was sent.`, hint: "Add --yes, or take fewer: --cases, --probes." };
  if (!(await isAllowed(`${words} Send them`, refusal)))
    throw new AppError("USAGE", refusal.message, { hint: refusal.hint });
}

/** The command that goes on with a check: the same once more. */
function commandOf({ name, suite, batch, probes, cases, repeats, seed, results }: NamedFlags): string {
  const flags = Object.entries({ batch, probes })
    .flatMap(([flag, value]) => (value === undefined ? [] : [` --${flag} ${shellWord(value)}`]))
    .join("");
  const numbers = `${cases === 100 ? "" : ` --cases ${cases}`}${repeats === 3 ? "" : ` --repeats ${repeats}`}${seed === "1" ? "" : ` --seed ${shellWord(seed)}`}`;
  return `tandem judge check ${shellWord(name)}${suite === undefined ? "" : ` ${shellWord(suite)}`}${flags}${numbers}${folderFlag(results)}`;
}
