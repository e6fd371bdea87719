import { raceRefusal } from "../early-end.ts";
import { fieldNameFault } from "../../lib/field-name.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { checkEndpoints } from "./endpoint-check.ts";
import { gateFaults } from "./gate-check.ts";
import { type Grid, gridOf, mostTargets, targetNameForm, targetNameWords } from "../matrix/grid.ts";
import { checkConnections } from "./connection-check.ts";
import { checkChoice } from "./choice-check.ts";
import { type Fault, type FaultPath, fault, faultsOf, keyFault } from "../../lib/fault.ts";
import { suiteFile } from "../schema/schema.ts";
import { type Sections, sectionsOf } from "../schema/sections.ts";
import { askedKeys, storedKeys } from "../schema/target-schema.ts";
import { checkJudges } from "./judges-check.ts";
import { checkScorerSections } from "./scorer-check.ts";

/** Everything that is wrong with a suite as it is written; its files, addresses and templates are looked at later. */
export function suiteFaults(written: unknown, more: readonly Fault[] = []): Fault[] {
  const ofSchema = faultsOf(suiteFile, written);
  const sections = sectionsOf(written);
  const others = sections === null ? [] : [...crossFaults(sections), ...more];
  // The sections lack all that the schema refuses: faults around it say nothing more.
  return [...ofSchema, ...others.filter(({ path }) => !ofSchema.some((known) => areRelated(known.path, path)))];
}

/** True where one of two paths leads to the other. The suite as a whole counts as its sections do. */
function areRelated(one: FaultPath, other: FaultPath): boolean {
  const length = Math.min(one.length, other.length);
  return length > 0 && one.slice(0, length).every((step, i) => step === other[i]);
}

/** Finds the faults that a schema cannot express: names that refer to each other, and keys that exclude each other. */
function crossFaults(sections: Sections): Fault[] {
  const grid = gridOf(sections.matrix);
  return [
    ...checkDeployments(sections),
    ...checkConnections(sections.deployments ?? {}),
    ...checkNames("targets", sections.targets, targetNameForm, targetNameWords),
    ...checkCount(Object.keys(sections.targets ?? {}).length),
    ...checkTargets(sections, grid),
    ...checkEndpoints(sections),
    ...checkCompare(sections, grid),
    ...(sections.case === undefined ? [] : checkCase(sections.case)),
    ...gateFaults(sections),
    ...checkScorerSections(sections),
    ...checkJudges(sections),
  ];
}

/** The names of the targets as far as they are written; of a matrix those that it makes. */
export const targetNames = (
  { targets, matrix }: Pick<Sections, "targets" | "matrix">,
  grid: Grid = gridOf(matrix),
): string[] => (targets === undefined ? grid.targets.map(({ name }) => name) : Object.keys(targets));

const deploymentName = /^[\p{L}\p{M}\p{N}_.-]{1,64}$/u;

/** Stored answers need no deployment. */
function checkDeployments({ targets, deployments }: Sections): Fault[] {
  const isAsked = targets === undefined || Object.values(targets).some(({ answers }) => answers === undefined);
  if (deployments === undefined) return isAsked ? [fault(["deployments"], "is required")] : [];
  const faults = checkNames("deployments", deployments, deploymentName, "letters, digits, _, - and .");
  return isAsked ? faults : faults.filter(({ path }) => path.length > 1);
}

function checkCount(count: number): Fault[] {
  if (count <= mostTargets) return [];
  const [listed, most] = [count.toLocaleString("en-US"), mostTargets.toLocaleString("en-US")];
  return [fault(["targets"], `lists ${listed} targets; at most ${most} can be compared`, "Split the suite.")];
}

function checkNames(section: string, entries: object | undefined, form: RegExp, allowed: string): Fault[] {
  if (entries === undefined) return [];
  const names = Object.keys(entries);
  if (names.length === 0) return [fault([section], "must have at least one entry")];
  return names
    .filter((name) => !form.test(name))
    .map((name) => keyFault([section, name], `name ${showText(name)} may hold only ${allowed}`));
}

function checkTargets({ targets, matrix, deployments }: Sections, grid: Grid): Fault[] {
  if (targets === undefined && matrix === undefined) {
    return [fault([], "needs targets or matrix: where the cases are sent")];
  }
  if (targets !== undefined && matrix !== undefined) {
    return [fault(["matrix"], "cannot be used together with targets", "Keep one of them.")];
  }
  const unknownDeployment = (name: unknown, path: FaultPath): Fault[] =>
    deployments === undefined || typeof name !== "string" || Object.hasOwn(deployments, name)
      ? []
      : [unknownName(path, "deployment", name, Object.keys(deployments))];
  const ofTargets = Object.entries(targets ?? {}).flatMap(([name, target]) => [
    ...unknownDeployment(target.deployment, ["targets", name, "deployment"]),
    ...checkTarget(name, target),
  ]);
  if (matrix === undefined) return ofTargets;
  const named = grid.targets.flatMap(({ values }) => values.get("deployment") ?? []);
  const places = new Map(named.map((value) => [JSON.stringify(value.path), value]));
  return [
    ...[...places.values()].flatMap(({ value, path }) => unknownDeployment(value, path)),
    ...grid.faults,
    ...checkPromptField(matrix, ["matrix"]),
    ...(matrix.vary?.["prompt"] !== undefined && matrix.prompt !== undefined
      ? [fault(["matrix", "prompt"], "cannot be used together with vary.prompt", "Keep one of them.")]
      : []),
  ];
}

type WrittenTarget = NonNullable<Sections["targets"]>[string];

const { endpoint: _named, price: _cost, ...whenAsked } = askedKeys;
const { answers: _column, ...besideAnswers } = storedKeys;

/** A target is asked, or its answers are stored. */
function checkTarget(name: string, target: WrittenTarget): Fault[] {
  const given = (keys: object): string[] =>
    Object.entries(target).flatMap(([key, value]) => (value !== undefined && key in keys ? [key] : []));
  if (target.answers !== undefined) {
    const wrong = given(whenAsked).map((key) =>
      fault(["targets", name, key], "cannot be used together with answers: nothing is sent", "Keep one of them."),
    );
    if (target.note === undefined || target.label !== undefined) return wrong;
    return [...wrong, fault(["targets", name, "note"], "needs label: what the remark is about")];
  }
  const missing = (["deployment", "endpoint"] as const).filter((key) => target[key] === undefined);
  return [
    ...checkPromptField(target, ["targets", name]),
    ...missing.map((key) => fault(["targets", name, key], "is required")),
    ...given(besideAnswers).map((key) =>
      fault(["targets", name, key], "needs answers: the column with the stored answers"),
    ),
  ];
}

/** The field of a prompt needs one. */
function checkPromptField(
  { prompt, prompt_field, vary }: Pick<NonNullable<Sections["matrix"]>, "prompt" | "prompt_field" | "vary">,
  path: FaultPath,
): Fault[] {
  if (prompt_field === undefined || prompt !== undefined || vary?.["prompt"] !== undefined) return [];
  return [fault([...path, "prompt_field"], "needs prompt: the file that becomes it")];
}

function checkCompare(sections: Sections, grid: Grid): Fault[] {
  const { compare } = sections;
  const names = targetNames(sections, grid);
  if (compare === undefined || names.length === 0) return [];
  const { baseline, candidates = [], same } = compare;
  const unknown = (name: string, path: FaultPath): Fault[] =>
    names.includes(name) ? [] : [unknownName(path, "target", name, names)];
  return [
    ...candidates.flatMap((name, i) =>
      candidates.indexOf(name) < i ? [fault(["compare", "candidates", i], `repeats ${showText(name)}`)] : [],
    ),
    ...(baseline === undefined ? [] : unknown(baseline, ["compare", "baseline"])),
    ...(same === true && names.length === 1
      ? [fault(["compare", "same"], "needs two targets: there is one side only")]
      : []),
    ...checkLooks(compare),
    ...checkChoice(sections, compare, { grid, names }),
    ...checkRace(compare),
    ...candidates.flatMap((name, i) => [
      ...unknown(name, ["compare", "candidates", i]),
      ...(name === baseline ? [fault(["compare", "candidates", i], `${showText(name)} is the baseline itself`)] : []),
    ]),
  ];
}

type WrittenCompare = NonNullable<Sections["compare"]>;

/** A race looks after every case, at what is asked for the best alone. */
function checkRace({ race, stop_when: stopWhen, ...compare }: WrittenCompare): Fault[] {
  const refusal = race === undefined ? null : raceRefusal({ ...compare, stopWhen });
  return refusal === null ? [] : [fault(["compare", "race"], refusal.why, refusal.advice)];
}

/** Two looks have levels of their own. */
function checkLooks({ looks, alpha, nights, stop_when: stopWhen }: WrittenCompare): Fault[] {
  if (looks !== 2) return [];
  const path = ["compare", "looks"];
  if (stopWhen === "decided")
    return [fault(path, "is 2, but a run that stops when it is decided looks after every case", "Leave looks out.")];
  if (nights !== undefined && nights !== 1)
    return [fault(path, "cannot be used together with nights: every night is a first look", "Leave looks out.")];
  return alpha === undefined || alpha === 0.05
    ? []
    : [fault(path, "sets the level of both looks (3 % each), and alpha another", "Leave alpha out.")];
}

type WrittenCase = NonNullable<Sections["case"]>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function checkCase(section: WrittenCase): Fault[] {
  const { turn, messages, order_by: orderBy, cluster, opening, history } = section;
  const input = section.input ?? {};
  const mapsMessages = input["messages"] !== undefined;
  const beside = "cannot be used together with input.messages";
  return [
    ...(mapsMessages && isGiven(turn)
      ? [fault(["case", "turn"], beside, "Use opening for what comes before the first turn.")]
      : mapsMessages && isGiven(opening)
        ? [fault(["case", "opening"], beside, "Keep one of them.")]
        : []),
    ...checkTurns(section),
    ...checkHistory(history),
    ...(orderBy !== undefined && turn !== "__order" && messages === undefined
      ? [fault(["case", "order_by"], "needs turn: __order, the turns as the rows stand")]
      : []),
    ...(isGiven(turn) && (cluster === undefined || cluster === false)
      ? [fault(["case", "turn"], "needs cluster: the column that says which conversation a turn is of")]
      : []),
    ...Object.keys(input).flatMap((field) => {
      const message = fieldNameFault(field, Object.keys(input));
      return message === null ? [] : [keyFault(["case", "input", field], message)];
    }),
  ];
}

/** Refuses other keys about conversations beside cells that hold whole ones. */
function checkTurns(section: WrittenCase): Fault[] {
  const form = section.turns === undefined ? "messages" : "turns";
  if (section[form] === undefined) return [];
  const others = form === "turns" ? (["cluster", "turn", "messages"] as const) : (["turn"] as const);
  const faults = others
    .filter((name) => isGiven(section[name]))
    .map((name) => fault(["case", name], `cannot be used together with ${form}`, "Keep one of them."));
  for (const field of ["input_prompt", "messages"]) {
    if (section.input?.[field] === undefined) continue;
    const why =
      field === "messages" ? "Use opening for what comes before the first turn." : `${form} says what is sent.`;
    faults.push(fault(["case", "input", field], `cannot be used together with ${form}`, why));
  }
  return faults;
}

function checkHistory(history: WrittenCase["history"]): Fault[] {
  return Object.entries(history ?? {}).flatMap(([side, shape]) =>
    JSON.stringify(shape).includes('"{{ text }}"')
      ? []
      : [fault(["case", "history", side], 'has no "{{ text }}" for what was said')],
  );
}

function unknownName(path: FaultPath, kind: string, name: string, known: readonly string[]): Fault {
  return fault(
    path,
    `names the ${kind} ${showText(name)}, which does not exist`,
    didYouMean(name, known) ?? `The suite has: ${known.join(", ")}.`,
  );
}
