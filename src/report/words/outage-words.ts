import { statusWords } from "../../lib/status-words.ts";
import type { StoredOutage } from "../../store/results/outages.ts";
import { dayLabel, momentLabel, secondLabel } from "./night-names.ts";
import { counted } from "./quantity.ts";

const mostOutages = 3;

/** Sentences on the times in which services were away: `prod was down 02:10 to 02:14; 36 requests were answered 502 (bad gateway).` */
export function outageWords(outages: readonly StoredOutage[]): string[] {
  const told = outages.slice(0, mostOutages).map(sentence);
  const rest = outages.slice(mostOutages);
  if (rest.length === 0) return told;
  const requests = rest.reduce((sum, each) => sum + each.requests, 0);
  return [
    ...told,
    `Services were down ${counted(rest.length, "more time")}; ${counted(requests, "request")} ${were(requests)} answered by a gateway then.`,
  ];
}

function sentence({ deployment, since, until, status, requests }: StoredOutage): string {
  const when = until === null ? `from ${clock(since)} on` : `${clock(since)} to ${clock(until, since)}`;
  return `${deployment} was down ${when}; ${counted(requests, "request")} ${were(requests)} answered ${statusWords(status)}.`;

  function clock(at: number, from = at): string {
    // Minutes are enough where they tell the two ends apart.
    const isShort = until !== null && momentLabel(since) === momentLabel(until);
    const label = isShort ? secondLabel(at) : momentLabel(at);
    const isSameDay = dayLabel(at) === dayLabel(from) && (until === null || dayLabel(since) === dayLabel(until));
    return isSameDay ? label.slice(dayLabel(at).length + 1) : label;
  }
}

const were = (count: number): string => (count === 1 ? "was" : "were");
