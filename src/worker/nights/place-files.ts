import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { AppError } from "../../errors.ts";
import { placeInside } from "../../lib/paths/inside-folder.ts";
import { loadSuite, readWrittenSuite } from "../../suite/load.ts";
import type { Environment } from "../../suite/environment.ts";
import { showText } from "../../lib/show.ts";
import type { Schedule, ScheduleFile } from "../postgres/schedules.ts";
import { isNameOfSchedule, nameFault } from "./name-fault.ts";
import { wordFault } from "./night-words.ts";
import { allowedVariables, scheduleFault } from "./schedulable.ts";

/**
 * Writes the files of a schedule below a folder and returns the path of its suite. Throws SUITE_INVALID where the suite would
 * read anything else of this machine but variables of `env` that are `allowed`: who submits it is not who runs this machine,
 * and may have written rows that no command of ours would.
 */
export async function placeFiles(
  folder: string,
  { namespace, name, suite, words }: Pick<Schedule, "namespace" | "name" | "suite" | "words">,
  { files, allowed, env }: { files: readonly ScheduleFile[]; allowed: readonly string[]; env: Environment },
): Promise<string> {
  for (const each of [namespace, name])
    if (!isNameOfSchedule(each)) throw refused(`${showText(each)} is no name of a schedule or of a namespace`);
  if (files.every(({ path }) => path !== suite)) throw refused(`its suite ${showText(suite)} is not among its files`);
  if (!/\.ya?ml$/i.test(suite)) throw refused(`its suite ${showText(suite)} is none (.yaml)`);
  for (const word of words) {
    const fault = wordFault(word, { place: `schedules/${namespace}/${name}`, allowed });
    if (fault !== null) throw refused(`${showText(word)} ${fault}`);
  }
  for (const { path } of files) {
    const fault = nameFault(path);
    if (fault !== null) throw refused(`its file ${showText(path)} ${fault}`);
  }
  const place = join(folder, "schedules", namespace, name);
  await rm(place, { recursive: true, force: true });
  for (const { path, sha256, bytes } of files) {
    if (createHash("sha256").update(bytes).digest("hex") !== sha256)
      throw refused(`its file ${showText(path)} is not what was added`);
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), bytes);
  }
  const file = join(place, suite);
  const fault = scheduleFault(await readWrittenSuite(file));
  if (fault !== null) throw refused(`its suite ${fault}`);
  const { suite: loaded } = await loadSuite(file, allowedVariables(env, allowed));
  for (const dataset of loaded.datasets) {
    const found = placeInside(place, relative(place, dataset));
    if (!found.ok) throw refused(`the dataset ${relative(place, dataset)} ${found.fault}`);
  }
  return file;
}

const refused = (why: string): AppError =>
  new AppError("SUITE_INVALID", `The schedule cannot be run here: ${why}.`, {
    hint: "Add it again with `tandem schedule add`.",
  });
