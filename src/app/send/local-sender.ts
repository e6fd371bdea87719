import { endpointWord } from "../../api/endpoint-name.ts";
import { isSecretName } from "../../api/http/secret.ts";
import { createBodyBudget } from "../../client/body-budget.ts";
import { createClient } from "../../client/client.ts";
import { version } from "../../lib/version.ts";
import type { DriveOptions } from "../../runner/drive.ts";
import { tightest } from "../../runner/pacer.ts";
import { Runner } from "../../runner/runner.ts";
import { refuseAtWorkers } from "./at-workers.ts";
import type { Access, Sender } from "./sender.ts";
import { freeFiles, openFileLimit } from "../../client/file-limit.ts";
import { counted, duration, number } from "../../report/say/quantity.ts";
import { caseKeys } from "../../store/plan/case-keys.ts";
import { isLoopbackAddress } from "../../suite/key.ts";
import type { Deployment, Suite } from "../../suite/suite.ts";

/** Response bodies in flight, over all deployments. */
const bodyBytesInFlight = 128 * 1024 * 1024;

/** Cases by which a deployment may be ahead of another, beyond its requests in flight, where all is in vain when it is decided. */
const leadWhileDeciding = 8;

/** Sends from this process. `access`: deployment name to the address to send to and the key to send. */
export function localSender(access: Map<string, Access>): Sender {
  // A command may send several times: cases, judges, cases once more.
  const noted = new Set<string>();
  return ({ db, batch }, options) => {
    const { role, targets } = options.load;
    if (role === "case" && targets.some(({ unfinished }) => unfinished > 0)) refuseAtWorkers(db, batch);
    const runner = createRunner(batch.seed, { ...options, access, caseKey: caseKeys(db) });
    for (const line of sharedLimitNotes(options.load, access)) {
      if (!noted.has(line)) options.onNotice(line);
      noted.add(line);
    }
    return runner;
  };
}

function createRunner(
  seed: string,
  options: DriveOptions & { access: Map<string, Access>; caseKey: (caseId: number) => string },
): Runner {
  const { suite, targets, journal, conversations } = options.load;
  const bodyBudget = createBodyBudget(bodyBytesInFlight);
  const deployments = withinFileLimit(suite, options.onNotice);
  const accountOf = accounts();
  const sides = deployments.flatMap((deployment) => {
    const own = targets.filter((target) => target.deployment === deployment.name && target.unfinished > 0);
    const access = options.access.get(deployment.name);
    if (own.length === 0 || access === undefined) return [];
    const client = createClient({
      ...access,
      // Each endpoint has a queue of its own with this concurrency.
      connections: deployment.concurrency * new Set(own.map(({ endpoint }) => endpointWord(endpoint))).size,
      bodyBudget,
      userAgent: `tandem/${version}`,
    });
    return [{ deployment, account: accountOf(access), client, targets: own }];
  });
  return new Runner({
    sides,
    journal,
    seed,
    budget: options.budget,
    interleave: suite.interleave,
    onAmbiguous: suite.onAmbiguous,
    conversations,
    caseKey: options.caseKey,
    onEvent: options.onEvent,
    ...(options.mayEndEarly && { lead: leadWhileDeciding }),
    ...(options.firstLook !== undefined && { firstLook: options.firstLook }),
  });
}

/** Numbers what a service counts together: an address with a key, wherever in the headers it stands. */
function accounts(): (access: Access) => string {
  const known: string[] = [];
  return (access) => {
    const own = JSON.stringify([placeOf(access.baseUrl), access.key, ...secretsIn(access)]);
    const place = known.indexOf(own);
    return String(place === -1 ? known.push(own) - 1 : place);
  };
}

/** An address, in which this machine has one name. */
function placeOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (isLoopbackAddress(url.hostname)) url.hostname = "localhost";
  return url.href;
}

const secretsIn = ({ connection }: Access): string[] =>
  (connection?.headers ?? [])
    .flatMap(([name, value]) => (isSecretName(name) ? `${name.toLowerCase()}: ${value}` : []))
    .toSorted();

/** Says where deployments with one address and key have other limits than each other: the smallest of them hold for all. */
function sharedLimitNotes({ suite, targets }: DriveOptions["load"], access: ReadonlyMap<string, Access>): string[] {
  const accountOf = accounts();
  const used = suite.deployments.flatMap((deployment) => {
    const reached = access.get(deployment.name);
    const isUsed = targets.some((target) => target.deployment === deployment.name && target.unfinished > 0);
    return reached === undefined || !isUsed ? [] : [{ deployment, account: accountOf(reached) }];
  });
  return [...Map.groupBy(used, ({ account }) => account).values()].flatMap((group) => {
    const deployments = group.map(({ deployment }) => deployment);
    const limits = new Set(deployments.map(({ concurrency, rate }) => JSON.stringify([concurrency, rate ?? null])));
    if (limits.size < 2) return [];
    const least = Math.min(...deployments.map(({ concurrency }) => concurrency));
    const rate = tightest(deployments.flatMap((each) => each.rate ?? []));
    const pace = rate === null ? "" : ` and ${number(rate.count)} in ${duration(rate.windowMs)}`;
    const names = deployments.map(({ name }) => name).join(" and ");
    return [
      `${names} have the same address and key: the smallest of their limits holds for them together, ${counted(least, "request")} at once${pace}.`,
    ];
  });
}

/** The deployments of a suite with no more at once than the process may have files open; says so when it lowers one. */
function withinFileLimit(
  { deployments, targets }: Pick<Suite, "deployments" | "targets">,
  onNotice: (message: string) => void,
): Deployment[] {
  const left = freeFiles();
  if (left === null) return deployments;
  const sockets = deployments.map((deployment) => socketsOf(deployment, targets));
  const share = Math.max(1, Math.floor(left / sockets.reduce((sum, each) => sum + each, 0)));
  return deployments.map((deployment) => {
    if (deployment.concurrency <= share) return deployment;
    onNotice(
      `${deployment.name}: concurrency ${deployment.concurrency} lowered to ${share}, because this process may open only ${openFileLimit()} files (raise it with \`ulimit -n\`).`,
    );
    return { ...deployment, concurrency: share };
  });
}

/** Each endpoint has a queue of its own; of an embedded deployment, the other end of a socket is here as well. */
function socketsOf({ name, baseUrl }: Deployment, targets: Suite["targets"]): number {
  const endpoints = new Set(
    targets.filter(({ deployment }) => deployment === name).map(({ endpoint }) => endpointWord(endpoint)),
  );
  return Math.max(1, endpoints.size) * (baseUrl.startsWith("local:") ? 2 : 1);
}
