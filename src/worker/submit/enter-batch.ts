import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { Postgres } from "../postgres/connection.ts";
import { dropFile, renewTarget } from "../postgres/rejoin.ts";
import { addFile, addService, addTargets, endFile } from "../postgres/submit.ts";
import { type Lane, serviceName } from "./lanes.ts";
import { knownPlan } from "./places-here.ts";
import type { Session } from "./session.ts";

/** Enters the planned batch as a file, from which another machine can go on. */
export async function uploadFile(
  session: Session,
  no: number,
  { db, batch }: { db: Connection; batch: Batch },
): Promise<void> {
  // A part of another upload would not fit.
  await dropFile(session.db, no);
  let part = 0;
  for await (const bytes of session.planFile(db, batch)) {
    await addFile(session.db, no, part, bytes);
    part += 1;
  }
  await endFile(session.db, no, knownPlan(db, batch.id).planned);
}

/** Enters the services and targets of lanes, as the suite has them now; gives the number of each lane's service. */
export async function enterLanes(
  db: Postgres,
  no: number,
  { lanes, targetThere }: { lanes: readonly Lane[]; targetThere: (targetId: number) => number },
): Promise<Map<Lane, number>> {
  const services = new Map<Lane, number>();
  for (const lane of lanes) {
    const service = await addService(db, no, { name: serviceName(lane), ...limitsOf(lane, lanes) });
    services.set(lane, service);
    const word = lane.name.slice(lane.name.lastIndexOf("/") + 1);
    const targets = lane.targets.map(({ id, name, deployment, ...data }) => ({
      id: targetThere(id),
      name,
      deployment,
      endpoint: word,
      service,
      data: JSON.stringify({ ...data, name }),
    }));
    await addTargets(db, no, targets);
    for (const target of targets) await renewTarget(db, no, target);
  }
  return services;
}

/** The tightest limits of the deployments that share a service. */
function limitsOf(lane: Lane, lanes: readonly Lane[]): Pick<Lane["deployment"], "concurrency" | "rate"> {
  const same = lanes.filter((other) => serviceName(other) === serviceName(lane)).map(({ deployment }) => deployment);
  const rates = same.flatMap(({ rate }) => rate ?? []);
  const [slowest = null] = rates.toSorted((a, b) => a.count / a.windowMs - b.count / b.windowMs);
  return { concurrency: Math.min(...same.map(({ concurrency }) => concurrency)), rate: slowest };
}
