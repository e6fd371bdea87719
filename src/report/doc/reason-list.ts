import type { Phrase } from "../shape/doc.ts";
import type { ReportTarget } from "../shape/model.ts";
import { rowGroup } from "../model/row-groups.ts";
import { number } from "../say/quantity.ts";
import { type Reason, reasonsOf } from "../say/answers.ts";

/** Characters of an example that tell which row is meant: a key may be a whole question. */
const mostOfKey = 30;

/**
 * `6 × test, ambiguous: HTTP 500 (such as k3)`: reasons for runs without an answer and answers without a grade, the most
 * frequent first. `several`: each names its target.
 */
export function reasonPhrases(
  targets: readonly Pick<ReportTarget, "name" | "errors" | "ungraded">[],
  several: boolean,
): Phrase[] {
  return reasonsOf(targets).map((reason) => reasonPhrase(reason, several));
}

/** One of them. */
export function reasonPhrase(reason: Reason, several: boolean): Phrase {
  const { target, text, message, jobs, example } = reason;
  const group =
    reason.missing === "grade"
      ? rowGroup.ungraded(target, reason.metric)
      : rowGroup.error(target, reason.outcome, message);
  return [
    `${number(jobs)} × `,
    ...(several ? [{ target }, ", "] : []),
    { link: text, to: { group, sort: "rank" } },
    jobs === 1 ? " (" : " (such as ",
    { name: example, most: mostOfKey },
    ")",
  ];
}
