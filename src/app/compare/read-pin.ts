import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { z } from "zod";
import { AppError, type FileFault } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { counted } from "../../report/words/quantity.ts";
import {
  pinEnd,
  pinFileVersion,
  pinHead,
  type PinHead,
  pinnedCase,
  type PinnedCase,
} from "../../store/pins/pin-lines.ts";

/** A file of an exported pin that is whole. */
export interface PinFile {
  head: PinHead;
  /** Hash of its content: the same content has the same. */
  hash: string;
  /** Read again from the file, one by one. */
  cases: () => Generator<PinnedCase>;
}

const mostFaults = 10;
const pageSize = 1 << 18;

/** Reads and checks a whole file; memory stays flat. Throws PIN_INVALID with every fault and its line. */
export function readPin(path: string): PinFile {
  const faults: FileFault[] = [];
  const fault = (line: number, message: string): void => void faults.push({ file: path, line, column: null, message });
  const hash = createHash("sha256");
  let head: PinHead | null = null;
  let end: z.infer<typeof pinEnd> | null = null;
  let [number, cases] = [0, 0];
  for (const text of linesOf(path)) {
    number += 1;
    if (text.trim() === "") continue;
    if (end !== null) {
      fault(number, "comes after the last line");
      break;
    }
    const read: { value: PinHead | PinnedCase } | string = head === null ? headIn(text) : parsed(text, pinnedCase);
    const closing = head !== null && typeof read === "string" ? parsed(text, pinEnd) : "";
    if (typeof closing !== "string") {
      end = closing.value;
      const message = endFault(end, cases, hash.digest("hex"));
      if (message !== null) fault(number, message);
      continue;
    }
    hash.update(`${text}\n`);
    if (head !== null) cases += 1;
    if (typeof read === "string") fault(number, read);
    else if (head === null && "tandem_pin" in read.value) head = read.value;
    if (head === null || faults.length >= mostFaults) break;
  }
  if (number === 0) fault(1, "is missing: the file is empty");
  if (head !== null && end === null && faults.length === 0) {
    fault(number, `is the last one, after ${counted(cases, "case")}: the file is cut off`);
  }
  if (head === null || end === null || faults.length > 0) throw invalid(path, faults);
  return { head, hash: end.sha256, cases: () => casesOf(path) };
}

/** The cases of a file that was checked. */
function* casesOf(path: string): Generator<PinnedCase> {
  let isFirst = true;
  for (const text of linesOf(path)) {
    if (text.trim() === "") continue;
    const read = isFirst ? "" : parsed(text, pinnedCase);
    isFirst = false;
    if (typeof read !== "string") yield read.value;
  }
}

function headIn(text: string): { value: PinHead } | string {
  if (text.startsWith("version https://git-lfs"))
    return "is a Git LFS pointer, not the file itself: `git lfs pull` brings it";
  const read = parsed(text, pinHead);
  const version = /^\{"tandem_pin":(\d+)/.exec(text)?.[1];
  if (typeof read !== "string" || version === undefined || Number(version) === pinFileVersion) return read;
  return `tandem_pin: is version ${version} of the format, and this tandem reads version ${pinFileVersion}`;
}

function endFault(end: z.infer<typeof pinEnd>, cases: number, sha256: string): string | null {
  if (end.cases !== cases) return `says that there are ${counted(end.cases, "case")} before it, but there are ${cases}`;
  return end.sha256 === sha256 ? null : "does not agree with the lines before it: they were changed after the export";
}

function parsed<Value>(text: string, schema: z.ZodType<Value>): { value: Value } | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return `is no JSON: ${showText(text)}`;
  }
  const found = schema.safeParse(json);
  if (found.success) return { value: found.data };
  const [issue] = found.error.issues;
  return `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "does not fit"}`.replace(/^: /, "");
}

/** Lines without their ends, and without a byte order mark. */
function* linesOf(path: string): Generator<string> {
  const file = opened(path);
  try {
    const [page, decoder] = [Buffer.allocUnsafe(pageSize), new StringDecoder("utf8")];
    let rest: string | null = null;
    for (let size = readSync(file, page); size > 0; size = readSync(file, page)) {
      const text = decoder.write(page.subarray(0, size));
      const lines: string[] = ((rest ?? "") + (rest === null ? text.replace(/^\uFEFF/, "") : text)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield line.replace(/\r$/, "");
    }
    const last = (rest ?? "") + decoder.end();
    if (last !== "") yield last;
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError("PIN_INVALID", `${path} cannot be read: ${why}`, { cause: error });
  }
}

function invalid(path: string, faults: readonly FileFault[]): AppError {
  const told = faults.map(({ line, message }) => `  ${path}:${line ?? 1}: ${message}`);
  return new AppError("PIN_INVALID", [`${basename(path)} is no exported pin of this version:`, ...told].join("\n"), {
    hint: "Make it again with `tandem pin --export FILE`.",
    faults,
  });
}
