const words: Readonly<Record<string, string>> = {
  EMFILE: "this process may open no more files (`ulimit -n` says how many)",
  ENFILE: "the system has no more files to open",
  ENOSPC: "no room is left",
  EDQUOT: "the quota of the disk is used up",
  ENOMEM: "no memory is left",
};

/** The sentence about an error by which this machine lacks something; null for any other. */
export function machineLimit(error: unknown): string | null {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const lacks = words[code];
  return lacks === undefined || !(error instanceof Error)
    ? null
    : `This machine cannot go on: ${lacks} (${error.message}).`;
}
