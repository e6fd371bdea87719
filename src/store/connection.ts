// better-sqlite3 and its types stay in this folder: a program that uses the library would have to install them too.

/** An open database of tandem: others hand it from one function of the store to the next, and only the store reads and writes in it. */
export interface Connection {
  /** The path of its file. */
  readonly name: string;
  /** False once it is closed. */
  readonly open: boolean;
  /** True when it has no file. */
  readonly memory: boolean;
  close(): void;
  [Symbol.dispose](): void;
}
