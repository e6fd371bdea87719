import { join } from "node:path";
import type { Suite } from "../../suite/suite.ts";
import type { WantedReport } from "./write-report.ts";

/** A report that a suite asks for, and what it holds in a few words. */
interface SuiteReport extends WantedReport {
  about: string;
}

const files = {
  html: [{ format: "html", name: "report.html", about: "the result for people: open it in a browser" }],
  csv: [
    { format: "comparison", name: "comparison.csv", about: "a line for each case" },
    { format: "runs", name: "runs.csv", about: "a line for each job" },
  ],
  markdown: [{ format: "markdown", name: "report.md", about: "for a comment of a pull request" }],
  junit: [{ format: "junit", name: "junit.xml", about: "tests, for CI systems" }],
  json: [{ format: "json", name: "report.json", about: "the result for programs" }],
} as const;

/** The files that a suite wants in a folder; `isOwn`: not a comparison of other batches, whose runs are told elsewhere. */
export function suiteReports({ reports }: Suite, folder: string, isOwn: boolean): SuiteReport[] {
  return (["html", "csv", "markdown", "junit", "json"] as const).flatMap((name) => {
    if (reports !== undefined && !reports.includes(name)) return [];
    return files[name].flatMap(({ format, name: file, about }) =>
      format === "runs" && !isOwn ? [] : [{ format, path: join(folder, file), about }],
    );
  });
}
