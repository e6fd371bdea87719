import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { WarmCommand } from "./warm-process.ts";

/** The end of a process of the real binary. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

/** A process that runs one command after the other: most of the work of a short one is to load and compile its code. */
interface Warm {
  run(command: Omit<WarmCommand, "end">): Promise<Ended>;
  readonly child: ChildProcess;
  readonly isOver: boolean;
}

/** A command that is under way. */
export interface Begun {
  child: ChildProcess;
  ended: Promise<Ended>;
}

const program = fileURLToPath(new URL("warm-process.ts", import.meta.url));
/** Processes that have nothing to do, by the words that started them. */
const idle = new Map<string, Warm[]>();

/** Runs the real binary in a process that is warm and has nothing to do; one that ends with its command is replaced. */
export function beginWarm(line: readonly string[], command: Omit<WarmCommand, "end">): Begun {
  const alike = idle.get(line.join(" ")) ?? [];
  idle.set(line.join(" "), alike);
  const warm = alike.pop() ?? startWarm(line, command.env);
  const ended = warm.run(command).then((end) => {
    if (!warm.isOver) alike.push(warm);
    return end;
  });
  return { child: warm.child, ended };
}

function startWarm([first = process.execPath, ...rest]: readonly string[], env: Record<string, string>): Warm {
  const child = spawn(first, [...rest, program], { env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  let isOver = false;
  const closed = new Promise<Pick<Ended, "code" | "signal">>((resolve) =>
    child.once("close", (code, signal) => {
      isOver = true;
      resolve({ code, signal });
    }),
  );
  const out = reader(child.stdout);
  const err = reader(child.stderr);
  return {
    child,
    get isOver() {
      return isOver;
    },
    run: async (command) => {
      const end = `\n${randomUUID()}\n`;
      const reported = new Promise<Pick<Ended, "code" | "signal">>((resolve) =>
        child.once("message", (code) => resolve({ code: Number(code), signal: null })),
      );
      child.send({ ...command, end });
      const all = Promise.all([reported, out.until(end), err.until(end)]).then(([ended]) => ended);
      const ended = await Promise.race([all, closed]);
      return { ...ended, out: out.take(end), err: err.take(end) };
    },
  };
}

/** Collects what a stream says until a line that says that it is all. */
function reader(stream: ChildProcess["stdout"]): { until(end: string): Promise<void>; take(end: string): string } {
  let text = "";
  let look = (): void => {};
  stream?.setEncoding("utf8").on("data", (more: string) => {
    text += more;
    look();
  });
  return {
    until: (end) =>
      new Promise((resolve) => {
        look = () => {
          if (text.endsWith(end)) resolve();
        };
        look();
      }),
    take: (end) => {
      const said = text.endsWith(end) ? text.slice(0, -end.length) : text;
      text = "";
      return said;
    },
  };
}
