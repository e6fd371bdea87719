import type { Deployment, Suite, Target } from "./suite.ts";

/** The judges that a scorer asks. */
export function askedJudges({ judges, scorers }: Pick<Suite, "judges" | "scorers">): Target[] {
  return judges.filter(({ name }) => scorers.some(({ options }) => options["target"] === name));
}

/** The deployments that a run needs: of the targets, and of the judges that are asked. */
export function usedDeployments(suite: Suite): Deployment[] {
  const used = new Set([...suite.targets, ...askedJudges(suite)].map(({ deployment }) => deployment));
  return suite.deployments.filter(({ name }) => used.has(name));
}
