import type { Suite } from "./suite.ts";

/** Saved bot of an embedded deployment that `tandem init` makes of the sheet, until a person writes the address of their own. */
export const standInBot = "assistant";

/** True for a target that is answered by that bot, and not by a service. */
export function isStandIn({ baseUrl, exampleId }: { baseUrl: string; exampleId: string }): boolean {
  return baseUrl.startsWith("local:") && exampleId === standInBot;
}

/** Saved bot of an embedded deployment that counts shared words: it stands in where no provider of promptfoo's file can judge. */
export const standInJudge = "judge";

/** Judges of a suite that are such a bot, each with the scorers that ask it. */
export function standInJudges({ judges, deployments, scorers }: Pick<Suite, "judges" | "deployments" | "scorers">) {
  return judges.flatMap(({ name, deployment, exampleId }) => {
    const baseUrl = deployments.find((each) => each.name === deployment)?.baseUrl ?? "";
    if (!baseUrl.startsWith("local:") || exampleId !== standInJudge) return [];
    const asking = scorers.filter(({ options }) => options["target"] === name).map((scorer) => scorer.name);
    return asking.length === 0 ? [] : [{ judge: name, scorers: asking }];
  });
}
