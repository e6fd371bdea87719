import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import type { Random } from "../../lib/random.ts";
import { runStreams } from "../bot/streams.ts";
import { type FaultRule, type FaultRuleInput, faultKinds, readFaultRules } from "./fault-rules.ts";
import type { RecordStyle } from "../record/record-style.ts";

/** The parts of a request that the rules look at. */
export interface FaultyRequest {
  endpoint: ServiceEndpoint;
  exampleId: string;
  body: JsonObject;
  /** The body as it was sent. */
  text: string;
}

/** A rule at work. */
interface ActiveRule {
  rule: FaultRule;
  /** Requests so far that the rule could apply to, and those that it was applied to. */
  matched: number;
  applied: number;
  /** Draws for a text: the same whatever the order in which texts arrive, and new when one arrives again. */
  draw: (text: string) => Random;
}

/** The decision of the rules for one request. */
export interface FaultPlan {
  delayMs: number;
  style: Partial<RecordStyle>;
  /** The first rule that replaces the answer or spoils its delivery. */
  fault: FaultRule | null;
}

const noFault: FaultPlan = { delayMs: 0, style: {}, fault: null };

/** The faults of a deployment. Rules can be switched at any time; each counts the requests that match it. */
export class Faults {
  private rules: ActiveRule[] = [];

  /** Replaces all rules; counting begins anew. A rule that does not fit raises `DEPLOYMENT_INVALID`. */
  set(rules: readonly FaultRuleInput[]): void {
    this.rules = readFaultRules(rules).map((rule) => ({
      rule,
      matched: 0,
      applied: 0,
      draw: runStreams(`${rule.seed} ${rule.kind}`),
    }));
  }

  clear(): void {
    this.rules = [];
  }

  list(): FaultRule[] {
    return this.rules.map(({ rule }) => rule);
  }

  /** Decides what goes wrong with a request. Delays add up, record styles add up, of the others the first wins. */
  plan(request: FaultyRequest): FaultPlan {
    if (this.rules.length === 0) return noFault;
    const plan: FaultPlan = { delayMs: 0, style: {}, fault: null };
    for (const entry of this.rules) {
      if (!matches(entry.rule, request)) continue;
      entry.matched++;
      if (!fires(entry, request)) continue;
      apply(plan, entry);
      entry.applied++;
    }
    return plan;
  }
}

function apply(plan: FaultPlan, { rule, applied }: ActiveRule): void {
  if (rule.kind === "delay") plan.delayMs += rule.delay_ms + applied * rule.grow_ms;
  else if (rule.kind === "13-members") plan.style = { ...plan.style, members: 13 };
  else if (rule.kind === "no-id") plan.style = { ...plan.style, id: false };
  else if (rule.kind === "wide-output") plan.style = { ...plan.style, wide: true };
  else plan.fault ??= rule;
}

/** True when the fault comes instead of a run; false when it comes with or after one. */
export function isBeforeRun(rule: FaultRule): boolean {
  return faultKinds[rule.kind].phase === "before";
}

function matches(rule: FaultRule, request: FaultyRequest): boolean {
  if (rule.endpoint !== undefined && rule.endpoint !== request.endpoint) return false;
  if (rule.example_id !== undefined && rule.example_id !== request.exampleId) return false;
  return rule.prompt === undefined || says(request.body, rule.prompt);
}

/** True when any text in the value contains the wanted one. */
function says(value: JsonValue, wanted: string): boolean {
  if (typeof value === "string") return value.includes(wanted);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((inner) => says(inner, wanted));
}

function fires({ rule, matched, draw }: ActiveRule, request: FaultyRequest): boolean {
  if (rule.nth !== undefined) return matched === rule.nth;
  if (rule.every !== undefined) return matched % rule.every === 0;
  if (rule.first !== undefined) return matched <= rule.first;
  if (rule.rate === undefined) return true;
  return draw(`${request.endpoint} ${request.exampleId} ${request.text}`)() < rule.rate;
}
