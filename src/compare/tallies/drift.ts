import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { numeralOf } from "../../lib/lost-digits.ts";
import { isIgnored } from "../cases/output-fields.ts";
import { middleOf, newValue, prolong, type ValueOverTime, turnBetween } from "./value-over-time.ts";

/** Shape of the outputs of one side as a whole: their members and types. */
export interface OutputShape {
  /** Run records that were looked at: those of about 20,000 cases, beyond of every tenth. */
  records: number;
  members: ShapeMember[];
  /** Changes of the configuration that the outputs told while the batch ran. */
  changes: EchoChange[];
}

export interface ShapeMember {
  path: string;
  /** Records in which it is there. */
  records: number;
  /** `text`, `number`, `boolean`, `object`, `list`, `null`, in this order. */
  types: string[];
}

/** A member that had one value until some moment and another from then on, but for what was on its way at that moment. */
export interface EchoChange {
  path: string;
  before: string;
  after: string;
  /** Milliseconds since 1970: from then on what was asked for has the new value. */
  at: number;
  records: { before: number; after: number };
}

/** Differences in the shape of the outputs between a candidate and the baseline. */
export interface Drift {
  /** Top-level members of all records of each side. */
  members: { baseline: number; candidate: number };
  appeared: string[];
  vanished: string[];
  /** `references: list -> null, list` */
  types: { path: string; baseline: string; candidate: string }[];
}

const mostMembers = 300;
const mostValues = 4;
const mostEntries = 20;
const longestValue = 2_000;

interface MemberTally {
  records: number;
  types: Set<string>;
  /** Null when it has too many different values to be a part of the configuration. */
  values: Map<string, ValueOverTime> | null;
}

/** Tallies the shape of outputs of an endpoint, without the members in `ignore`; see `compare.ignore`. */
export function shapeTally(endpoint: EndpointName, ignore: readonly string[] = []) {
  const { isVolatile } = endpointOf(endpoint);
  const members = new Map<string, MemberTally>();
  let records = 0;

  const see = (path: string, value: JsonValue, sentAt: number | null): void => {
    let tally = members.get(path);
    if (tally === undefined) {
      if (members.size >= mostMembers || isIgnored(path.replaceAll("[0]", "[]"), ignore)) return;
      tally = { records: 0, types: new Set(), values: isVolatile(path) ? null : new Map() };
      members.set(path, tally);
    }
    tally.records += 1;
    tally.types.add(typeOf(value));
    if (tally.values !== null && sentAt !== null) tally.values = withValue(tally.values, value, sentAt);
  };

  return {
    add(output: JsonObject, sentAt: number | null): void {
      records += 1;
      for (const [name, value] of Object.entries(output)) {
        see(name, value, sentAt);
        if (isJsonObject(value))
          for (const [inner, part] of Object.entries(value)) see(`${name}.${inner}`, part, sentAt);
        // The first entry of a list may be what the bot was told, such as the system's message.
        const [first] = Array.isArray(value) ? value : [];
        if (isJsonObject(first))
          for (const [inner, part] of Object.entries(first)) see(`${name}[0].${inner}`, part, sentAt);
      }
    },
    shape: (): OutputShape => ({
      records,
      members: Array.from(members, ([path, { records: own, types }]) => ({
        path,
        records: own,
        types: Array.from(types).toSorted(),
      })),
      changes: Array.from(members).flatMap(([path, { values }]) => (values === null ? [] : changeOf(path, values))),
    }),
  };
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (numeralOf(value) !== null) return "number";
  return typeof value === "string" ? "text" : typeof value;
}

function withValue(
  values: Map<string, ValueOverTime>,
  value: JsonValue,
  sentAt: number,
): Map<string, ValueOverTime> | null {
  const text = settingText(value);
  if (text === null) return values;
  // A value that differs from case to case is no configuration: it is forgotten for good.
  if (text.length > longestValue) return null;
  const spell = values.get(text);
  if (spell !== undefined) prolong(spell, sentAt);
  else if (values.size >= mostValues) return null;
  else values.set(text, newValue(sentAt));
  return values;
}

/** A setting is a plain value, or a short list of them such as the names of documents. */
function settingText(value: JsonValue): string | null {
  if (!Array.isArray(value)) return value === null || typeof value === "object" ? null : String(value);
  const isPlain = value.length > 0 && value.length <= mostEntries && value.every((entry) => typeof entry !== "object");
  return isPlain ? value.map(String).join(", ") : null;
}

function changeOf(path: string, values: ReadonlyMap<string, ValueOverTime>): EchoChange[] {
  const spells = Array.from(values).toSorted(([, a], [, b]) => middleOf(a) - middleOf(b));
  const changes: EchoChange[] = [];
  for (const [i, [after, next]] of spells.entries()) {
    const [before, last] = spells[i - 1] ?? [];
    if (before === undefined || last === undefined) continue;
    const at = turnBetween(last, next);
    if (at === null) return [];
    changes.push({
      path,
      before: shown(before),
      after: shown(after),
      at: Math.round(at),
      records: { before: last.records, after: next.records },
    });
  }
  return changes;
}

function shown(text: string): string {
  return text.length <= 120 ? text : `${Buffer.from(text.slice(0, 120)).toString()}…`;
}

/**
 * Compares the shapes of two sides. A member has appeared or vanished when one side has it in no record, and the other in
 * all of its own, or in so many that this is no chance.
 */
export function driftOf(baseline: OutputShape, candidate: OutputShape): Drift {
  const after = new Map(candidate.members.map((member) => [member.path, member]));
  const types = baseline.members.flatMap(({ path, types: from }) => {
    const to = after.get(path)?.types;
    return to === undefined || !isNewType(from, to)
      ? []
      : [{ path, baseline: from.join(", "), candidate: to.join(", ") }];
  });
  return {
    members: { baseline: topMembers(baseline).length, candidate: topMembers(candidate).length },
    appeared: onlyIn(candidate, baseline),
    vanished: onlyIn(baseline, candidate),
    types,
  };
}

/** Members of the output itself, not of its parts. */
export function topMembers({ members }: OutputShape): ShapeMember[] {
  return members.filter(({ path }) => !/[.[]/.test(path));
}

function onlyIn(side: OutputShape, other: OutputShape): string[] {
  const there = new Set(other.members.map(({ path }) => path));
  const share = side.records / (side.records + other.records);
  return topMembers(side).flatMap(({ path, records }) => {
    const isChance = records < side.records && share ** records > 0.01;
    return there.has(path) || other.records === 0 || isChance ? [] : [path];
  });
}

/** A null here or there is no change of type by itself. */
function isNewType(from: readonly string[], to: readonly string[]): boolean {
  const [before, after] = [withoutNull(from), withoutNull(to)];
  return before !== "" && after !== "" && before !== after;
}

function withoutNull(types: readonly string[]): string {
  return types.filter((type) => type !== "null").join();
}
