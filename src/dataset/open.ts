import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { AppError } from "../errors.ts";

/** The bytes of a dataset as they come; DATASET_NOT_FOUND when it cannot be opened or read. */
export async function* openDataset(
  path: string,
  shown: string,
  standardInput: AsyncIterable<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  if (path === "-") {
    if (standardInput === undefined)
      throw new AppError("DATASET_NOT_FOUND", "There is no standard input to read the dataset from.");
    yield* standardInput;
    return;
  }
  await requireFile(path, shown);
  const stream: AsyncIterable<Uint8Array> = createReadStream(path, { highWaterMark: 16 * 1024 });
  try {
    yield* stream;
  } catch (cause) {
    throw unreadable(shown, cause);
  }
}

/** Throws DATASET_NOT_FOUND for what is no file: a pipe in its place would be waited for, and a device be read forever. */
export async function requireFile(path: string, shown: string): Promise<void> {
  const found = await stat(path).catch((cause: unknown) => {
    throw unreadable(shown, cause);
  });
  if (found.isFile() || found.isDirectory()) return;
  throw new AppError("DATASET_NOT_FOUND", `The dataset ${shown} cannot be used: it is a pipe, a device or a socket.`, {
    hint: "Name a file; rows from another program come by standard input: `PROGRAM | tandem run -`.",
  });
}

/** DATASET_NOT_FOUND for a file that the system does not give. */
export function unreadable(shown: string, cause: unknown): AppError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  const reason = reasons[code] ?? `it cannot be read (${code})`;
  return new AppError("DATASET_NOT_FOUND", `The dataset ${shown} cannot be used: ${reason}.`, {
    cause,
    hint: "Check the path; paths in a suite are relative to the suite file.",
  });
}

const reasons: Partial<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "this user may not read it",
};
