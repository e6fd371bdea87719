import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of which one takes longer than many others, the longest first: begun last, one of them would be waited for alone. */
const longest = [
  "e2e/kill",
  "e2e/limits",
  "e2e/broken-database",
  "viewer/viewer-page",
  "public-types",
  "e2e/verdict",
  "e2e/clock",
  "e2e/rate",
  "e2e/judge",
  "e2e/outage",
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
