import { withoutEnd } from "../../lib/without-end.ts";
import { hasProblem, problemsBeside } from "../../report/model/problem.ts";
import { appendFile } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import type { PlacedRow } from "../../report/formats/github.ts";
import { AppError, exitCodes } from "../../errors.ts";
import type { NoticeBook, Telling } from "../../app/batches/notices.ts";
import type { Conclusion } from "../../app/report/conclude.ts";
import type { Notice, NoticeWays } from "../../app/report/notify.ts";
import type { WantedReport } from "../../app/report/report-writer.ts";
import { formatNamed } from "../../report/formats/formats.ts";
import { factTexts } from "../../report/say/findings.ts";
import { nobodyToldWords } from "../../report/say/nights.ts";
import { storeFailure } from "../../store/store-failure.ts";
import type { NotifyFlags } from "../flags/notify-flags.ts";
import { needOneDocument, type OutputFlags, wantedReports } from "../flags/output-flags.ts";
import { envValue } from "../../suite/environment.ts";
import type { Terminal } from "../terminal.ts";

/** Flags of commands that end in a comparison. */
export type DeliveryFlags = OutputFlags &
  NotifyFlags & {
    json: boolean;
    results: string;
  };

/** The steps after a batch has been compared: the reports that were asked for, the summary, and the notices. */
export interface Delivery {
  /** Reports to be written with those of the suite. */
  reports: readonly WantedReport[];
  /** These variables of the environment hold keys: nobody who is told gets to see them. */
  protect: (keyNames: readonly string[]) => void;
  /**
   * Tells what it came to: on standard output, to GitHub, and to those who are not there; resolves with whether these were told.
   * `notices`: where that is entered; left out: nowhere.
   */
  tell: (conclusion: Conclusion, exitCode: number, notices?: NoticeBook) => Promise<Telling>;
  /** Does the work; those who are not there are told too when it cannot be done. */
  watch: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Checks flags and paths before anything is done. Throws USAGE and OUTPUT_UNWRITABLE. */
export async function openDelivery(flags: DeliveryFlags, terminal: Terminal): Promise<Delivery> {
  const asked = wantedReports(flags);
  const toStdout = asked.some(({ path }) => path === "-");
  needOneDocument(flags.json, flags.output);
  if (asked.length > 0) {
    const { checkOutput } = await import("../../report/write/output.ts");
    for (const { path } of asked) await checkOutput(path);
  }
  const env = process.env;
  const keyNames: string[] = [];
  const notify = await openNotify(flags, { env, keyNames, terminal });
  const onGithub = env["GITHUB_ACTIONS"] === "true";
  const ofStep = onGithub ? await stepReport(env["GITHUB_STEP_SUMMARY"] ?? "", terminal) : [];

  return {
    reports: [...asked, ...ofStep],
    protect: (names) => void keyNames.push(...names),
    async tell(conclusion, exitCode, notices) {
      const { summary, model, isTold, unwritten, news: changesSinceNotice } = conclusion;
      const { printSummary } = await import("./summary.ts");
      const { sentence, details } = whatToTell(conclusion, exitCode);
      if (flags.json || (isTold && !toStdout)) printSummary(conclusion, flags, terminal);
      else if (!isTold) {
        // An exit code alone would tell nobody what it is about.
        terminal.note(`${sentence}\nFiles: ${summary.files.map(({ path }) => path).join(", ")}`);
      }
      for (const { error } of unwritten) terminal.fail(error);
      if (onGithub) {
        const { githubAnnotations } = await import("../../report/formats/github.ts");
        const root = env["GITHUB_WORKSPACE"] ?? "";
        for (const line of githubAnnotations(model, rowsIn(conclusion, root))) terminal.annotate(line);
      }
      const { state, word, claim } = model.verdict;
      const isProblem = exitCode !== exitCodes.ok.code || hasProblem(model);
      const alarms = model.alarms.map((alarm) => ({ state: alarm.state, sentence: alarm.sentence }));
      const page = summary.files.find(({ path }) => path.endsWith(formatNamed("html").file));
      const report = linkOf(flags, env, summary.batch) ?? (page === undefined ? null : resolve(page.path));
      const { suite, batch } = summary;
      return notify(
        {
          suite,
          batch,
          state,
          word,
          claim,
          isProblem,
          sentence,
          details,
          problems: problemsBeside(model),
          alarms,
          news: changesSinceNotice,
          ofNights: conclusion.ofNights,
          exitCode,
          report,
        },
        notices,
      );
    },
    async watch(work) {
      try {
        return await work();
      } catch (error) {
        await notify(noticeOfFailure(error, linkOf(flags, env, "")));
        throw error;
      }
    },
  };
}

/** A way to tell those who are not there. */
async function openNotify(
  flags: DeliveryFlags,
  given: { env: NodeJS.ProcessEnv; keyNames: string[]; terminal: Terminal },
): Promise<(notice: Notice, notices?: NoticeBook) => Promise<Telling>> {
  const { keyNames, terminal } = given;
  const ways = await noticeWays(flags, given);
  return async (plain, notices) => {
    if (notices !== undefined && notices.earlier !== null) return "before";
    if (ways === null) return "nobody";
    const doubts = notices?.doubts ?? [];
    if (doubts.length === 0 && !isWanted(flags["notify-on"], plain)) {
      // A problem of which nobody hears is not passed over in silence.
      const isWrong = plain.isProblem || plain.news.state === "still";
      if (isWrong) terminal.note(nobodyToldWords(plain.news, Date.now()));
      return "told";
    }
    const notice = { ...plain, sentence: [plain.sentence, ...doubts].join(". ") };
    const { sendNotice } = await import("../../app/report/notify.ts");
    if (ways.command !== null) {
      const { storedKeyNames } = await import("../../app/batches/key-names.ts");
      keyNames.push(...storedKeyNames(flags.results));
    }
    notices?.begin();
    const failures = await sendNotice(notice, ways);
    for (const failure of failures) terminal.warn(failure);
    return failures.length === 0 ? "told" : "failed";
  };
}

function noticeOfFailure(error: unknown, report: string | null): Notice {
  const reported = storeFailure("the database", error);
  const isExpected = reported instanceof AppError;
  return {
    suite: null,
    batch: null,
    state: "failed",
    word: null,
    claim: "none",
    isProblem: true,
    sentence: isExpected ? reported.message : "a fault in tandem itself",
    details: [],
    problems: [],
    alarms: [],
    // Nothing is known of a night that was none.
    news: { state: "new", since: null, sentence: null, troubles: [] },
    ofNights: null,
    exitCode: isExpected ? reported.exitCode : exitCodes.crash.code,
    report,
  };
}

/** The verdict; or, where a run did not get to its end, why, and how it goes on: nobody sees the terminal. */
function whatToTell({ summary, model }: Conclusion, exitCode: number): Pick<Notice, "sentence" | "details"> {
  const { sentence } = model.verdict;
  const details = factTexts(model);
  if (exitCode !== exitCodes.couldNotRun.code || summary.stopped.length === 0) return { sentence, details };
  const reasons = summary.stopped.map(({ name, reason, advice }) => {
    const why = `${name} was stopped: ${withoutEnd(reason)}.`;
    return advice === null ? why : `${why} ${advice}`;
  });
  const next = `Next, ${summary.nextWhy}: \`${summary.next}\``;
  return { sentence: [...new Set(reasons), next].join(" "), details: [sentence, ...details] };
}

/** True for a notice of the kind that people want; a problem that goes on is no change. */
function isWanted(on: NotifyFlags["notify-on"], { isProblem, news: changesSinceNotice }: Notice): boolean {
  if (on === "problem") return isProblem;
  return on === "always" || changesSinceNotice.state === "new" || changesSinceNotice.state === "over";
}

/** The summary of a step in GitHub Actions; a run is worth more than it, so that one that cannot be written is a warning. */
async function stepReport(path: string, terminal: Terminal): Promise<WantedReport[]> {
  if (path === "") return [];
  try {
    await appendFile(path, "");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    terminal.warn(`GITHUB_STEP_SUMMARY cannot be written: ${why}`);
    return [];
  }
  return [{ format: "markdown", path, append: true }];
}

async function noticeWays(
  flags: NotifyFlags,
  { env, keyNames, terminal }: { env: NodeJS.ProcessEnv; keyNames: readonly string[]; terminal: Terminal },
): Promise<NoticeWays | null> {
  const { notify, "notify-command": command = null } = flags;
  const address = notify === undefined ? null : addressOf(notify, process.env);
  if (notify !== undefined && address === null) {
    // A run is worth more than word of it: a pull request from a fork has no secrets.
    const name = notify.slice(fromEnvironment.length);
    terminal.warn(`--notify: the environment variable ${name} is not set: no notice will be sent`);
  }
  if (address === null && command === null) return null;
  const { noticeMs, webhookUrl } = await import("../../app/report/notify.ts");
  const url = address === null ? null : webhookUrl(address);
  return { url, command, env, keyNames, timeoutMs: noticeMs };
}

const fromEnvironment = "env:";

/** Null: the variable that should hold it is not set. */
function addressOf(given: string, env: NodeJS.ProcessEnv): string | null {
  if (!given.startsWith(fromEnvironment)) return given;
  const address = envValue(env, given.slice(fromEnvironment.length));
  return address === "" ? null : address;
}

function linkOf(flags: NotifyFlags, env: NodeJS.ProcessEnv, batch: string): string | null {
  const link = flags["notify-link"];
  if (link !== undefined) return link.replaceAll("{batch}", encodeURIComponent(batch));
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  if (server === undefined || repository === undefined || run === undefined) return null;
  return `${server}/${repository}/actions/runs/${run}`;
}

/** The rows to look at, with the file of each as it is named in the repository; of a file outside of it there is none. */
function rowsIn({ worst, places }: Conclusion, root: string): PlacedRow[] {
  return worst.map((each) => {
    const found = places.get(each.row.key);
    const file = found === undefined ? ".." : relative(root, found.path);
    const isInside = file !== "" && !file.startsWith("..") && !isAbsolute(file);
    return {
      ...each,
      at: found === undefined || !isInside ? null : { file: file.replaceAll("\\", "/"), line: found.line },
    };
  });
}
