import { openConnection } from "../app/send/connection.ts";
import type { Access } from "../app/send/sender.ts";
import { resolveKey } from "../suite/key.ts";
import type { Deployment } from "../suite/suite.ts";

/** Addresses and keys of the deployments of a run, with embedded ones started. */
export interface OpenAccess {
  access: Map<string, Access>;
  /** Stops the embedded deployments. */
  close: () => Promise<void>;
}

/**
 * Looks up every key first, so that a missing one is told before anything starts; then starts the embedded deployments.
 * Throws KEY_MISSING, KEY_INSECURE, ENV_MISSING or what a local deployment's own files are blamed for.
 */
export async function openAccess(deployments: Deployment[], env: NodeJS.ProcessEnv): Promise<OpenAccess> {
  const access = new Map<string, Access>();
  for (const deployment of deployments) {
    const key = resolveKey(deployment, env);
    access.set(deployment.name, {
      baseUrl: deployment.baseUrl,
      key,
      connection: await openConnection(deployment, env),
    });
  }
  const stops: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => void (await Promise.all(stops.map((stop) => stop())));
  try {
    for (const { name, baseUrl } of deployments) {
      if (!baseUrl.startsWith("local:")) continue;
      const { startDeployment } = await import("../deployment/deployment.ts");
      const running = await startDeployment({ directory: baseUrl.slice("local:".length), embedded: true });
      stops.push(() => running.stop());
      access.set(name, { ...access.get(name), baseUrl: running.baseUrl, key: null });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { access, close };
}
