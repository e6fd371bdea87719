import type {
  DatedProviderChange,
  ProviderChange,
  ProviderFinding,
  ProviderNight,
} from "../../report/shape/provider.ts";
import type { Told, ToldValue } from "../../store/nights/provider-told.ts";

/** A run of a suite, by what the services of its targets tell of themselves. */
export interface ToldNight {
  batch: string;
  /** The cases that it asked, as a text: runs that asked others are passed over where nothing has changed since. */
  cases: string;
  /** Suite, rows and bodies as a text. */
  asked: string;
  /** By the name of the target. */
  targets: ReadonlyMap<string, ToldTarget>;
}

interface ToldTarget {
  /** The target as the suite has it, as a text: what another one tells is no change of the service. */
  configuration: string;
  told: Told;
}

/** A member of a target, as it is known up to a night. */
interface Known {
  /** The one value of a night that told one last. */
  current: ToldValue | null;
  /** Values that stood beside others in one night since then. */
  beside: Set<string>;
}

/** The runs of a suite, the oldest first, by what is new in each. */
export function providerNights(nights: readonly ToldNight[]): ProviderNight[] {
  const same = new Map<string, { asked: string; batch: string }>();
  const changes = providerChanges(nights);
  return nights.map(({ batch, cases, asked, targets }, place) => {
    const before = same.get(cases);
    const since = before?.asked === asked ? before : { asked, batch };
    same.set(cases, since);
    const telling = Array.from(targets).flatMap(([name, { told }]) => (Object.keys(told).length > 0 ? [name] : []));
    return { changes: changes[place] ?? [], telling, sameSince: since.batch };
  });
}

/**
 * The changes that each of some nights is the first to tell, the oldest night first. One value in the place of another is a change;
 * several in one night are a state of their own, which is told once until the service is back at one other value.
 */
export function providerChanges(nights: readonly ToldNight[]): ProviderChange[][] {
  const known = new Map<string, { configuration: string; members: Map<string, Known> }>();
  return nights.map(({ targets }) =>
    Array.from(targets, ([target, { configuration, told }]) => {
      const before = known.get(target);
      const own = before?.configuration === configuration ? before : { configuration, members: new Map() };
      known.set(target, own);
      return Object.entries(told).flatMap(([member, values]): ProviderChange[] => {
        const state: Known = own.members.get(member) ?? { current: null, beside: new Set() };
        own.members.set(member, state);
        const found = changeIn(state, values);
        return found === null ? [] : [{ target, member, ...found }];
      });
    }).flat(),
  );
}

/** The change from what is known of a member to what a night tells, which is known from then on. */
function changeIn(state: Known, values: readonly ToldValue[]): Omit<ProviderChange, "target" | "member"> | null {
  const [value, ...others] = values;
  if (value === undefined) return null;
  const before = state.current?.text ?? null;
  if (others.length === 0) {
    const isNew = state.current !== null && state.current.hash !== value.hash;
    if (state.current === null || isNew) Object.assign(state, { current: value, beside: new Set() });
    return isNew ? { kind: "changed", before, now: [value.text] } : null;
  }
  const isNew = values.some(({ hash }) => !state.beside.has(hash));
  for (const { hash } of values) state.beside.add(hash);
  return isNew ? { kind: "several", before, now: values.map(({ text }) => text) } : null;
}

/** A run as a finding is made of it. */
interface DatedNight {
  batch: string;
  at: number;
  provider: ProviderNight;
}

/** The last of some runs, beside what is asked of it. */
interface Asked {
  /** It found a regression that no run before it has. */
  isAsked: boolean;
  /** Place of the last run that passed; -1: none did. */
  lastGood: number;
  /** Parts that are others than in the run before, in a few words each. */
  own: readonly string[];
}

const isoTime = (at: number): string => new Date(at).toISOString();

/** The finding of the last of some runs; null: there is none, or no run is before it. */
export function providerFinding(
  nights: readonly DatedNight[],
  { isAsked, lastGood, own }: Asked,
): ProviderFinding | null {
  const last = nights.length - 1;
  const tonight = nights[last];
  if (tonight === undefined) return null;
  const isCompared = isAsked && last > 0;
  const first = isCompared ? Math.min(last, lastGood + 1) : last;
  const changes = nights
    .slice(first)
    .flatMap(({ batch, at, provider }) =>
      provider.changes.map((change): DatedProviderChange => ({ ...change, batch, at: isoTime(at) })),
    );
  if (changes.length === 0 && !isCompared) return null;
  const { sameSince, telling } = tonight.provider;
  const since = nights.find(({ batch }) => batch === sameSince) ?? tonight;
  const isSame = since !== tonight;
  return {
    changes,
    at: isoTime(tonight.at),
    isAsked: isCompared,
    sameSince: isSame ? isoTime(since.at) : null,
    own: isSame ? [] : [...own],
    telling,
  };
}
