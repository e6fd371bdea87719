import { statusWords } from "../../lib/status-words.ts";
import { steadyNow } from "../../lib/clock.ts";
import { type NoticeBook, openNoticeBook } from "../../app/batches/notices.ts";
import type { Access, Sender } from "../../app/send/sender.ts";
import { stopOf } from "../../app/send/stop-advice.ts";
import type { Conclusion } from "../../app/report/conclude.ts";
import type { RunContext } from "../../app/context.ts";
import { AppError, exitCodes } from "../../errors.ts";
import { judgePrice, targetPrice } from "../../suite/prices.ts";
import { askedJudges } from "../../suite/used.ts";
import { visible } from "../../report/text/visible.ts";
import { Budget, type BudgetLimits } from "../../runner/budget.ts";
import type { QueueEvent } from "../../runner/queue-event.ts";
import { removeAllLeftovers } from "../../lib/leftovers.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import { caseKeys } from "../../store/plan/case-keys.ts";
import type { Suite } from "../../suite/suite.ts";
import { checkAddresses } from "../../suite/address.ts";
import { variablesIn } from "../../suite/environment.ts";
import { secretNames } from "../../suite/key.ts";
import { loadDotEnv } from "../dot-env.ts";
import type { Delivery } from "./delivery.ts";
import { type EventLog, eventOf, openEvents, type RunEvent } from "./events.ts";
import { Interrupts } from "./interrupts.ts";
import { shortDuration } from "./queue-line.ts";
import { announceNews } from "./run-news.ts";
import { reachLines } from "./reach.ts";
import { openSpans } from "./spans.ts";
import { Progress } from "./progress.ts";
import { graceOf, limitsOf, type SendFlags, durationOf } from "../flags/run-flags.ts";
import type { CommandResult } from "../command-result.ts";
import type { Terminal } from "../terminal.ts";
import { localSender } from "../../app/send/local-sender.ts";
import type { InDoubtPolicy } from "../../store/journal/in-doubt.ts";
import { openAccess } from "../access.ts";
import type { WorkersFlags } from "../flags/workers-flags.ts";
import { workersAddress } from "../workers-address.ts";

/** Flags of every command that sends. */
type RunFlags = SendFlags & SenderFlags & { preflight?: boolean };

interface RunOptions extends Pick<RunContext, "suite" | "trust" | "resumeCommand" | "rerun" | "watchesJudges"> {
  flags: RunFlags;
  terminal: Terminal;
  /** The database is there: a batch goes on. */
  mustExist?: boolean;
  /** The part of the suite that is asked. Default: all of it. */
  asked?: Asked;
  /** Tells what it came to. */
  delivery?: Delivery;
}

/** The deployments that are reached, and who is asked there. */
type Asked = Pick<Suite, "deployments" | "targets" | "judges" | "scorers" | "folder" | "name">;

/** A run of this command line, while everything that it needs is open. */
export interface RunHere {
  run: RunContext;
  /** Shows no more progress; returns 130 or 143 after a signal, else null. */
  close: () => number | null;
  /** The end of the command, told to who follows its events as well. */
  end: (batch: { name: string; state: string }, result: CommandResult) => CommandResult;
}

/**
 * Does the work of a command that sends, with everything open that it needs: keys, the way of its requests, the database, its
 * progress, its events and the heed of signals.
 */
export async function withRun(
  given: RunOptions,
  work: (opened: RunHere) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { flags, suite, asked = suite } = given;
  const limits = limitsOf(flags);
  const graceMs = graceOf(flags, process.env);
  if (limits.cost !== null) needPrices(asked);
  const output = openOutput(flags, given.terminal);
  try {
    // A stored suite names its variables too.
    loadDotEnv(asked.deployments.flatMap((each) => [...secretNames(each), ...variablesIn(each.writtenUrl ?? "")]));
    checkAddresses(asked, process.env);
    const opened = await openSender(asked, flags);
    try {
      return await workShown({ ...given, asked }, { limits, graceMs, output, opened }, work);
    } finally {
      await opened.close();
    }
  } finally {
    // Its timer would keep the process alive, whatever was refused since.
    output.events?.close();
  }
}

/** Does the work with everything open but the database, with its progress shown, and with signals heeded. */
async function workShown(
  given: RunOptions & { asked: Asked },
  {
    limits,
    graceMs,
    output: { events, terminal, quiet, announce },
    opened: { sender, access },
  }: { limits: BudgetLimits; graceMs: number; output: ReturnType<typeof openOutput>; opened: OpenSender },
  work: (opened: RunHere) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { flags, suite, trust, asked, mustExist = false, delivery, resumeCommand, rerun, watchesJudges } = given;
  const interrupts = new Interrupts({ terminal, graceMs, isShown: terminal.live && !quiet, writesReports: true });
  const progress = new Progress(terminal, quiet, () => interrupts.lines());
  try {
    const isInterrupted = (): boolean => interrupts.exitCode !== null;
    const notified = quiet ? () => {} : notify(terminal, asked, isInterrupted);
    // Over workers, only code that grades is of this machine.
    const reached = asked.deployments.filter(({ name }) => access.has(name));
    if (!quiet) for (const line of reachLines(reached, trust, process.env)) terminal.note(line);
    removeAllLeftovers(flags.results);
    using db = openDatabase(databasePath(flags.results), { mustExist });
    const keyOf = caseKeys(db);
    const run: RunContext = {
      db,
      out: flags.results,
      suite,
      trust,
      sender,
      budget: new Budget(limits, steadyNow()),
      cache: flags.cache,
      preflight: flags.preflight ?? true,
      failOn: flags["fail-on"] ?? [],
      reports: delivery?.reports ?? [],
      resumeCommand,
      rerun,
      watchesJudges,
      resumeFlags: resumeFlagsOf(flags),
      onNotice: terminal.note,
      onEvent: (event) => {
        events?.write(eventOf(event, keyOf));
        notified(event);
      },
      onRunner: (runner) => {
        interrupts.watch(runner);
        progress.watch(runner);
      },
      isInterrupted,
      tell: (news) => announceNews(news, { suite, announce, onNotice: terminal.note }),
    };
    return await work({
      run,
      close() {
        progress.close();
        return interrupts.exitCode;
      },
      end({ name, state }, result) {
        const exit = interrupts.exitCode ?? result.exit ?? exitCodes.ok.code;
        events?.write({ type: "finished", batch: name, state, exitCode: exit });
        return { ...result, exit };
      },
    });
  } finally {
    progress.close();
    interrupts.close();
  }
}

/** Runs a batch to its conclusion, and tells what it came to: on the terminal, to people and to collectors. */
export async function runToConclusion(
  given: RunOptions & {
    delivery: Delivery;
    /** Told by a process that was killed, for sure or perhaps. */
    toldBefore?: NoticeBook["earlier"];
  },
  work: (opened: RunHere) => Promise<Conclusion>,
): Promise<CommandResult> {
  const { flags, terminal, delivery, suite, toldBefore = null } = given;
  delivery.protect(suite.deployments.flatMap(secretNames));
  const sendSpans = await openSpans(flags, terminal);
  return withRun(given, async (opened) => {
    const conclusion = await work(opened);
    const interrupted = opened.close();
    const { summary, exitCode } = conclusion;
    const notices = openNoticeBook(flags.results, { ...summary, earlier: toldBefore });
    // Where somebody could not be told, the next night finds the same to be new.
    notices.end(await delivery.tell(conclusion, interrupted ?? exitCode, notices));
    await sendSpans(summary.batch);
    return opened.end({ name: summary.batch, state: summary.state }, { exit: exitCode });
  });
}

/** A limit of cost that cannot be kept is refused before anything is paid. */
function needPrices(suite: Asked): void {
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
function notify(terminal: Terminal, suite: Asked, isInterrupted: () => boolean): (event: QueueEvent) => void {
  const paces = new Map<string, number>();
  const reported = new Set<string>();
  const tellOnce = (line: string): void => {
    if (!reported.has(line)) terminal.note(line);
    reported.add(line);
  };
  const fullPace = (queue: string): number =>
    suite.deployments.find(({ name }) => queue.startsWith(`${name}/`))?.concurrency ?? Number.POSITIVE_INFINITY;
  return (event) => {
    const stop = stopOf(event, suite);
    // An interrupt has told itself.
    if (stop !== null && !isInterrupted()) {
      terminal.note(`${terminal.style("red", "stopped")} ${stop.name}: ${visible(stop.reason)}`);
      if (stop.advice !== null) terminal.note(`  ${stop.advice}`);
    }
    if (event.type === "long-wait") {
      const [asked, wait] = [event.askedMs, event.waitMs].map((ms) => shortDuration(ms));
      terminal.note(`${event.queue}: the service asks for a wait of ${asked}; it will be asked again in ${wait}`);
    }
    const deployment = visible(event.queue.slice(0, event.queue.lastIndexOf("/")));
    if (event.type === "away") {
      const most = event.patienceMs === null ? "" : `, for at most ${shortDuration(event.patienceMs)}`;
      terminal.note(
        `${deployment} answers ${statusWords(event.status)}: nothing is lost; one request at a time looks whether it is back${most}`,
      );
    }
    if (event.type === "back")
      terminal.note(`${deployment} is back after ${shortDuration(event.forMs)}; what a gateway answered is sent again`);
    if (event.type !== "pace") return;
    const { queue, reason, concurrency } = event;
    const before = paces.get(queue) ?? fullPace(queue);
    paces.set(queue, concurrency);
    // Recovery comes in many small steps, and shows in the pace.
    if (concurrency < before) tellOnce(`${queue}: ${reason}; now at most ${concurrency} at once`);
    else if (concurrency === before) tellOnce(`${queue}: ${reason}`);
  };
}

/** The flags by which a command chooses who sends its requests. */
type SenderFlags = Partial<WorkersFlags> & { "on-in-doubt"?: InDoubtPolicy | undefined };

/** The sender of a command's requests, with everything it needs open. */
interface OpenSender {
  sender: Sender;
  /** Deployments that this machine itself asks; empty: workers do. */
  access: Map<string, Access>;
  close: () => Promise<void>;
}

/** The flags by which a command that is told to go on takes the same way. */
const resumeFlagsOf = ({ workers }: SenderFlags): string[] => (workers === true ? ["--workers"] : []);

/** Sends from here, or over workers: these have the keys themselves, and judges are asked from here. */
async function openSender(
  suite: Pick<Suite, "deployments" | "judges" | "scorers">,
  flags: SenderFlags,
): Promise<OpenSender> {
  if (flags.workers !== true) {
    const { access, close } = await openAccess(suite.deployments, process.env);
    return { sender: localSender(access), access, close };
  }
  const { remoteSender } = await import("../../workers/submit/remote-sender.ts");
  const { openSession } = await import("../../workers/submit/session.ts");
  const wait = flags["wait-for-workers"];
  const judging = new Set(askedJudges(suite).map(({ deployment }) => deployment));
  const { access, close } = await openAccess(
    suite.deployments.filter(({ name }) => judging.has(name)),
    process.env,
  );
  try {
    const session = await openSession(workersAddress(), {
      onInDoubt: flags["on-in-doubt"] ?? null,
      waitsForMs: wait === undefined ? null : durationOf("--wait-for-workers", wait),
    });
    const closeBoth = async (): Promise<void> => void (await Promise.all([close(), session.close()]));
    return { sender: remoteSender(session, localSender(access)), access, close: closeBoth };
  } catch (error) {
    await close();
    throw error;
  }
}
