import { raceRefusal } from "../early-end.ts";
import { fieldNameFault } from "../../lib/field-name.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { checkEndpoints } from "./endpoint-check.ts";
import { gateFaults } from "./gate-check.ts";
import { gridOf, mostTargets, targetNameForm, targetNameWords } from "../matrix/grid.ts";
import { checkConnections } from "./connection-check.ts";
import { checkChoice } from "./choice-check.ts";
import { type Fault, type FaultPath, fault, keyFault } from "../fault.ts";
import { askedKeys, storedKeys } from "../schema/target-schema.ts";
import { checkJudges } from "./judges-check.ts";
import { checkScorerSections } from "./scorer-check.ts";

/**
 * Finds the faults that the schema of a suite cannot express: names that refer to each other, and keys that exclude
 * each other. It takes the raw value, so that these faults are listed beside those of the schema; values of a wrong
 * type are passed over.
 */
export function crossCheck(value: unknown): Fault[] {
  if (!isJsonObject(value)) return [];
  return [
    ...checkDeployments(value),
    ...checkConnections(value["deployments"]),
    ...checkNames(value, "targets", targetNameForm, targetNameWords),
    ...checkCount(value["targets"]),
    ...checkTargets(value),
    ...checkEndpoints(value),
    ...checkCompare(value),
    ...checkCase(value["case"]),
    ...gateFaults(value),
    ...checkScorerSections(value),
    ...checkJudges(value),
  ];
}

const deploymentName = /^[\p{L}\p{M}\p{N}_.-]{1,64}$/u;

/** Stored answers need no deployment. */
function checkDeployments(suite: Members): Fault[] {
  const { targets } = suite;
  const isAsked = !isJsonObject(targets) || Object.values(targets).some((target) => !isStored(target));
  if (suite["deployments"] === undefined) return isAsked ? [fault(["deployments"], "is required")] : [];
  const faults = checkNames(suite, "deployments", deploymentName, "letters, digits, _, - and .");
  return isAsked ? faults : faults.filter(({ path }) => path.length > 1);
}

const isStored = (target: unknown): boolean => isJsonObject(target) && target["answers"] !== undefined;

function checkCount(targets: unknown): Fault[] {
  const count = namesOf(targets)?.length ?? 0;
  if (count <= mostTargets) return [];
  const [listed, most] = [count.toLocaleString("en-US"), mostTargets.toLocaleString("en-US")];
  return [fault(["targets"], `lists ${listed} targets; at most ${most} can be compared`, "Split the suite.")];
}

function checkNames(suite: Members, section: string, form: RegExp, allowed: string): Fault[] {
  const names = namesOf(suite[section]);
  if (names === null) return [];
  if (names.length === 0) return [fault([section], "must have at least one entry")];
  return names
    .filter((name) => !form.test(name))
    .map((name) => keyFault([section, name], `name ${showText(name)} may hold only ${allowed}`));
}

function checkTargets(suite: Members): Fault[] {
  const { targets, matrix } = suite;
  if (targets === undefined && matrix === undefined) {
    return [fault([], "needs targets or matrix: where the cases are sent")];
  }
  if (targets !== undefined && matrix !== undefined) {
    return [fault(["matrix"], "cannot be used together with targets", "Keep one of them.")];
  }
  const deployments = namesOf(suite["deployments"]);
  const faults: Fault[] = [];
  const check = (name: unknown, path: FaultPath): void => {
    if (deployments === null || typeof name !== "string" || deployments.includes(name)) return;
    faults.push(unknownName(path, "deployment", name, deployments));
  };
  if (isJsonObject(targets)) {
    for (const [name, target] of Object.entries(targets)) {
      if (!isJsonObject(target)) continue;
      check(target["deployment"], ["targets", name, "deployment"]);
      faults.push(...checkTarget(name, target));
    }
  }
  if (isJsonObject(matrix)) {
    const grid = gridOf(matrix);
    const named = grid.targets.flatMap(({ values }) => values.get("deployment") ?? []);
    const places = new Map(named.map((value) => [JSON.stringify(value.path), value]));
    for (const { value, path } of places.values()) check(value, path);
    faults.push(...grid.faults, ...checkPrompts(matrix, ["matrix"]));
    const isVaried = isJsonObject(matrix["vary"]) && matrix["vary"]["prompt"] !== undefined;
    if (isVaried && matrix["prompt"] !== undefined)
      faults.push(fault(["matrix", "prompt"], "cannot be used together with vary.prompt", "Keep one of them."));
  }
  return faults;
}

const { endpoint: _named, price: _cost, ...whenAsked } = askedKeys;
const { answers: _column, ...besideAnswers } = storedKeys;

/** A target is asked, or its answers are stored. */
function checkTarget(name: string, target: Members): Fault[] {
  const given = (keys: string[]): string[] => keys.filter((key) => target[key] !== undefined);
  if (isStored(target)) {
    const wrong = given(Object.keys(whenAsked)).map((key) =>
      fault(["targets", name, key], "cannot be used together with answers: nothing is sent", "Keep one of them."),
    );
    if (target["note"] === undefined || target["label"] !== undefined) return wrong;
    return [...wrong, fault(["targets", name, "note"], "needs label: what the remark is about")];
  }
  const missing = ["deployment", "endpoint"].filter((key) => target[key] === undefined);
  return [
    ...checkPrompts(target, ["targets", name]),
    ...missing.map((key) => fault(["targets", name, key], "is required")),
    ...given(Object.keys(besideAnswers)).map((key) =>
      fault(["targets", name, key], "needs answers: the column with the stored answers"),
    ),
  ];
}

/** The field of a prompt needs one. */
function checkPrompts(section: Members, path: FaultPath): Fault[] {
  const isVaried = isJsonObject(section["vary"]) && section["vary"]["prompt"] !== undefined;
  if (section["prompt_field"] === undefined || section["prompt"] !== undefined || isVaried) return [];
  return [fault([...path, "prompt_field"], "needs prompt: the file that becomes it")];
}

function checkCompare(suite: Members): Fault[] {
  const compare = suite["compare"];
  const names = namesOf(suite["targets"]) ?? matrixNames(suite["matrix"]);
  if (!isJsonObject(compare) || names === null) return [];
  const { baseline } = compare;
  const candidates = textsOf(compare["candidates"]);
  const faults: Fault[] = repeated(compare["candidates"], ["compare", "candidates"]);
  const check = (name: string, path: FaultPath): void => {
    if (!names.includes(name)) faults.push(unknownName(path, "target", name, names));
  };
  if (typeof baseline === "string") check(baseline, ["compare", "baseline"]);
  if (compare["same"] === true && names.length === 1)
    faults.push(fault(["compare", "same"], "needs two targets: there is one side only"));
  faults.push(...checkLooks(compare), ...checkChoice(suite, compare, names), ...checkRace(compare));
  candidates.forEach((name, i) => {
    check(name, ["compare", "candidates", i]);
    if (name === baseline) faults.push(fault(["compare", "candidates", i], `${showText(name)} is the baseline itself`));
  });
  return faults;
}

/** A race looks after every case, at what is asked for the best alone. */
function checkRace(compare: Members): Fault[] {
  if (compare["race"] === undefined) return [];
  const refusal = raceRefusal({
    choose: compare["choose"],
    stopWhen: compare["stop_when"] === "decided" ? "decided" : undefined,
    looks: compare["looks"],
    confirm: compare["confirm"] === "rerun",
  });
  return refusal === null ? [] : [fault(["compare", "race"], refusal.why, refusal.advice)];
}

/** Two looks have levels of their own. */
function checkLooks(compare: Members): Fault[] {
  if (compare["looks"] !== 2) return [];
  const { alpha, nights, stop_when: stopWhen } = compare;
  const path = ["compare", "looks"];
  if (stopWhen === "decided")
    return [fault(path, "is 2, but a run that stops when it is decided looks after every case", "Leave looks out.")];
  if (nights !== undefined && nights !== 1)
    return [fault(path, "cannot be used together with nights: every night is a first look", "Leave looks out.")];
  return alpha === undefined || alpha === 0.05
    ? []
    : [fault(path, "sets the level of both looks (3 % each), and alpha another", "Leave alpha out.")];
}

function checkCase(section: unknown): Fault[] {
  if (!isJsonObject(section)) return [];
  const faults: Fault[] = [];
  const input = section["input"];
  const mapsMessages = isJsonObject(input) && input["messages"] !== undefined;
  if (mapsMessages && section["turn"] !== undefined) {
    faults.push(
      fault(
        ["case", "turn"],
        "cannot be used together with input.messages",
        "Use opening for what comes before the first turn.",
      ),
    );
  } else if (mapsMessages && section["opening"] !== undefined) {
    faults.push(fault(["case", "opening"], "cannot be used together with input.messages", "Keep one of them."));
  }
  faults.push(...checkTurns(section, input), ...checkHistory(section["history"]));
  if (section["order_by"] !== undefined && section["turn"] !== "__order" && section["messages"] === undefined) {
    faults.push(fault(["case", "order_by"], "needs turn: __order, the turns as the rows stand"));
  }
  if (section["turn"] !== undefined && (section["cluster"] === undefined || section["cluster"] === false)) {
    faults.push(fault(["case", "turn"], "needs cluster: the column that says which conversation a turn is of"));
  }
  if (isJsonObject(input)) {
    for (const field of Object.keys(input)) {
      const message = fieldNameFault(field, Object.keys(input));
      if (message !== null) faults.push(keyFault(["case", "input", field], message));
    }
  }
  return faults;
}

/** Refuses other keys about conversations beside cells that hold whole ones. */
function checkTurns(section: JsonObject, input: unknown): Fault[] {
  const form = section["turns"] === undefined ? "messages" : "turns";
  if (section[form] === undefined) return [];
  const others = form === "turns" ? ["cluster", "turn", "messages"] : ["turn"];
  const faults = others.flatMap((name) =>
    section[name] === undefined
      ? []
      : [fault(["case", name], `cannot be used together with ${form}`, "Keep one of them.")],
  );
  for (const field of ["input_prompt", "messages"]) {
    if (!isJsonObject(input) || input[field] === undefined) continue;
    const why =
      field === "messages" ? "Use opening for what comes before the first turn." : `${form} says what is sent.`;
    faults.push(fault(["case", "input", field], `cannot be used together with ${form}`, why));
  }
  return faults;
}

function checkHistory(history: unknown): Fault[] {
  if (!isJsonObject(history)) return [];
  return ["user", "assistant"].flatMap((side) => {
    if (history[side] === undefined || JSON.stringify(history[side]).includes('"{{ text }}"')) return [];
    return [fault(["case", "history", side], 'has no "{{ text }}" for what was said')];
  });
}

type Members = Record<string, unknown>;

function unknownName(path: FaultPath, kind: string, name: string, known: readonly string[]): Fault {
  return fault(
    path,
    `names the ${kind} ${showText(name)}, which does not exist`,
    didYouMean(name, known) ?? `The suite has: ${known.join(", ")}.`,
  );
}

function namesOf(section: unknown): string[] | null {
  return isJsonObject(section) ? Object.keys(section) : null;
}

function matrixNames(matrix: unknown): string[] | null {
  const names = gridOf(matrix).targets.map(({ name }) => name);
  return names.length === 0 ? null : names;
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((entry) => typeof entry === "string") : [];
}

function repeated(list: unknown, path: FaultPath): Fault[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, i) =>
    typeof entry === "string" && list.indexOf(entry) < i ? [fault([...path, i], `repeats ${showText(entry)}`)] : [],
  );
}
