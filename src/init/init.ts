import { standInBot } from "../suite/stand-in.ts";
import { defaultResults } from "../lib/paths/results-folder.ts";
import { suiteFileName } from "../suite/file-name.ts";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { AppError } from "../errors.ts";
import type { Proposal } from "../score/proposal/proposal.ts";
import type { SuiteFileInput } from "../suite/schema/schema.ts";
import type { Roles } from "./roles.ts";
import { bringsChecks, type Sheet } from "./sheet.ts";
import type { OwnBot, Written } from "./conversion.ts";
import { schemaAddress } from "./schema-address.ts";
import { suiteText } from "./suite-text.ts";
import { withoutSheetEndings } from "../dataset/sheet-kind.ts";
import { isPromptfooColumn } from "../dataset/import/promptfoo.ts";

export interface InitRequest {
  /** The dataset. */
  path: string;
  sheet: Sheet;
  roles: Roles;
  /** Folder that the suite is written to. */
  folder: string;
  /** Writes over files that are there. */
  force: boolean;
  name: string;
  /** The deployment and target of the user's own bot; null: a bot on this machine is asked. */
  bot: OwnBot | null;
  /** Sentences above the target in the suite. */
  remark: readonly string[];
  /** A folder with saved configurations in `bots/`; null: one is made from the sheet. */
  bots: string | null;
  /** Scorers that fit the expected answers, the best first. */
  scorers: readonly Proposal[];
  /** A judge that fits them too, as an entry. */
  judge: string | null;
  /** Format of the dataset, if a flag gave it. */
  format: SuiteFileInput["format"];
}

/** The name of a suite for a dataset. */
export function nameFor(path: string): string {
  return withoutSheetEndings(basename(path)) || "suite";
}

/** Writes a suite, and a bot where none is given. Nothing is overwritten: USAGE says what exists. */
export async function writeInit(request: InitRequest): Promise<Written[]> {
  const { path, sheet, roles, folder, name } = request;
  const { bot } = request;
  const own = request.bots === null && bot === null;
  const bots = request.bots ?? join(folder, "bots");
  const exampleIds = own ? [standInBot] : bot === null ? configurationsIn(bots) : [];
  const dataset = fromFolder(folder, path);
  const files: NewFile[] = [
    {
      path: newSuitePath(folder),
      about: "the suite: what is sent where",
      text: suiteText({
        name,
        dataset,
        rows: sheet.rows,
        schema: schemaAddress(folder),
        roles,
        bot,
        remark: request.remark,
        bots: embeddedFolder(folder, bots),
        exampleIds,
        format: request.format,
        scorers: request.scorers,
        judge: request.judge,
        hasChecks: bringsChecks(sheet),
      }),
    },
    ...ignoreFile(folder),
  ];
  if (own) {
    files.push(
      { path: join(bots, "bots", `${standInBot}.yaml`), about: "a bot that stands in for yours", text: botText },
      { path: join(bots, "knowledge", "sheet.jsonl"), about: "what it knows", text: knowledgeText(sheet, roles) },
    );
  }
  return writeFiles(files, request.force);
}

/** A file that is to be written. */
export interface NewFile extends Written {
  text: string;
}

/** Keeps results and keys out of git, where the folder has no such file yet: what people wrote there is theirs. */
export function ignoreFile(folder: string): NewFile[] {
  const path = join(folder, ".gitignore");
  if (existsSync(path)) return [];
  return [{ path, about: "keeps results and keys out of git", text: `/${defaultResults}/\n.env\n` }];
}

/** Writes all files or none. Without `force` nothing is overwritten: USAGE says what exists. */
export async function writeFiles(files: readonly NewFile[], force = false): Promise<Written[]> {
  if (!force) refuseExisting(files.map(({ path }) => path));
  await writeNew(files, force);
  return files.map((file) => ({ path: shown(file.path), about: file.about }));
}

/** Throws USAGE for files that are there already. */
export function refuseExisting(paths: readonly string[]): void {
  const existing = paths.filter((path) => existsSync(path)).map(shown);
  if (existing.length > 0) throw exists(existing);
}

/** The suite that is written into a folder, whatever bot is asked. */
export const newSuitePath = (folder: string): string => join(folder, suiteFileName);

const exists = (paths: readonly string[]): AppError =>
  new AppError(
    "USAGE",
    `Nothing was written: ${paths.join(", ")} ${paths.length === 1 ? "exists" : "exist"} already.`,
    {
      hint: "Write over it with --force, or choose another folder with --dir.",
    },
  );

/** All or nothing: what was written before a fault is taken back. */
async function writeNew(files: readonly { path: string; text: string }[], force: boolean): Promise<void> {
  const done: string[] = [];
  try {
    for (const { path, text } of files) {
      await mkdir(dirname(path), { recursive: true });
      const isThere = force && existsSync(path);
      // Never over a file that came into being meanwhile.
      await writeFile(path, text, { flag: force ? "w" : "wx" });
      if (!isThere) done.push(path);
    }
  } catch (cause) {
    for (const path of done) await rm(path, { force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("OUTPUT_UNWRITABLE", `The suite cannot be written: ${reason}`, {
      hint: "Choose another folder with --dir.",
      cause,
    });
  }
}

/** The saved bots of a folder by their ids. */
function configurationsIn(bots: string): string[] {
  const folder = join(bots, "bots");
  const ids = existsSync(folder)
    ? readdirSync(folder).flatMap((file) => (/\.ya?ml$/i.test(file) ? [basename(file, extname(file))] : []))
    : [];
  if (ids.length > 0) return ids.toSorted();
  throw new AppError("USAGE", `--bots ${bots}: there is no saved bot in ${folder}.`, {
    hint: "It needs files such as bots/assistant.yaml; without --bots one is made from the sheet.",
  });
}

/** The saved bots of a folder as the parts of a suite. */
export function savedBots(folder: string, bots: string): OwnBot {
  const targets = configurationsIn(bots).map((id) => [id, localTarget(id)] as const);
  return {
    deployments: { local: { base_url: `local:${embeddedFolder(folder, bots)}` } },
    targets: Object.fromEntries(targets),
  };
}

const localTarget = (id: string) => ({ deployment: "local", endpoint: "video-bots", example_id: id });

/** A folder of bots as the address of an embedded deployment names it. */
const embeddedFolder = (folder: string, bots: string): string =>
  `./${fromFolder(folder, bots)}`.replace(/^\.\/(?=\.|\/)/, "");

/** A path from the folder, with slashes, as it is written in a suite. */
export const fromFolder = (folder: string, path: string): string =>
  relative(resolve(folder), resolve(path)).split(sep).join("/");

const shown = (path: string): string => relative("", path) || path;

/**
 * The knowledge in the sheet itself, as articles of an embedded bot: one for each pair of question and answer (JSON
 * Lines). Without answers each question is an article, so that the bot has something to say.
 */
function knowledgeText(sheet: Sheet, { question, prompt, answer: hoped, stored }: Roles): string {
  const answer = hoped ?? stored?.answer ?? null;
  return sheet.sample
    .flatMap((row, index) => {
      const title = (prompt === null ? (row[question] ?? "") : variablesOf(row)).trim();
      const text = (answer === null ? title : row[answer])?.trim() ?? "";
      return title === "" || text === "" ? [] : [`${JSON.stringify({ id: `row-${index + 1}`, title, text })}\n`];
    })
    .join("");
}

/** The cells that fill a prompt: what the bot can find again in it. */
function variablesOf(row: Record<string, string>): string {
  const cells = Object.entries(row).filter(([name]) => !isPromptfooColumn(name));
  return cells.map(([, cell]) => cell).join(" ");
}

/** The bot itself. */
const botText = `# A bot that stands in for yours, until you write the address of your own into the suite. It answers from knowledge/, which was
# made of the sheet: it is as good as the sheet. \`tandem serve bots\` serves it alone.
knowledge: [knowledge]
fallback: I do not know.
seed: tandem
`;
