import { z } from "zod";
import type { LogEntry } from "../../api/functions-schema.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";

const level = z.enum(["log", "warn", "error", "info", "debug", "trace"]);

/** Collects what a function logs, up to the limits of entries and bytes; the rest is only counted. */
export interface LogKeeper {
  /** Bytes that a message may still have; 0 when nothing more is kept. */
  room(): number;
  /** Counts an entry that is not kept. */
  skip(): void;
  /** Keeps an entry. Both texts come from the sandbox and are checked here. */
  add(level: string, messageJson: string): void;
  /** The entries that were kept, with a last one about those that were left out. */
  entries(): LogEntry[];
}

export function keepLogs(limits: SandboxLimits): LogKeeper {
  const kept: LogEntry[] = [];
  let bytesLeft = limits.output_bytes;
  let skipped = 0;
  const room = (): number => (kept.length < limits.log_entries ? bytesLeft : 0);
  return {
    room,
    skip: () => {
      skipped += 1;
    },
    add(levelText, messageJson) {
      const checked = level.safeParse(levelText);
      const message: unknown = JSON.parse(messageJson);
      if (!checked.success || typeof message !== "string") return;
      const bytes = Buffer.byteLength(message);
      if (bytes > room()) skipped += 1;
      else {
        bytesLeft -= bytes;
        kept.push({ level: checked.data, message });
      }
    },
    entries: () => {
      if (skipped === 0) return kept;
      const message = `${skipped} more log ${skipped === 1 ? "entry was" : "entries were"} left out: at most ${limits.log_entries} entries and ${limits.output_bytes} bytes are kept.`;
      return [...kept, { level: "warn", message }];
    },
  };
}
