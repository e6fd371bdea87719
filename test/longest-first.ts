import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of which one takes longer than many others, the longest first: begun last, one of them would be waited for alone. */
const longest = [
  "viewer/viewer-page",
  "viewer/report-rows",
  "viewer/report-page",
  "e2e/async",
  "e2e/night",
  "e2e/broken-database",
  "e2e/limits",
  "e2e/stop-when-decided",
  "hostile/page",
  "e2e/async-ends",
  "worker/submit",
  "viewer/home",
  "e2e/kill",
  "e2e/outage",
  "e2e/clock",
  "public-types",
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
