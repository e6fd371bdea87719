import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longer than many others, the longest first: begun last, one of them would be waited for alone. One that
 * computes follows one that waits (`e2e/async` for services), as all that wait together leave
 * the machine idle.
 */
const longest = [
  "viewer/viewer-page",
  "e2e/async",
  "viewer/report-rows",
  "workers/kills",
  "viewer/report-page",
  "e2e/async-ends",
  "hostile/page",
  "e2e/night",
  "e2e/stop-when-decided",
  "e2e/outage",
  "action/action",
  "e2e/clock",
  "viewer/server",
  "e2e/stall",
  "e2e/broken-database",
  "e2e/limits",
  "viewer/report-first-screen",
  "viewer/home",
  "viewer/security",
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
