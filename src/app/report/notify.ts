import { storedVersion } from "../../lib/stored-version.ts";
import { spawn } from "node:child_process";
import { AppError } from "../../errors.ts";
import { basicLogin, parseAddress, hostAddress } from "../../lib/address.ts";
import { keylessEnvironment } from "../../lib/keyless.ts";
import { showText } from "../../lib/show.ts";
import type { HistoryAlarm } from "../../report/shape/alarm.ts";
import type { VerdictState } from "../../report/shape/model.ts";
import { type VerdictClaim, type VerdictWord, wordFacts } from "../../compare/verdict-word.ts";
import type { ChangesSinceNotice } from "../../report/shape/changes-since-notice.ts";
import { newsMark } from "../../report/say/nights.ts";
import { visible } from "../../report/text/visible.ts";
import { isLoopbackAddress } from "../../suite/key.ts";

/** Each way of a notice may take so long. */
export const noticeMs = 15_000;

/** A notice for people who did not watch the run. */
export interface Notice {
  suite: string | null;
  batch: string | null;
  /** `failed`: it could not even run. */
  state: VerdictState | "failed";
  /** The same as it is said; null: there is no verdict. */
  word: VerdictWord | null;
  claim: VerdictClaim;
  /** Something is wrong, whatever the exit code. */
  isProblem: boolean;
  /** The headline; where a run did not get to its end, why. */
  sentence: string;
  /** The lines below the figures. */
  details: readonly string[];
  /** Why it is a problem although its word does not say so, such as a tag that lost everything; empty: the word says it, or it is none. */
  problems: readonly string[];
  /** Changes over the nights of the suite that were noticed tonight, go on, or ended tonight. */
  alarms: readonly Pick<HistoryAlarm, "state" | "sentence">[];
  /** The same beside what people were told before: new or not. */
  news: ChangesSinceNotice;
  /** The same beside every night, as the terminal says it. */
  ofNights: ChangesSinceNotice | null;
  exitCode: number;
  /** Address or path of the report. */
  report: string | null;
}

/** Ways to send a notice. */
export interface NoticeWays {
  /** A webhook. */
  url: URL | null;
  /** A shell command. */
  command: string | null;
  /** The environment of the command; variables with keys are taken out of it. */
  env: Readonly<Record<string, string | undefined>>;
  /** Names of the variables that hold keys. */
  keyNames: readonly string[];
  /** Longest time of each way, in milliseconds. */
  timeoutMs: number;
}

/** An address that a verdict may be sent to: https, or http to this machine. Throws USAGE, without the address. */
export function webhookUrl(text: string): URL {
  const { url, fault } = parseAddress(text);
  if (url !== null && (url.protocol === "https:" || isLoopbackAddress(url.hostname))) return url;
  const why = fault === null ? "" : `: what was given ${fault}`;
  throw new AppError("USAGE", `--notify takes an https address (or http to this machine)${why}.`, {
    // A webhook is as good as a key: it is not repeated.
    hint: "What was given is not shown, because such addresses are secret; env:NAME takes it from the environment.",
  });
}

/** Tells in every way that was asked for; gives what went wrong, one sentence each. Never throws. */
export async function sendNotice(notice: Notice, ways: NoticeWays): Promise<string[]> {
  const failures: string[] = [];
  const tried = async (work: Promise<void>, about: string): Promise<void> => {
    try {
      await work;
    } catch (error) {
      failures.push(`${about}: ${reasonOf(error)}`);
    }
  };
  if (ways.url !== null) await tried(post(ways.url, notice, ways.timeoutMs), `--notify (${ways.url.origin}) failed`);
  if (ways.command !== null) await tried(runCommand(ways.command, notice, ways), "--notify-command failed");
  return failures;
}

/** The notice in one line: what a channel shows. */
function noticeText(notice: Notice): string {
  const { suite, state, word, sentence, problems, news, ofNights, isProblem, alarms, report } = notice;
  // A problem is marked as new or old, where it is named; beside what is fine stands what is over.
  const shown = word === null ? state.toUpperCase() : wordFacts(word).shown;
  const mark = isProblem ? newsMark(ofNights ?? news, Date.now()) : "";
  const isNamed = problems.length === 0 || (word !== null && wordFacts(word).isProblem);
  const verdict = state === "none" ? "" : `${shown}${isNamed ? mark : ""} - `;
  const over = isProblem || news.sentence === null ? "" : `${news.sentence}. `;
  const why = problems.length === 0 ? "" : `. Problem${isNamed ? "" : mark}: ${problems.join(" ")}`;
  const reported = `${suite ?? "tandem"}: ${verdict}${over}${sentence}${why}`;
  const text = [reported, ...alarms.map((alarm) => alarm.sentence)].join(" | ");
  return report === null ? text : `${text} (${report})`;
}

async function post(url: URL, notice: Notice, timeoutMs: number): Promise<void> {
  const login = basicLogin(url);
  const response = await fetch(hostAddress(url), {
    method: "POST",
    headers: { "content-type": "application/json", ...(login !== null && { authorization: `Basic ${login}` }) },
    body: JSON.stringify({ text: chatText(noticeText(notice)) }),
    // The address is a secret of the host that was named.
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`it answered ${response.status}`);
}

/** Escapes <, with which mentions and links begin in Slack, and @, with which mentions begin elsewhere. */
function chatText(text: string): string {
  const one = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").slice(0, mostText);
  return visible(one)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/@(?=[\p{L}\p{N}_])/gu, "@\u2060");
}

const mostText = 3_000;

/** Its standard output is put with our standard error: ours is for the result. */
function runCommand(command: string, notice: Notice, { env, keyNames, timeoutMs }: NoticeWays): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(command, {
      shell: true,
      stdio: ["pipe", 2, "inherit"],
      env: { ...keylessEnvironment(env, keyNames), ...noticeVariables(notice) },
      // A group of its own, so that what the shell started ends with it.
      detached: process.platform !== "win32",
    });
    const timer = setTimeout(() => {
      stop(child.pid);
      failed(new Error(`it took longer than ${timeoutMs / 1000} s and was stopped`));
    }, timeoutMs);
    child.once("error", (error) => {
      clearTimeout(timer);
      failed(error);
    });
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) done();
      else failed(new Error(code === null ? `it was ended by ${signal ?? "a signal"}` : `it ended with ${code}`));
    });
    // A command that does not read is no failure.
    child.stdin?.on("error", () => {});
    const { ofNights: _, ...shown } = notice;
    child.stdin?.end(`${JSON.stringify({ version: storedVersion, ...shown, news: newsForPrograms(notice.news) })}\n`);
  });
}

function stop(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** Instants are ISO 8601, as everywhere in JSON. */
function newsForPrograms({ state, since, sentence }: ChangesSinceNotice) {
  return { state, sentence, since: since === null ? null : new Date(since).toISOString() };
}

function noticeVariables({ news, ...notice }: Notice): Record<string, string> {
  const variables = {
    TANDEM_SUITE: notice.suite ?? "",
    TANDEM_BATCH: notice.batch ?? "",
    TANDEM_VERDICT: notice.state,
    TANDEM_WORD: notice.word ?? "",
    TANDEM_CLAIM: notice.claim,
    TANDEM_SENTENCE: notice.sentence,
    TANDEM_NEWS: news.state,
    TANDEM_SINCE: newsForPrograms(news).since ?? "",
    TANDEM_EXIT_CODE: String(notice.exitCode),
    TANDEM_REPORT: notice.report ?? "",
  };
  // A variable ends at its first NUL.
  return Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, text.replaceAll("\0", " ")]));
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return showText(String(error));
  if (error.name === "TimeoutError") return "no answer in time";
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
