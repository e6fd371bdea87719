import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { AppError } from "../../errors.ts";
import { placeInside } from "../../lib/inside-folder.ts";
import { loadSuite } from "../../suite/load.ts";
import type { Environment } from "../../suite/environment.ts";
import type { Schedule, ScheduleFile } from "../postgres/schedules.ts";

/** A path that leads nowhere but down, by names that are no secret. */
const isDown = (path: string): boolean =>
  path.split("/").every((step) => /^[^.\\:\0][^\\:\0]*$/.test(step) && !/\.env(?:\.|$)/i.test(step));

/**
 * Writes the files of a schedule below a folder and returns the path of its suite. Throws SUITE_INVALID where the suite would
 * read anything else of this machine, or send the address of the database: who submits it is not who runs this machine.
 */
export async function placeFiles(
  folder: string,
  { namespace, name, suite }: Pick<Schedule, "namespace" | "name" | "suite">,
  { files, env }: { files: readonly ScheduleFile[]; env: Environment },
): Promise<string> {
  const place = join(folder, "schedules", namespace, name);
  await rm(place, { recursive: true, force: true });
  for (const { path, sha256, bytes } of files) {
    if (!isDown(path)) throw refused(`${path} is no path below the folder of a suite`);
    if (createHash("sha256").update(bytes).digest("hex") !== sha256) throw refused(`${path} is not what was added`);
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), bytes);
  }
  const file = join(place, suite);
  const { suite: loaded, text } = await loadSuite(file, env);
  if (/TANDEM_WORKERS/i.test(text)) throw refused("it names TANDEM_WORKERS, which is a secret of this machine");
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
