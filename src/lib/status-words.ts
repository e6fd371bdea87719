/** Statuses with which a gateway answers in the place of a service, in the words of HTTP. */
const reasons: Readonly<Record<number, string>> = {
  500: "server error",
  502: "bad gateway",
  503: "service unavailable",
  504: "gateway time-out",
};

/** A status with its meaning: `502 (bad gateway)`. */
export function statusWords(status: number): string {
  const reason = reasons[status];
  return reason === undefined ? String(status) : `${status} (${reason})`;
}
