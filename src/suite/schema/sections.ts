import { z } from "zod";
import { compareSection, gate } from "./compare-schema.ts";
import { caseSection } from "./dataset-schema.ts";
import { runKeys } from "./run-schema.ts";
import { suiteFile } from "./schema.ts";
import { deployment, judgeSection, matrix, target, variedValues } from "./target-schema.ts";

type Shape = Readonly<Record<string, z.ZodType>>;
type SoundShape<Keys extends Shape> = { [Key in keyof Keys]: z.ZodCatch<z.ZodOptional<Keys[Key]>> };

/** The keys of a section that fit its schema; the others are undefined. */
function sound<Keys extends Shape>(keys: Keys): z.ZodObject<SoundShape<Keys>>;
function sound(keys: Shape): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(keys).map(([key, form]) => [key, orUndefined(form)])));
}

const orUndefined = <Form extends z.ZodType>(form: Form): z.ZodCatch<z.ZodOptional<Form>> =>
  form.optional().catch(undefined);

/** Entries by their names; one that is no map of keys has none. */
const named = <Entry extends z.ZodObject>(entry: Entry) =>
  z.record(
    z.string(),
    entry.catch(() => entry.parse({})),
  );

const text = z.string();

/** The keys by which scorers name each other and those that they ask; its type decides which of the others it has. */
const scorer = sound({
  type: text,
  name: text,
  primary: z.boolean(),
  of: z.union([z.array(text), z.record(z.string(), z.json())]),
  target: text,
  deployment: text,
  model: text,
  example_id: text,
}).catchall(z.json());

/** Keys whose presence decides what else is needed: one that does not fit counts as given. */
const caseKeys = sound(caseSection.shape).extend({ cluster: caseSection.shape.cluster.catch("") });
const targetKeys = sound(target.shape).extend({
  answers: target.shape.answers.catch(""),
  label: target.shape.label.catch(""),
});
const matrixKeys = sound(matrix.shape).extend({
  deployments: matrix.shape.deployments.catch([]),
  example_ids: matrix.shape.example_ids.catch([]),
  models: matrix.shape.models.catch([]),
  vary: z.record(z.string(), variedValues.catch([])).optional().catch({}),
});

const sections = z.object({
  case: orUndefined(caseKeys),
  deployments: orUndefined(named(sound(deployment.shape))),
  targets: named(targetKeys).optional().catch({}),
  matrix: matrixKeys.optional().catch({}),
  judges: named(sound(judgeSection.shape)).optional().catch({}),
  repeats: runKeys.repeats.catch(1),
  scorers: orUndefined(z.array(scorer.catch({}))),
  pass: orUndefined(suiteFile.shape.pass),
  compare: sound(compareSection.shape).optional().catch({}),
  gates: z.array(orUndefined(gate)).optional().catch([]),
});

/** The parts of a suite that refer to each other, as far as they fit the schema. Lists keep the places of their entries. */
export type Sections = z.output<typeof sections>;

/** Reads the sections of a suite; null where it is no map of keys. */
export function sectionsOf(written: unknown): Sections | null {
  return sections.safeParse(written).data ?? null;
}
