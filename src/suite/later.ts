import type { FaultPath } from "./fault.ts";
import type { SuiteFile } from "./schema.ts";

/** A key that is understood and checked, but whose feature is not in this version. */
interface LaterFeature {
  message: string;
  /** Where the suite uses it; empty when it does not. */
  find: (suite: SuiteFile) => FaultPath[];
}

/** Every feature of the suite file that is still to come. Remove the entry when the feature arrives. */
export const laterFeatures: readonly LaterFeature[] = [
  {
    message: "this report is not in this version yet: only terminal and csv are written",
    find: (suite) =>
      (suite.reports ?? []).flatMap((report, i) => (["terminal", "csv"].includes(report) ? [] : [["reports", i]])),
  },
];
