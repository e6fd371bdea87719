/** Commands with --json, and the schema of what they print: docs/reference/json. */
export const schemaOfCommand = {
  run: "run",
  resume: "run",
  night: "run",
  demo: "run",
  compare: "run",
  merge: "run",
  plan: "plan",
  validate: "validate",
  doctor: "doctor",
  init: "init",
  score: "score",
  label: "label",
  judge: "judge",
  rubric: "rubric",
  pin: "pin",
  report: "report",
  export: "export",
  spans: "spans",
  "send-scores": "send-scores",
  batches: "batches",
  history: "history",
  view: "view",
  serve: "serve",
  completion: "completion",
  workers: "workers",
  schedule: "schedule",
} as const;

/** Files with a schema of their own, and where they stand below docs/reference. */
const schemaOfFile = { suite: "suite", "report.json": "report" } as const;

/** The names that a schema can be asked for by. */
export const schemaNames = [...Object.keys(schemaOfFile), ...Object.keys(schemaOfCommand), "error"];

/** The file of a schema, below docs/reference in a checkout and below dist/schemas when installed. */
export function pathOfSchema(name: string): string {
  for (const [known, file] of Object.entries(schemaOfFile)) if (known === name) return `${file}.schema.json`;
  for (const [known, file] of Object.entries(schemaOfCommand)) if (known === name) return `json/${file}.schema.json`;
  return `json/${name}.schema.json`;
}
