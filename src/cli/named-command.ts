import { statSync } from "node:fs";
import { AppError } from "../errors.ts";
import { showText } from "../lib/show.ts";
import { shellWord } from "../lib/shell-word.ts";
import { suggest } from "../lib/suggest.ts";
import { type Command, commandName } from "./command.ts";
import { commands } from "./commands.ts";

/** The command of that name; null where there is none. */
export function commandNamed(name: string | undefined): Command | null {
  return commands.find((command) => commandName(command) === name) ?? null;
}

/** Words that people try, and the command that does what they mean. */
const triedWords: Partial<Record<string, string>> = {
  validate: "check",
  plan: "check",
  doctor: "check",
  lint: "check",
  "dry-run": "check",
  eval: "run",
  test: "run",
  start: "run",
  continue: "resume",
  retry: "resume",
  list: "batches",
  ls: "batches",
  status: "batches",
  show: "batches show BATCH",
  remove: "batches remove BATCH",
  rm: "batches remove BATCH",
  delete: "batches remove BATCH",
  prune: "batches prune --keep 30",
  clean: "batches prune --keep 30",
  diff: "compare",
  spans: "send spans",
  "send-scores": "send langfuse",
  rubric: "judge rubrics",
  rubrics: "judge rubrics",
  worker: "workers serve",
  open: "view",
  ui: "view",
  create: "init SHEET",
  new: "init SHEET",
};

/** Advice for people who look for a schedule: tandem keeps none. */
const nightsByOthers =
  "Let cron, a systemd timer or a Kubernetes CronJob start `tandem night SUITE --workers`: deploy/ has one of each.";

/** Advice for words that are no command. */
const insteadOf: Partial<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(triedWords).map(([word, command]) => [word, `Type: tandem ${command}`])),
  schedule: nightsByOthers,
  cron: nightsByOthers,
  calibrate: "Run a suite with `compare: { same: true }`: `tandem history SUITE` counts the words of such nights.",
};

/** Words that people try behind a command, with advice. */
const triedActions: Partial<Record<string, Partial<Record<string, string>>>> = {
  workers: { schedule: nightsByOthers, cron: nightsByOthers, night: nightsByOthers, nights: nightsByOthers },
};

/** Throws USAGE for a word behind a command that it does not know, and that people try. */
export function checkAction(command: string, word: string | undefined): void {
  const instead = triedActions[command]?.[word ?? ""];
  if (word !== undefined && instead !== undefined)
    throw new AppError("USAGE", `tandem ${command} has no ${showText(word)}.`, { hint: instead });
}

/** The error about a name that no command has, with the one that was meant, or how the file of that name is run. */
export function unknownCommand(name: string): AppError {
  const isPlain = showText(name) === `"${name}"`;
  if (isPlain && /\.\w+$/.test(name) && statSync(name, { throwIfNoEntry: false })?.isFile() === true) {
    const hint = `To run this file: tandem run ${shellWord(name)}`;
    return new AppError("USAGE", `There is no command ${showText(name)}.`, { hint });
  }
  const instead = insteadOf[name];
  if (instead !== undefined) return new AppError("USAGE", `There is no command ${showText(name)}.`, { hint: instead });
  const meant = suggest(name, [...commands.map(commandName), "help"]);
  const hint = `${meant === null ? "" : `Did you mean ${meant}? `}See \`tandem --help\`.`;
  return new AppError("USAGE", `There is no command ${showText(name)}.`, { hint });
}
