import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import { endLife, isLifeMark, isLiving, isOwnLife, lifeMark } from "../../store/life-file.ts";

/** The folder of a worker: its id, and a folder for each database of which it has chunks. */
export interface WorkerFolder {
  id: string;
  /** The chunks that it has of the database it works for. */
  chunks: string;
  /** Databases other than that one of which results are kept here. */
  others: string[];
  close: () => void;
}

const isId = (text: string): boolean => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(text);

/** Opens the folder of a worker for a database. Throws USAGE where another worker has it. */
export function openFolder(folder: string, database: string): WorkerFolder {
  try {
    mkdirSync(join(folder, database), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new AppError("OUTPUT_UNWRITABLE", `The worker cannot write into ${folder}.`, {
      hint: "Name another folder: --folder DIR.",
      cause,
    });
  }
  lifeMark(folder);
  const other = readdirSync(folder).find(
    (name) => isLifeMark(name) && !isOwnLife(folder, name) && isLiving(folder, name),
  );
  if (other !== undefined) {
    endLife(folder);
    throw new AppError("USAGE", `Another worker has the folder ${folder}.`, {
      hint: "Each worker has a folder of its own: --folder DIR.",
    });
  }
  const names = readdirSync(folder);
  const others = names.filter(
    (name) => isId(name) && name !== database && readdirSync(join(folder, name)).some((file) => file.endsWith(".db")),
  );
  return { id: idIn(folder), chunks: join(folder, database), others, close: () => endLife(folder) };
}

function idIn(folder: string): string {
  const path = join(folder, "id");
  try {
    const known = readFileSync(path, "utf8").trim();
    if (isId(known)) return known;
  } catch {
    // It is made now.
  }
  const id = randomUUID();
  writeFileSync(path, `${id}\n`, { mode: 0o600 });
  return id;
}
