const ofRuns = new Set(["run", "resume", "night", "demo", "compare", "merge"]);

/** The file of the JSON Schema of what a command prints with --json, or of its errors. */
export const jsonSchemaFile = (name: string): URL =>
  new URL(`../../dist/schemas/json/${ofRuns.has(name) ? "run" : name}.schema.json`, import.meta.url);
