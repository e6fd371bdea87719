import type { FailOn } from "../../errors.ts";
import { statusWords } from "../../lib/status-words.ts";
import { steadyNow } from "../../lib/clock.ts";
import { type NoticeBook, openNoticeBook } from "../../app/batches/notices.ts";
import type { Transport, Access } from "../../app/send/transport.ts";
import { stopOf } from "../../app/send/stop-advice.ts";
import type { Conclusion } from "../../app/report/conclude.ts";
import type { AskingAgain } from "../../app/confirm.ts";
import type { WantedReport } from "../../app/report/report-writer.ts";
import { AppError, exitCodes } from "../../errors.ts";
import { judgePrice, targetPrice } from "../../suite/prices.ts";
import { askedJudges } from "../../suite/used.ts";
import { visible } from "../../report/text/visible.ts";
import { Budget, type BudgetLimits } from "../../runner/budget.ts";
import type { QueueEvent } from "../../runner/queue-event.ts";
import type { CodeTrust } from "../../score/contract/code-trust.ts";
import type { Suite } from "../../suite/suite.ts";
import { checkAddresses } from "../../suite/address.ts";
import { variablesIn } from "../../suite/environment.ts";
import { secretNames } from "../../suite/key.ts";
import { loadDotEnv } from "../dot-env.ts";
import type { Delivery } from "./delivery.ts";
import { type EventLog, eventOf, openEvents, type RunEvent } from "./events.ts";
import { Interrupts } from "./interrupts.ts";
import { shortDuration } from "./queue-line.ts";
import { reachLines } from "./reach.ts";
import { openSpans } from "./spans.ts";
import { Progress } from "./progress.ts";
import { graceOf, limitsOf, type SendFlags, durationOf } from "../flags/run-flags.ts";
import type { CommandResult } from "../command-result.ts";
import type { Terminal } from "../terminal.ts";
import { localSender } from "../../app/send/local-sender.ts";
import type { InDoubtPolicy } from "../../store/journal/in-doubt.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { openAccess } from "../access.ts";
import { namespaceOf, type WorkersFlags } from "../flags/workers-flags.ts";
import { workersAddress } from "../workers-address.ts";

/** The tools of a command's work: options for sending, and a way to announce the batch. */
export interface Shared extends AskingAgain {
  /** Takes over replies of judges to questions that were asked before. */
  cache: boolean;
  /** Tries the scorers and one case of each target before the rest is sent. */
  preflight: boolean;
  failOn: FailOn;
  /** Reports to be written beside those of the suite. */
  reports: readonly WantedReport[];
  /** Flags that a resume of this needs beside the batch's name. */
  resumeFlags: string;
  announce: (event: RunEvent, line: string) => void;
  /** Stops a batch at the workers before it goes on here; left out: not asked for. */
  takeBack?: Transport;
}

interface Sending<Result> {
  terminal: Terminal;
  flags: SendFlags & WayFlags & { preflight?: boolean };
  suite: Pick<Suite, "deployments" | "targets" | "judges" | "scorers" | "folder" | "name">;
  /** Leave to run code, which is then told; null or left out: none is run. */
  trust?: CodeTrust | null;
  work: (shared: Shared) => Promise<Result>;
}

/**
 * Runs the work of a command that sends, and all around it: access, progress, events, interrupts, summary, exit code.
 */
export async function executeBatch({
  ending,
  toldBefore = null,
  ...given
}: Sending<Conclusion> & {
  ending: Delivery;
  /** Told by a process that was killed, for sure or perhaps; null or left out: nobody was. */
  toldBefore?: NoticeBook["earlier"];
}): Promise<CommandResult> {
  ending.protect(given.suite.deployments.flatMap(secretNames));
  const spans = await openSpans(given.flags, given.terminal);
  return runWithProgress({
    ...given,
    work: (shared) => given.work({ ...shared, reports: ending.reports }),
    tell: async (conclusion, interrupted) => {
      const { summary, exitCode } = conclusion;
      const notices = openNoticeBook(given.flags.results, { ...summary, earlier: toldBefore });
      // Where somebody could not be told, the next night finds the same to be new.
      const telling = await ending.tell(conclusion, interrupted ?? exitCode, notices);
      notices.end(telling);
      await spans(summary.batch);
      return { batch: summary.batch, state: summary.state, result: { exit: exitCode } };
    },
  });
}

/** A limit of cost that cannot be kept is refused before anything is paid. */
function needPrices(suite: Pick<Suite, "deployments" | "targets" | "judges" | "scorers">): void {
  const unpriced = [
    ...suite.targets.filter((target) => target.stored === undefined && targetPrice(suite, target) === null),
    ...askedJudges(suite).filter((judge) => judgePrice(suite, judge) === null),
  ];
  if (unpriced.length === 0) return;
  const names = unpriced.map(({ name }) => name).join(", ");
  throw new AppError("USAGE", `--max-cost needs to know what a run costs, and there is no price for ${names}.`, {
    hint: "Write `price` at the deployment, the target or the judge, or limit the requests: --budget N.",
  });
}

/** A result of work that sends, with its batch and the state of that for the events. */
interface Told {
  batch: string;
  state: string;
  result: CommandResult;
}

/** The same for work that ends in something else, of which `tell` makes the result. */
export async function runWithProgress<Result>(
  given: Sending<Result> & {
    tell: (result: Result, interrupted: number | null) => Promise<Told>;
  },
): Promise<CommandResult> {
  const { flags, suite } = given;
  const limits = limitsOf(flags);
  const graceMs = graceOf(flags, process.env);
  if (limits.cost !== null) needPrices(suite);
  const output = openOutput(flags, given.terminal);
  try {
    // A stored suite names its variables too.
    loadDotEnv(suite.deployments.flatMap((each) => [...secretNames(each), ...variablesIn(each.writtenUrl ?? "")]));
    checkAddresses(suite, process.env);
    const opened = await openTransport(suite, flags);
    try {
      return await showAndWork(given, { limits, graceMs, output, opened });
    } finally {
      await opened.close();
    }
  } finally {
    // Its timer would keep the process alive, whatever was refused since.
    output.events?.close();
  }
}

/** Does the work with everything open, with its progress shown, and with signals heeded. */
async function showAndWork<Result>(
  given: Parameters<typeof runWithProgress<Result>>[0],
  {
    limits,
    graceMs,
    output: { events, terminal, quiet, announce },
    opened: { way, takeBack, access },
  }: { limits: BudgetLimits; graceMs: number; output: ReturnType<typeof openOutput>; opened: OpenWay },
): Promise<CommandResult> {
  const { flags, suite } = given;
  const onNotice = (message: string): void => terminal.note(message);
  const interrupts = new Interrupts({ terminal, graceMs, isShown: terminal.live && !quiet, writesReports: true });
  const progress = new Progress(terminal, quiet, () => interrupts.lines());
  try {
    const reported = quiet ? () => {} : tellTo(terminal, suite, () => interrupts.exitCode !== null);
    // Over workers, only code that grades is of this machine.
    const reached = suite.deployments.filter(({ name }) => access.has(name));
    if (!quiet) for (const line of reachLines(reached, given.trust ?? null, process.env)) terminal.note(line);
    let keyOf: ((caseId: number) => string) | null = null;
    const result = await given.work({
      way,
      ...(takeBack !== null && { takeBack }),
      cache: flags.cache,
      preflight: flags.preflight ?? true,
      failOn: flags["fail-on"] ?? [],
      reports: [],
      resumeFlags: resumeFlagsOf(flags),
      budget: new Budget(limits, steadyNow()),
      onRunner: (runner, caseKey) => {
        keyOf = caseKey;
        interrupts.watch(runner);
        progress.watch(runner);
      },
      onEvent: (event) => {
        events?.write(eventOf(event, keyOf));
        reported(event);
      },
      onNotice,
      announce,
      onAskedAgain: ({ sentence, ...asked }) => announce({ type: "asked-again", ...asked }, sentence),
    });
    progress.close();
    const { batch, state, result: told } = await given.tell(result, interrupts.exitCode);
    const exit = interrupts.exitCode ?? told.exit ?? exitCodes.ok.code;
    events?.write({ type: "finished", batch, state, exitCode: exit });
    return { ...told, exit };
  } finally {
    progress.close();
    interrupts.close();
  }
}

/** Where a command that sends says what it does: on the terminal, and to the file or program that follows its events. */
function openOutput(flags: Pick<SendFlags, "events" | "quiet">, given: Terminal) {
  const events = flags.events === undefined ? null : openEvents(flags.events);
  const ownsStderr = events?.ownsStderr === true;
  const terminal = ownsStderr ? notesAsEvents(given, events) : given;
  const quiet = flags.quiet || ownsStderr;
  const announce = (event: RunEvent, line: string): void => {
    events?.write(event);
    if (!quiet) terminal.note(line);
  };
  return { events, terminal, quiet, announce };
}

const notesAsEvents = (terminal: Terminal, events: EventLog): Terminal => ({
  ...terminal,
  live: false,
  note: (message) => events.write({ type: "note", message }),
});

/** Tells a person what an endpoint queue does that is out of the ordinary: a stop with what to do about it, a slower pace. */
function tellTo(
  terminal: Terminal,
  suite: Pick<Suite, "name" | "deployments" | "targets" | "folder">,
  isInterrupted: () => boolean,
): (event: QueueEvent) => void {
  const paces = new Map<string, number>();
  const reported = new Set<string>();
  const tellOnce = (line: string): void => {
    if (!reported.has(line)) terminal.note(line);
    reported.add(line);
  };
  const fullPace = (lane: string): number =>
    suite.deployments.find(({ name }) => lane.startsWith(`${name}/`))?.concurrency ?? Number.POSITIVE_INFINITY;
  return (event) => {
    const stop = stopOf(event, suite);
    // An interrupt has told itself.
    if (stop !== null && !isInterrupted()) {
      terminal.note(`${terminal.style("red", "stopped")} ${stop.name}: ${visible(stop.reason)}`);
      if (stop.advice !== null) terminal.note(`  ${stop.advice}`);
    }
    if (event.type === "long-wait") {
      const [asked, wait] = [event.askedMs, event.waitMs].map((ms) => shortDuration(ms));
      terminal.note(`${event.lane}: the service asks for a wait of ${asked}; it will be asked again in ${wait}`);
    }
    const deployment = visible(event.lane.slice(0, event.lane.lastIndexOf("/")));
    if (event.type === "away") {
      const most = event.patienceMs === null ? "" : `, for at most ${shortDuration(event.patienceMs)}`;
      terminal.note(
        `${deployment} answers ${statusWords(event.status)}: nothing is lost; one request at a time looks whether it is back${most}`,
      );
    }
    if (event.type === "back")
      terminal.note(`${deployment} is back after ${shortDuration(event.forMs)}; what a gateway answered is sent again`);
    if (event.type !== "pace") return;
    const { lane, reason, concurrency } = event;
    const before = paces.get(lane) ?? fullPace(lane);
    paces.set(lane, concurrency);
    // Recovery comes in many small steps, and shows in the pace.
    if (concurrency < before) tellOnce(`${lane}: ${reason}; now at most ${concurrency} at once`);
    else if (concurrency === before) tellOnce(`${lane}: ${reason}`);
  };
}

/** The flags by which a command chooses the way of its requests. */
type WayFlags = Partial<WorkersFlags> & {
  "on-in-doubt"?: InDoubtPolicy | undefined;
  "take-back"?: boolean | undefined;
  "wait-for-workers"?: string | undefined;
};

/** The way of a command's requests, with everything it needs open. */
interface OpenWay {
  way: Transport;
  /** Stops a batch at the workers and brings what is done; null: the command does not ask for that. */
  takeBack: Transport | null;
  /** Deployments that this machine itself asks; empty: workers do. */
  access: Map<string, Access>;
  close: () => Promise<void>;
}

/** The flags by which a command that is told to go on takes the same way. */
function resumeFlagsOf({ workers, namespace = "default", "take-back": isTakenBack }: WayFlags): string {
  if (workers !== true || isTakenBack === true) return "";
  return namespace === "default" ? " --workers" : ` --workers --namespace ${shellWord(namespace)}`;
}

/** Opens the way from here, or over workers: these have the keys themselves. */
async function openTransport(suite: Pick<Suite, "deployments">, flags: WayFlags): Promise<OpenWay> {
  if (flags.workers !== true) {
    const { access, close } = await openAccess(suite.deployments, process.env);
    return { way: localSender(access), takeBack: null, access, close };
  }
  const { remoteSender, takingBack } = await import("../../worker/submit/remote-sender.ts");
  const { openSession } = await import("../../worker/submit/session.ts");
  const { batchFileOf } = await import("../../app/batch-file.ts");
  const wait = flags["wait-for-workers"];
  const session = await openSession(workersAddress(), {
    namespace: namespaceOf({ namespace: flags.namespace ?? "default" }),
    onInDoubt: flags["on-in-doubt"] ?? null,
    waitsForMs: wait === undefined ? null : durationOf("--wait-for-workers", wait),
    planFile: batchFileOf,
  });
  if (flags["take-back"] !== true)
    return { way: remoteSender(session), takeBack: null, access: new Map(), close: session.close };
  try {
    const { access, close } = await openAccess(suite.deployments, process.env);
    const closeBoth = async (): Promise<void> => void (await Promise.all([close(), session.close()]));
    return { way: localSender(access), takeBack: takingBack(session), access, close: closeBoth };
  } catch (error) {
    await session.close();
    throw error;
  }
}
