import { createRedactor } from "../../client/redact.ts";
import type { ScoreWriter } from "../../store/scores/scores.ts";
import { type Environment, envValue } from "../../suite/environment.ts";
import { secretNames } from "../../suite/key.ts";
import type { Suite } from "../../suite/suite.ts";

/**
 * A writer of scores whose reasons hold no secret of the environment: a judge may repeat its key, and a program of the suite the
 * variables that it was given (`env`).
 */
export function withoutSecrets(
  writer: ScoreWriter,
  suite: Pick<Suite, "deployments" | "scorers">,
  env: Environment,
): ScoreWriter {
  const given = suite.scorers.flatMap(({ options }) => (Array.isArray(options["env"]) ? options["env"] : []));
  const names = [...suite.deployments.flatMap(secretNames), ...given.filter((name) => typeof name === "string")];
  const redactor = createRedactor(...names.map((name) => envValue(env, name) || null));
  return {
    ...writer,
    add: (row) => writer.add(row.reason === null ? row : { ...row, reason: redactor.text(row.reason) }),
  };
}
