import { statSync } from "node:fs";
import { openMapping } from "../../app/plan/chat-export.ts";
import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { withDefaults } from "../../dataset/cases/default-mapping.ts";
import type { ChatExport } from "../../dataset/import/chat-export.ts";
import { fewestRows, runsOfFewRows } from "../../init/few-rows.ts";
import type { Sheets } from "../../dataset/sheets.ts";
import { guessRoles, rolesForPrompt } from "../../init/roles.ts";
import { lookAt, type Sheet } from "../../init/sheet.ts";
import { scorerOfType } from "../../score/registry.ts";
import type { CaseMapping, DatasetFormat, Suite } from "../../suite/suite.ts";
import type { SuiteFlags } from "./suite-flags.ts";

/** The flags that say how a comparison is decided. */
export type DecidingFlags = SuiteFlags & { "second-look"?: boolean };

/** A larger sheet is read once, when it is sent. */
const largestSheet = 20_000_000;

/** Looks at a sheet that is run by flags alone; null: it is too large, is read from standard input, or has faults, which the run tells. */
export async function sheetOfFlags(
  path: string,
  { sheets, format }: { sheets: Sheets; format: DatasetFormat | undefined },
): Promise<Sheet | null> {
  try {
    if (path === "-" || statSync(path).size > largestSheet) return null;
    return await lookAt(path, { sheets, format });
  } catch {
    return null;
  }
}

interface SheetColumns {
  chat: ChatExport | null;
  prompt: string | null;
  header: readonly string[] | null;
  endpoint: EndpointName | null;
}

/** The mapping with the short columns of a sheet as tags, as `init` proposes them, where that sends nothing else. */
export function withTags(
  mapping: CaseMapping | undefined,
  sheet: Sheet,
  { chat, prompt, header, endpoint }: SheetColumns,
): CaseMapping | undefined {
  const own = mapping ?? openMapping;
  const roles = prompt === null ? guessRoles(sheet, chat) : rolesForPrompt(sheet, prompt);
  const taken = new Set<unknown>([own.key, own.expected, own.cluster, own.turn, own.orderBy]);
  const tagged = { ...own, tags: (roles?.tags ?? []).filter((name) => !taken.has(name)) };
  const sent = (of: CaseMapping): string =>
    JSON.stringify(withDefaults(of, header ?? [], endpoint === null ? [] : [endpoint]).input);
  return tagged.tags.length === 0 || sent(tagged) !== sent(own) ? mapping : tagged;
}

/**
 * Decides few rows where flags do not say how, as values of `--set`: three runs of each, and no row may newly fail in
 * all of them. Empty: a margin decides, nothing is compared, or nothing says right or wrong.
 */
export function decisionOfFewRows({ rows }: Sheet, { targets, scorers }: Suite, flags: DecidingFlags): string[] {
  const primary = scorers.find((each) => each.primary);
  const type = primary === undefined ? undefined : scorerOfType(primary.type);
  const passes = primary !== undefined && type?.metricOf({ type: primary.type, ...primary.options }).passes === true;
  const isStored = targets.some(({ stored }) => stored !== undefined);
  if (rows >= fewestRows || targets.length !== 2 || isStored || !passes || saysHow(flags)) return [];
  const repeatThemselves = targets.every(({ endpoint }) => endpointOf(endpoint).repeatsItself);
  if (!repeatThemselves && (flags.repeats ?? runsOfFewRows) < runsOfFewRows) return [];
  const repeats = repeatThemselves || flags.repeats !== undefined ? [] : [`repeats=${runsOfFewRows}`];
  return [...repeats, `gates=[{metric: ${JSON.stringify(primary.name)}, losses: 0}]`];
}

/** True where a flag says how it is decided. */
function saysHow({ set, "stop-when": stopWhen, race, "second-look": isSecond }: DecidingFlags): boolean {
  const isSet = set.some((text) => /^(?:gates|compare|repeats|pass)\b/.test(text));
  return isSet || stopWhen !== undefined || race !== undefined || isSecond === true;
}

/** Says what few rows are decided by, and how they are decided otherwise. */
export function fewRowsText(isAskedAgain: boolean): string {
  const asked = isAskedAgain ? `each is asked ${runsOfFewRows} times, and ` : "";
  const inAll = isAskedAgain ? " in all its runs" : "";
  const otherwise = isAskedAgain ? " (--repeats 1: asked once, and a limit of 5 points decides)" : "";
  return `Fewer than ${fewestRows} rows: ${asked}one that newly fails${inAll} is a regression${otherwise}.`;
}
