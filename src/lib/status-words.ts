/** In the place of a status: answers were closed, empty or cut. No service answers with it. */
export const brokenStatus = 0;

/** Statuses with which a gateway answers in the place of a service, in the words of HTTP. */
const reasons: Readonly<Record<number, string>> = {
  [brokenStatus]: "broken answers",
  500: "server error",
  502: "bad gateway",
  503: "service unavailable",
  504: "gateway time-out",
  520: "unknown error",
  521: "web server down",
  522: "connection time-out",
  523: "origin unreachable",
  524: "time-out",
  530: "origin error",
};

/** A status with its meaning: `502 (bad gateway)`, or `with broken answers`. */
export function statusWords(status: number): string {
  const reason = reasons[status];
  if (status === brokenStatus) return `with ${reason}`;
  return reason === undefined ? String(status) : `${status} (${reason})`;
}
