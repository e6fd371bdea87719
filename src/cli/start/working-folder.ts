import { AppError } from "../../errors.ts";

/** USAGE when an error says that the folder in which the command was given is gone; every other comes back as it is. */
export function folderFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || error.syscall !== "uv_cwd") return error;
  return new AppError("USAGE", "The folder that this command was given in was deleted or cannot be entered any more.", {
    hint: "Go to a folder that is there, also if this one was made anew (`cd` with its full path), and give the command again.",
    cause: error,
  });
}
