import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Writable } from "node:stream";
import { tempSuffix } from "../../lib/leftovers.ts";
import { commandFilter } from "../../lib/ci-commands.ts";
import { type OpenReport, openReport, unwritable } from "./output.ts";
import { settled, unfinished } from "./unfinished.ts";

/** A report to be written piece by piece to a path; `-` is standard output, which is neither closed nor taken back. */
export async function openOutput(
  path: string,
  { stdout, isBinary }: { stdout: Writable; isBinary: boolean },
): Promise<OpenReport> {
  if (path !== "-") return openReport(path);
  // A reader that went away is no fault of the report.
  const write = (piece: Uint8Array): Promise<void> => new Promise((done) => stdout.write(piece, () => done()));
  // Bytes that are no text would be damaged by a look for commands in them.
  if (isBinary) {
    return {
      write: async (piece) => write(Buffer.from(await piece)),
      close: async () => {},
      discard: async () => {},
    };
  }
  const filter = commandFilter();
  return {
    write: async (piece) => write(filter.push(await piece)),
    close: () => write(filter.end()),
    discard: async () => {},
  };
}

/** A report at the end of a file that others write to as well. */
export async function openAppended(path: string): Promise<OpenReport> {
  try {
    const file = await open(path, "a");
    return {
      write: async (piece) => file.appendFile(await piece),
      close: () => file.close(),
      discard: () => file.close(),
    };
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/** Text that is kept in a file until what goes before it is known. */
export interface KeptText {
  write: OpenReport["write"];
  /** All of it, once, in pieces that stay as they are until the second after them: it takes the bytes of the first. */
  read: () => AsyncGenerator<Buffer>;
  discard: () => Promise<void>;
}

/** Keeps text beside the report that it is for. */
export async function keepText(reportPath: string): Promise<KeptText> {
  const folder = reportPath === "-" ? tmpdir() : dirname(resolve(reportPath));
  const path = join(folder, `.tandem-${tempSuffix()}.rows.tmp`);
  const file = await openReport(path);
  const remove = async (): Promise<void> => {
    await rm(path, { force: true });
    settled(path);
  };
  unfinished(path);
  return {
    write: (piece) => file.write(piece),
    async *read() {
      await file.close();
      try {
        yield* piecesOf(path);
      } finally {
        await remove();
      }
    },
    discard: async () => {
      await file.discard();
      await remove();
    },
  };
}

const pieceBytes = 64 * 1024;

/** Content of a file by turns in two buffers: a stream would leave as much to the garbage collector as the file is long. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  await using file = await open(path);
  let [next, last] = [Buffer.alloc(pieceBytes), Buffer.alloc(pieceBytes)];
  for (;;) {
    const { bytesRead } = await file.read(next, 0, pieceBytes, null);
    if (bytesRead === 0) return;
    yield next.subarray(0, bytesRead);
    [next, last] = [last, next];
  }
}
