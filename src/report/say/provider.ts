import { sentenceList } from "../../lib/sentence-list.ts";
import type { NightName } from "../shape/alarm.ts";
import type { ProviderChange, ProviderFinding } from "../shape/provider.ts";
import { nightDay } from "./night-names.ts";
import { number } from "./quantity.ts";

type Namer = (target: string) => string;

/** Changes of one target that a sentence names. */
const mostNamed = 3;

/** `suite, rows and body are the same since 12 November; prod's \`model\` changed from X to Y in the run of 14 November` */
export function providerWords(found: ProviderFinding, nameOf: Namer): string {
  const { changes, at, isAsked, sameSince, own, telling } = found;
  const day = (time: string): string => nightDay(nightOf(time), nightOf(at));
  const ours =
    sameSince !== null
      ? [`suite, rows and body are the same since ${day(sameSince)}`]
      : own.length > 0
        ? [`since the run before this one has another: ${sentenceList(own)}`]
        : [];
  const byNight = Map.groupBy(changes, (change) => change.at);
  const theirs = Array.from(byNight, ([time, told]) => {
    const when = time === at ? "" : ` in the run of ${day(time)}`;
    return `${providerChangeWords(told, nameOf)}${when}`;
  });
  if (changes.length > 0) return [...ours, ...theirs].join("; ");
  if (!isAsked) return ours.join("; ");
  const quiet =
    telling.length === 0
      ? "no answer tells of a model or version"
      : `nothing that ${telling.length === 1 ? "the service" : "the services"} of ${sentenceList(telling.map(nameOf))} ${telling.length === 1 ? "tells of itself" : "tell of themselves"} changed`;
  return [...ours, quiet].join("; ");
}

const nightOf = (time: string): Pick<NightName, "at" | "time"> => ({ at: Date.parse(time), time: null });

/** `prod's \`model\` changed from X to Y, and 2 more`: changes of one run. */
export function providerChangeWords(changes: readonly ProviderChange[], nameOf: Namer = (target) => target): string {
  const byTarget = Map.groupBy(changes, ({ target }) => target);
  return Array.from(byTarget, ([target, own]) => {
    const more = own.length > mostNamed ? [`${number(own.length - mostNamed)} more`] : [];
    return sentenceList([...own.slice(0, mostNamed).map((change) => oneWords(change, nameOf(target))), ...more]);
  }).join("; ");
}

function oneWords({ member, kind, before, now }: ProviderChange, target: string): string {
  const name = member.startsWith("header ") ? `header \`${member.slice("header ".length)}\`` : `\`${member}\``;
  if (kind === "several") {
    const shown = now.flatMap((value) => value ?? []);
    const values = shown.length < now.length ? "" : ` (${shown.join(", ")})`;
    return `${target} answered with ${number(now.length)} values of ${name}${values}`;
  }
  const [value = null] = now;
  const change = before === null || value === null ? "" : ` from ${before} to ${value}`;
  return `${target}'s ${name} changed${change}`;
}
