import { constants, crc32, deflateRawSync } from "node:zlib";
import { AppError } from "../../../errors.ts";

/** Bytes of a part that are packed together: more would wait in memory, fewer pack worse. */
const pieceBytes = 256 * 1024;

interface Entry {
  name: Buffer;
  /** Place of its header, counted from the first part of its run. */
  at: number;
  crc: number;
  packed: number;
  size: number;
}

/**
 * A run of parts of a ZIP archive, one after the other, each packed while it is written. Two runs can be written at once
 * and stand behind each other in the end, which libraries that write an archive from its start to its end do not do: a
 * sheet of a workbook waits in a file while another one grows. Equal parts are equal bytes: no time is written.
 */
export class ZipParts {
  readonly entries: Entry[] = [];
  /** Bytes of the run so far, with those that were taken. */
  length = 0;
  #open: Entry | null = null;
  #text = "";
  #pieces: Uint8Array[] = [];
  #waiting = 0;

  begin(name: string): void {
    this.end();
    this.#open = { name: Buffer.from(name), at: this.length, crc: 0, packed: 0, size: 0 };
    this.entries.push(this.#open);
    // Its sizes and its checksum are known at its end, and stand there.
    const header = Buffer.alloc(30);
    header.writeUInt32LE(localMark, 0);
    writeForm(header, 4);
    header.writeUInt16LE(this.#open.name.length, 26);
    this.#put(header, this.#open.name);
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= pieceBytes) this.#pack();
  }

  /** Ends the part that is written; nothing where none is. */
  end(): void {
    if (this.#open === null) return;
    this.#pack();
    const { crc, size } = this.#open;
    this.#put(lastBlock);
    const packed = (this.#open.packed += lastBlock.length);
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(sizesMark, 0);
    sizes.writeUInt32LE(crc, 4);
    sizes.writeUInt32LE(packed, 8);
    sizes.writeUInt32LE(within(size), 12);
    this.#put(sizes);
    this.#open = null;
  }

  /** Bytes of the open part before they are packed. */
  get partBytes(): number {
    return (this.#open?.size ?? 0) + this.#text.length;
  }

  /** True when there is enough to be written. */
  get isFull(): boolean {
    return this.#waiting >= pieceBytes;
  }

  /** The bytes that can be written by now. */
  take(): Uint8Array {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#waiting = 0;
    return bytes;
  }

  #pack(): void {
    if (this.#open === null || this.#text === "") return;
    const bytes = Buffer.from(this.#text);
    this.#text = "";
    // Each piece by itself ends on a byte, so that the next can follow it.
    const packed = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    this.#open.crc = crc32(bytes, this.#open.crc);
    this.#open.size += bytes.length;
    this.#open.packed += packed.length;
    this.#put(packed);
  }

  #put(...pieces: Uint8Array[]): void {
    for (const piece of pieces) {
      this.#pieces.push(piece);
      this.#waiting += piece.length;
      this.length += piece.length;
    }
  }
}

/** The directory of an archive of these runs, in the order in which they stand. Throws REPORT_UNWRITTEN beyond 4 GB. */
export function zipDirectory(runs: readonly ZipParts[]): Uint8Array {
  const pieces: Buffer[] = [];
  let start = 0;
  let count = 0;
  for (const { entries, length } of runs) {
    for (const { name, at, crc, packed, size } of entries) {
      const about = Buffer.alloc(46);
      about.writeUInt32LE(directoryMark, 0);
      about.writeUInt16LE(version, 4);
      writeForm(about, 6);
      about.writeUInt32LE(crc, 16);
      about.writeUInt32LE(packed, 20);
      about.writeUInt32LE(within(size), 24);
      about.writeUInt16LE(name.length, 28);
      about.writeUInt32LE(within(start + at), 42);
      pieces.push(about, name);
      count += 1;
    }
    start += length;
  }
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endMark, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(within(start), 16);
  return Buffer.concat([...pieces, end]);
}

const localMark = 0x04034b50;
const sizesMark = 0x08074b50;
const directoryMark = 0x02014b50;
const endMark = 0x06054b50;

/** An empty last block of a packed part. */
const lastBlock = deflateRawSync(Buffer.alloc(0));

/** 2.0: packed, without anything that came later. */
const version = 20;

/** Form of a part: version, sizes behind it and a name in UTF-8, deflate, and the first day that a ZIP can name. */
function writeForm(header: Buffer, at: number): void {
  header.writeUInt16LE(version, at);
  header.writeUInt16LE((1 << 3) | (1 << 11), at + 2);
  header.writeUInt16LE(8, at + 4);
  header.writeUInt16LE((1 << 5) | 1, at + 8);
}

function within(bytes: number): number {
  if (bytes <= 0xffff_ffff) return bytes;
  throw new AppError("REPORT_UNWRITTEN", "The workbook has more than 4 GB, which Excel cannot open.", {
    hint: "Write CSV or JSON Lines, or with `tandem export` only some columns and lines.",
  });
}
