import type { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { certificatesIn } from "../../suite/certificates.ts";
import type { Deployment } from "../../suite/suite.ts";
import type { Check } from "./check.ts";

/** A certificate that ends sooner is worth a warning. */
const soonMs = 30 * 86_400_000;

/** Tells which proxy was taken, and which certificates are used beside those of Node; nothing where neither is. */
export async function connectionChecks(
  { name, connection = {} }: Deployment,
  route: string | null,
  now = Date.now(),
): Promise<Check[]> {
  const { proxy = "env", ca, cert } = connection;
  const from = proxy === "env" ? "from the environment" : `deployments.${name}.proxy`;
  const about = `${name}: proxy`;
  const ways: Check[] = [];
  if (route !== null) ways.push({ about, state: "ok", found: `${route} (${from})`, advice: null });
  else if (proxy === "none") ways.push({ about, state: "ok", found: "none (proxy: none)", advice: null });
  const files = [
    { about: `${name}: authorities`, file: ca, key: "ca" },
    { about: `${name}: certificate`, file: cert, key: "cert" },
  ];
  for (const { about: what, file, key } of files) {
    if (file !== undefined)
      ways.push(fileCheck(what, file, certificatesIn(await readFile(file, "utf8")), { key, now }));
  }
  return ways;
}

function fileCheck(
  about: string,
  file: string,
  certificates: readonly X509Certificate[],
  { key, now }: { key: string; now: number },
): Check {
  const first = certificates.toSorted((a, b) => endOf(a) - endOf(b))[0];
  if (first === undefined) return { about, state: "failed", found: `${file} holds no certificate`, advice: null };
  const names = certificates.map(({ subject }) => subject.replaceAll("\n", ", ")).join("; ");
  const until = new Date(endOf(first)).toISOString().slice(0, 10);
  const left = endOf(first) - now;
  const found = `${names}, ${left < 0 ? "expired on" : "until"} ${until} (${file})`;
  if (left > soonMs) return { about, state: "ok", found, advice: null };
  return {
    about,
    state: left < 0 ? "failed" : "warning",
    found,
    advice: `Renew it, and name the new file in \`${key}\`.`,
  };
}

const endOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo);
