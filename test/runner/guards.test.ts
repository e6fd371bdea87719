import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { outcomes } from "../../src/api/outcomes.ts";
import type { Outcome } from "../../src/client/outcome.ts";
import { defaultWaits } from "../../src/runner/backoff.ts";
import { decide } from "../../src/runner/decision.ts";
import { type AccountSide, Health } from "../../src/runner/health.ts";
import type { RefusalMeaning } from "../../src/runner/refusals.ts";
import { suite } from "../store/batch.ts";
import { quietSide } from "./account-side.ts";
import { outcome } from "./outcome.ts";

beforeEach(() => vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

const answers = {
  ok: { kind: "ok", status: 200 },
  "400": { kind: "rejected", status: 400 },
  "401": { kind: "auth", status: 401 },
  "404": { kind: "target", status: 404 },
  "429": { kind: "throttled", status: 429 },
  "500 of the bot": { kind: "run-failed", status: 500 },
  "502": { kind: "ambiguous", status: 502, possiblyPaid: true },
  "503": { kind: "ambiguous", status: 503, possiblyPaid: true },
  "cut off": { kind: "ambiguous", status: 200, possiblyPaid: true, answeredBy: "broken" },
  refused: { kind: "not-sent", error: "ECONNREFUSED" },
} as const satisfies Record<string, Partial<Outcome>>;

type AnswerName = keyof typeof answers;

/** One answer to one row. Each request leaves as soon as it may, and is answered before the next one leaves. */
interface Step {
  row: number;
  answer: AnswerName;
}

const step = (row: number, answer: AnswerName): Step => ({ row, answer });
/** The same answer to one row after the other. */
const rows = (from: number, to: number, answer: AnswerName): Step[] =>
  Array.from({ length: to - from + 1 }, (_, place) => step(from + place, answer));

/** The last of some answers: the fate of its row; the others go on, wait, send one request at a time that looks for the service, or stop; and whether it may have been paid. */
function last(steps: readonly Step[]): { row: string; others: string; paid: boolean } {
  const [deployment = expect.unreachable()] = suite.deployments;
  const health = new Health({
    deployments: [{ ...deployment, concurrency: 8, rate: null }],
    endpoint: "video-bots",
    journal: { sentSince: () => [], lastPace: () => null },
    random: () => 0.999,
    waits: defaultWaits,
    now: Date.now(),
  });
  const ends: string[] = [];
  const side: AccountSide = {
    ...quietSide,
    deployment: "prod",
    targetIds: new Set([7]),
    onEnded: () => {},
    onChange: () => {},
    onLongWait: () => {},
    onGivenUp: () => ends.push("given up"),
  };
  health.join(side);
  let told = { row: "", others: "", paid: false };
  for (const { row: jobId, answer } of steps) {
    vi.setSystemTime(Date.now() + health.waitMs(Date.now()) + 1);
    const queuedAt = Date.now();
    health.take(jobId, queuedAt);
    vi.setSystemTime(queuedAt + 10);
    const sent = { jobId, queuedAt, answeredAt: Date.now(), more: true };
    const learned = health.answered(outcome(answers[answer]), sent, side);
    const { kind, possiblyPaid } = learned.outcome;
    if (outcomes[kind].accepted) health.accepted(7, queuedAt);
    const { next } = outcomes[kind];
    const refusal: RefusalMeaning =
      next === "stop-target" || next === "stop-deployment"
        ? health.refused(
            {
              side,
              jobId,
              caseId: jobId,
              targetId: 7,
              sentAt: queuedAt,
              ofKey: next === "stop-deployment",
              onRow: () => {},
              onStop: ({ ofKey }) => ends.push(ofKey ? "the deployment stops" : "the target stops"),
            },
            false,
          )
        : "stops";
    const decision = decide(learned.outcome, {
      failures: 0,
      retries: 2,
      onAmbiguous: "retry",
      outOfTime: false,
      waitsForService: learned.waits,
      refusal,
    });
    health.ended(side, true);
    const isAway = health.isAway(Date.now());
    const others = ends.at(-1) ?? (isAway ? "look" : health.pauseMs(Date.now()) > 0 ? "wait" : "go on");
    told = {
      row: decision === "wait" && learned.goesBehind ? `${decision}, behind others` : decision,
      others,
      paid: possiblyPaid,
    };
  }
  return told;
}

/** A row that is throttled so often, with another row answered before each time. */
const throttledAlone = (times: number): Step[] =>
  Array.from({ length: times }, (_, time) => [step(100 + time, "ok"), step(1, "429")]).flat();

const sound = step(99, "ok");
const behind = "wait, behind others";

/** Each guard alone decides these: Throttles (429, and 503 while others are answered), Outage (gateways, broken answers, nobody there), Refusals (401 to 404). */
test.each<{ after: string; steps: Step[]; row: string; others: string; paid?: true }>([
  { after: "an answer", steps: [sound], row: "finish", others: "go on" },
  { after: "a rejected row", steps: [step(1, "400")], row: "finish", others: "go on" },
  { after: "the bot's own 500", steps: [step(1, "500 of the bot")], row: "retry", others: "go on" },
  { after: "429 before anything was answered", steps: [step(1, "429")], row: "wait", others: "wait" },
  { after: "429 while others are answered", steps: throttledAlone(1), row: behind, others: "wait" },
  { after: "the second 429 of one row", steps: throttledAlone(2), row: behind, others: "wait" },
  { after: "the third 429 of one row", steps: throttledAlone(3), row: behind, others: "go on" },
  { after: "the fifth 429 of one row", steps: throttledAlone(5), row: "finish", others: "go on" },
  { after: "429 of five rows in a row", steps: [sound, ...rows(1, 5, "429")], row: behind, others: "wait" },
  { after: "503 before anything was answered", steps: [step(1, "503")], row: "retry", others: "go on", paid: true },
  { after: "503 while others are answered", steps: [sound, step(1, "503")], row: behind, others: "wait" },
  { after: "503 of five rows in a row", steps: [sound, ...rows(1, 5, "503")], row: "hold", others: "look", paid: true },
  { after: "one 502", steps: [sound, step(1, "502")], row: "retry", others: "go on", paid: true },
  { after: "502 of two rows", steps: [sound, ...rows(1, 2, "502")], row: "hold", others: "look", paid: true },
  {
    after: "502 of one row while others are answered",
    steps: [sound, step(1, "502"), step(98, "ok"), step(1, "502")],
    row: "retry",
    others: "go on",
    paid: true,
  },
  {
    after: "an answer after an outage",
    steps: [sound, ...rows(1, 5, "502"), step(6, "ok")],
    row: "finish",
    others: "go on",
  },
  { after: "an answer that is cut off", steps: [sound, step(1, "cut off")], row: "retry", others: "go on", paid: true },
  {
    after: "answers to one row that are cut off",
    steps: [sound, step(1, "cut off"), step(1, "cut off")],
    row: "retry",
    others: "go on",
    paid: true,
  },
  {
    after: "answers to two rows that are cut off",
    steps: [sound, ...rows(1, 2, "cut off")],
    row: "hold",
    others: "look",
    paid: true,
  },
  { after: "a refused connection", steps: [sound, step(1, "refused")], row: "wait", others: "look" },
  { after: "401 before anything was accepted", steps: [step(1, "401")], row: "stop-deployment", others: "go on" },
  { after: "401 of one row", steps: [sound, step(1, "401")], row: "set-aside", others: "go on" },
  {
    after: "401 of five rows in a row",
    steps: [sound, ...rows(1, 5, "401")],
    row: "set-aside",
    others: "the deployment stops",
  },
  {
    after: "401 of five rows with one accepted between",
    steps: [sound, ...rows(1, 4, "401"), step(98, "ok"), step(5, "401")],
    row: "set-aside",
    others: "go on",
  },
  { after: "404 before the target accepted anything", steps: [step(1, "404")], row: "stop-target", others: "go on" },
  {
    after: "404 of five rows in a row",
    steps: [sound, ...rows(1, 5, "404")],
    row: "set-aside",
    others: "the target stops",
  },
])("after $after the row: $row; others: $others", ({ steps, row, others, paid = false }) => {
  expect(last(steps)).toEqual({ row, others, paid });
});
