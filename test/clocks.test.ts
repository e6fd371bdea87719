import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const root = new URL("../src/", import.meta.url).pathname;

/**
 * The places that calculate with dates. A date is what the machine is set to, and may be set while something goes on, so
 * that the difference of two is no duration: what begins and ends in one process is measured by `steadyNow` or
 * `performance.now`. Whoever adds a place says here why no steady clock can know it.
 */
const withDates: Record<string, string> = {
  "lib/clock.ts: Date.now() - steadyNow()": "the offset between the two clocks itself",
  "lib/clock.ts: Date.now() - date": "ages of what others wrote; who asks for one stands below",
  "client/attempt-outcome.ts: steadyNow() + (offset ?? dateOffset())": "the date of an attempt that was not sent",
  "client/client.ts: exchange.done + dateOffset()": "a date in Retry-After is held against the date of now",
  "client/retry-after.ts: at - now": "both are dates of the service, where it tells its own",
  "runner/attempts.ts: entry.queuedAt - queuedAt":
    "the offset by which the dates of an attempt are made of its moments",
  "runner/attempts.ts: queuedAt - moment": "the same, of a run that is asked for",
  "runner/account.ts: date - withinMs": "requests of earlier processes, by their dates",
  "runner/account.ts: date - time": "the same, once, when a run begins",
  "store/lock.ts: ageOfDate(lock.at) < staleAfterMs": "the last sign of a process on another machine",
  "store/life-file.ts: ageOfDate(about.mtimeMs) > settledAfterMs": "the age of a file of another process",
  "store/journal/journal.ts: Date.now() - longestWindowMs": "what earlier processes sent and nobody counts any more",
  "store/batch-state.ts: Date.now() - at": "the stages of another process",
  "store/results/limits-found.ts: until - since":
    "dates of stored refusals, perhaps of several processes: where a clock was set, a rate is not advised, or is one too many",
  "app/judge/watch-judges.ts: ageOfDate(last.at) >= weekMs": "the age of an earlier night",
  "workers/serve/moment.ts: Date.now() - date": "the larger of both clocks: also the sleep of a machine ends a lease",
  "workers/submit/notes.ts: doneAt - outage.since": "the dates of two workers",
  "app/batches/notices.ts: ageOfDate(noticeAt) > longestMs": "a notice that another process began to send",
  "app/night/cut-off.ts: ageOfDate(toldAt) > againWithinMs": "a notice that an earlier process sent",
  "app/send/service-get.ts: Date.now() - answerMs / 2": "doctor compares our clock with that of the service",
  'cli/flags/prune-flags.ts: Date.now() - ageMs("--older-than", age)': "the age of stored batches",
  "cli/commands/night/night.run.ts: Date.now() - withinMs": "the age of a batch of an earlier process",
  "cli/commands/night/night.run.ts: cutOff.startedAt < resumableSince": "the same",
  "cli/progress/spans.ts: moment + dateOffset()": "from when on the requests of this process are dated",
  "app/compare/earlier-looks.ts: batch.createdAt - earlier.createdAt": "two batches, perhaps of two processes",
  "compare/cases/case-comparison.ts: to.sentAt - from.sentAt":
    "two attempts, perhaps of two processes: how far apart they were",
  "compare/cases/same-time.ts: (to.job.sentAt ?? 0) - (from.job.sentAt ?? 0)": "the same, to find the nearest",
};

/** SQL that calculates with dates. */
const inSql: Record<string, string> = {
  "store/plan/expectation.ts: attempt.done_at - attempt.sent_at": "two dates of one attempt",
  "store/results/columns.ts: attempt.done_at - attempt.run_ms": "a date less a duration",
};

/** The clock of PostgreSQL, which has no steady one, is that of all machines: the only one that they share. */
const ofPostgres = /^workers\//;

/** Calls of a clock that is steady. */
const steady = /^(?:steadyNow|performance\.now|now)$/;
/** Calls of one that is set. */
const settable = /^(?:Date\.now|ageOfDate|dateOffset)$/;
/** Names of moments. */
const moment = /(?:At|^at|[sS]ince|^now|^until|[dD]ate|^time|^moment)$/;

const operators = new Set([
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);

const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:tsx?|sql)$/.test(name));
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

type Clock = "steady" | "settable" | null;

/** The clock that a value was just read from. */
function clockOf(node: ts.Node, known: ReadonlyMap<string, Clock>): Clock {
  if (ts.isIdentifier(node)) return known.get(node.text) ?? null;
  if (ts.isParenthesizedExpression(node)) return clockOf(node.expression, known);
  if (ts.isBinaryExpression(node)) return clockOf(node.left, known) ?? clockOf(node.right, known);
  if (ts.isNewExpression(node))
    return node.expression.getText() === "Date" && (node.arguments ?? []).length === 0 ? "settable" : null;
  if (!ts.isCallExpression(node)) return null;
  const called = node.expression.getText();
  return settable.test(called) ? "settable" : steady.test(called) ? "steady" : null;
}

/** The name by which a moment is known: the last of `each.since`, the first of `sentAt ?? 0`. */
function nameOf(node: ts.Expression): string {
  if (ts.isParenthesizedExpression(node)) return nameOf(node.expression);
  if (ts.isBinaryExpression(node)) return nameOf(node.left);
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) return node.text;
  return ts.isPropertyAccessExpression(node) ? node.name.text : "";
}

/** Comparators put what was stored into an order: that measures nothing. */
function isOrder(node: ts.Node): boolean {
  const call = node.parent.parent;
  return (
    ts.isArrowFunction(node.parent) && ts.isCallExpression(call) && /\.(?:toS|s)orted?$/.test(call.expression.getText())
  );
}

/** Every calculation with a moment of a clock that may be set, or with two of which it is not known. */
function calculations(file: string): string[] {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  const known = new Map<string, Clock>();
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      const { name, initializer } = node;
      if (ts.isIdentifier(name)) known.set(name.text, clockOf(initializer, known));
      else if (ts.isArrayBindingPattern(name) && ts.isArrayLiteralExpression(initializer)) {
        for (const [place, one] of name.elements.entries()) {
          const value = initializer.elements[place];
          if (ts.isBindingElement(one) && value !== undefined) known.set(one.name.getText(), clockOf(value, known));
        }
      }
    }
    if (ts.isBinaryExpression(node) && operators.has(node.operatorToken.kind)) {
      const clocks = new Set([clockOf(node.left, known), clockOf(node.right, known)]);
      const isDifference = node.operatorToken.kind === ts.SyntaxKind.MinusToken;
      const areMoments = moment.test(nameOf(node.left)) && moment.test(nameOf(node.right));
      const isUnknown = isDifference && areMoments && !clocks.has("steady") && !isOrder(node);
      if (clocks.has("settable") || isUnknown) {
        found.push(`${file}: ${node.getText()}`);
        return;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Rooms and files all of whose moments are on the steady clock: they are given it by those who read it. */
const allSteady =
  /^(?:runner\/(?:account|budget|concurrency|decision|health|jobs-in-flight|outage|pacer|tally|throttles|submitted\/open-runs)|workers\/submit\/lane-watch|deployment\/.*|dataset\/.*)\.ts$/;

test("what begins and ends in one process is measured by a clock that nobody sets", () => {
  const found = files.filter((file) => !file.endsWith(".sql")).flatMap((file) => calculations(file));
  const isKnown = (place: string): boolean => {
    const [file = ""] = place.split(": ");
    return withDates[place] !== undefined || (allSteady.test(file) && !/Date/.test(place));
  };
  expect(found.filter((place) => !isKnown(place))).toEqual([]);
  // A reason for a place that is gone says nothing.
  expect(Object.keys(withDates).filter((place) => !found.includes(place))).toEqual([]);
});

test("SQL calculates with dates of one attempt only", () => {
  const difference = /\b[\w.]*(?:_at|At)\)? *- *[\w.]*(?:_at|_ms)\b/g;
  const found = files
    .filter((file) => /^(?:store|workers)\//.test(file) && !ofPostgres.test(file))
    .flatMap((file) => [...textOf(file).matchAll(difference)].map(([text]) => `${file}: ${text}`));
  expect(found.toSorted()).toEqual(Object.keys(inSql).toSorted());
});
