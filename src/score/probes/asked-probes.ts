import type { JsonObject } from "../../lib/json.ts";
import type { JudgeReply, JudgeScorer, Score } from "../contract/scorer.ts";
import { pairVerdicts, type Preference } from "../judge/pairwise.ts";
import { planProbes, type JudgeProbe, type ProbeOptions, type ProbeSource } from "./probe-plan.ts";

/** A probe with the requests to the judge that it takes, before the target's constants. */
export interface AskedProbe {
  probe: JudgeProbe;
  bodies: readonly JsonObject[];
}

/** The replies about one probe, as they were read. */
export interface ProbeReading {
  /** Null: there was no reply. */
  score: Score | null;
  /** The preference of a judge of two with the answer first, and with the other one first; null of a judge of single answers. */
  pair: readonly [Preference | null, Preference | null] | null;
}

/** The grade that one probe got. */
export interface ProbeGrade extends ProbeReading {
  probe: JudgeProbe;
}

/**
 * The probes of a judge with their questions. Answers about which it would not be asked are left out, and so is what is made of an
 * answer where the judge would be shown nothing of that.
 */
export function askedProbes(scorer: JudgeScorer, sources: readonly ProbeSource[], options: ProbeOptions): AskedProbe[] {
  const askable = sources.filter(({ answer, other }) => Array.isArray(scorer.ask(answer, other)));
  const seen = new Map<number, string>();
  return planProbes(askable, options).flatMap((probe): AskedProbe[] => {
    const bodies = scorer.ask(probe.answer, probe.other);
    if (!Array.isArray(bodies)) return [];
    const text = JSON.stringify(bodies);
    if (probe.kind === "plain") seen.set(probe.unit, text);
    const isMade = probe.kind === "padded" || probe.kind === "wrong";
    return isMade && seen.get(probe.unit) === text ? [] : [{ probe, bodies }];
  });
}

/** The grade by the replies, null for one that did not come; or the questions that ask once more, because a reply could not be read. */
export function readProbe(
  scorer: JudgeScorer,
  bodies: readonly JsonObject[],
  { replies, isRepaired }: { replies: readonly (JudgeReply | null)[]; isRepaired: boolean },
): ProbeReading | { repair: JsonObject[] } {
  if (replies.some((reply) => reply === null)) return { score: null, pair: null };
  const read = scorer.read(replies, isRepaired, () => [...bodies]);
  if ("repair" in read) return read;
  return { score: read, pair: scorer.against === null ? null : pairVerdicts(replies, bodies) };
}
