import { AppError } from "../errors.ts";

/** Codes with which Node tells that a package or its binary is not there, or is none for this machine. */
const missing = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_DLOPEN_FAILED"]);

/** STORE_DRIVER when an error says that SQLite's binary cannot be loaded; every other comes back as it is. */
export function driverFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || !missing.has(String(error.code))) return error;
  if (!/better[-_]sqlite3|\.node\b/.test(error.message)) return error;
  const [reason = ""] = error.message.split("\n");
  return new AppError("STORE_DRIVER", `SQLite cannot be loaded on this machine: ${reason}`, {
    hint: `Install tandem again on this machine. It brings SQLite for Linux, macOS and Windows, each for x64 and arm64; this is ${process.platform} ${process.arch}, Node ${process.versions.node}.`,
    cause: error,
  });
}
