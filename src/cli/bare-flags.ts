/** Flags that say something without a value as well. */
const bareFlags = new Set(["--failed", "--changed", "--events", "--otel"]);

/**
 * Names of files that commands read: a suite or a dataset. No batch has such a name, and nobody writes events there.
 */
const readable = /\.(?:ya?ml|csv|tsv|parquet)(?:\.gz)?$/i;

/** Datasets as well, but events may be written to such a file. */
const lines = /\.(?:jsonl|ndjson|json)(?:\.gz)?$/i;

/**
 * The arguments with an empty value for each flag that was given none, so that it does not take the suite or the dataset
 * behind it: `run --failed suite.yaml`.
 */
export function withBareFlags(args: readonly string[]): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  return args.map((arg, place) => {
    const next = args[place + 1];
    return place < end && bareFlags.has(arg) && next !== undefined && isRead(arg, next) ? `${arg}=` : arg;
  });
}

function isRead(flag: string, word: string): boolean {
  return readable.test(word) || (flag !== "--events" && (word === "-" || lines.test(word)));
}
