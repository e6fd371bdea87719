import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longer than many others, the longest first: begun last, one of them would be waited for alone. One that
 * computes follows one that waits (`e2e/gateway` for services, `workers/kills` for shares to run out), as all that wait
 * together leave the machine idle.
 */
const longest = [
  "workers/resumes",
  "viewer/viewer-page",
  "workers/refusals",
  "hostile/suites",
  "workers/kills",
  "viewer/report-rows",
  "e2e/gateway",
  "viewer/bad-input",
  "e2e/request-limits",
  "e2e/clock",
  "e2e/nginx-outage",
  "e2e/race",
  "e2e/stall",
  "viewer/report-send",
  "workers/kinds",
  "e2e/people-labels",
  "e2e/async",
  "viewer/report-page",
  "e2e/async-ends",
  "hostile/page",
  "e2e/night",
  "e2e/stop-when-decided",
  "e2e/outage",
  "action/action",
  "e2e/killed",
  "viewer/server",
  "e2e/broken-database",
  "workers/limits",
  "e2e/merge",
  "e2e/limits",
  "viewer/home",
  "viewer/security",
  "hostile/workbooks",
  "e2e/kill",
  "hostile/databases",
  "e2e/files",
  "e2e/judge",
];

/** Starts the files that take longest first, and leaves the order of the others as it is. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((name) => moduleId.includes(`/test/${name}.`));
      return found === -1 ? longest.length : found;
    };
    const usual = await BaseSequencer.prototype.sort.call(this, files);
    return usual.toSorted((a, b) => place(a) - place(b));
  }
}
