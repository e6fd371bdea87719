import { pathToFileURL } from "node:url";

/** A command that a warm process is to run; `end` follows its output on both streams. */
export interface WarmCommand {
  file: string;
  args: string[];
  folder: string;
  env: Record<string, string>;
  end: string;
}

/** Events of which a command may leave a listener behind; a listener of "exit" is called, and stays. */
const lasting = ["uncaughtException", "unhandledRejection", "warning", "SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"];

// Streams are made when they are first asked for: they belong to the process, not to the first command.
const streams = [process.stdout, process.stderr];
let commands = 0;

process.on("disconnect", () => process.exit(0));
process.on("message", (command: WarmCommand) => void run(command));

/** Runs the command once more, with all the code that its first run loaded. */
async function run({ file, args, folder, env, end }: WarmCommand): Promise<void> {
  const idle = counted();
  commands++;
  process.chdir(folder);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, file, ...args];
  process.exitCode = undefined;
  // What the command does not catch ends this process as it ends any other.
  await import(`${pathToFileURL(file).href}?${commands}`);
  // A process of its own would live on as long as something is under way in it.
  while (isBusier(idle)) await new Promise((resolve) => setTimeout(resolve, 1));
  const code = exitCode();
  process.emit("exit", code);
  for (const name of lasting) process.removeAllListeners(name);
  for (const stream of streams) stream.removeAllListeners("error");
  await Promise.all(streams.map((stream) => new Promise<void>((resolve) => stream.write(end, () => resolve()))));
  process.exitCode = undefined;
  process.send?.(code);
}

function exitCode(): number {
  return Number(process.exitCode ?? 0);
}

function isBusier(idle: Map<string, number>): boolean {
  return [...counted()].some(([kind, count]) => count > (idle.get(kind) ?? 0));
}

function counted(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
