const byAnswers =
  "Write the output under `answers`: a pattern of the prompt, and below it members such as output_text, reply_buttons or output_audio.";
const byParser =
  "Grade it by { type: module } over a parser of your choice: docs/guides/from-promptfoo.md has the file.";

/** Words of removed features, each with the sentence on what to use instead. */
const replacements: Readonly<Record<ReplacedKind, Readonly<Record<string, string>>>> = {
  key: {
    think: byAnswers,
    buttons: byAnswers,
    audio: byAnswers,
    transcripts: byAnswers,
    openings:
      "The words of an answer vary with sampling_temperature and seed; `tone: { prefix: ... }` begins every answer.",
    connect_timeout: "A connection has 10 s to stand; `timeout` is the longest time of a whole request.",
    lower_is_better:
      "Each type knows which way is better; of a module or command of your own more is: let it return 1 - value.",
    anchors:
      "Take it out: `tandem judge check NAME` keeps its questions, and `tandem night` asks them again each week where the judge decides a gate.",
    language_bias: "Plant the preference by length_bias, position_bias or noise.",
  },
  value: {
    parquet: "Write jsonl: DuckDB (read_json) and pandas (read_json with lines=True) read JSON Lines with their types.",
    scores:
      "Write csv: comparison.csv has the scores of all targets in a line for each case, runs.csv a line for each job.",
  },
  scorer: {
    "is-sql": byParser,
    "is-xml": byParser,
    "is-html": byParser,
    gleu: "Take bleu, which counts the same sequences of words.",
    meteor: "Take chrf, which knows endings of words, or bleu.",
  },
  probe: {
    language: "Compare the judge with people by language: tandem label draw, and a tag of the language.",
    family: "Compare the judge with people's labels of both sides: tandem label draw.",
  },
  ending: {
    ".parquet": "For DuckDB and pandas, write JSON Lines: -o FILE.jsonl",
    ".tsv": "For tabs between the cells, write -o FILE.csv --delimiter tab",
    ".tab": "For tabs between the cells, write -o FILE.csv --delimiter tab",
    ".json": "Write JSON Lines: -o FILE.jsonl; `jq -s .` makes a list of them.",
  },
};

/** Where a word stands: a key, one of several values or the type of a scorer in a suite, a part of `judge check`, or the end of the name of a table. */
export type ReplacedKind = "key" | "value" | "scorer" | "probe" | "ending";

/** The sentence on what to use in the place of a removed word; null: it is no removed word. */
export function replacementOf(kind: ReplacedKind, word: string): string | null {
  const known = replacements[kind];
  return Object.hasOwn(known, word) ? (known[word] ?? null) : null;
}
