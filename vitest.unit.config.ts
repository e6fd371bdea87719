import { defineConfig } from "vitest/config";
import { shared } from "./vitest.config.ts";

/** Tests that start browsers, processes, threads and servers, which wait most of the time; and attacks, which are not for the hand. */
const outside = [
  "test/viewer/{bad-input,home,home-beside,choice-findings,judge-drift,label-draw,viewer-page,report-*,viewer-rows}.test.ts",
  "test/e2e/*.test.ts",
  "test/hostile/{command,databases,files,functions,large-row,markup,outputs,page,postgres,readers,sql,suites,surfaces,viewer,workbooks}.test.ts",
  "test/viewer/{live,security,server}.test.ts",
  "test/deployment/**/*.test.ts",
  "test/datasets/*.test.ts",
  "test/worker/**/*.test.ts",
  "test/contract/*.test.ts",
  "test/dataset/{excel,files,parquet,pipes,sheets-of-people}.test.ts",
  "test/app/{notify,read-results,score-effects}.test.ts",
  "test/score/{audio,examples,hostile,own,rubrics}.test.ts",
  "test/client/{connection,interim,leave,network,body-budget,files-of-attempts,fixtures}.test.ts",
  "test/{library,cli/man-page,cli/signals/process-group}.test.ts",
  "test/store/{life-file,long-write,plans}.test.ts",
  "test/{lib/liquid,runner/lockstep,text/pattern}.test.ts",
  "test/suite/suite-path.test.ts",
  "test/action/action.test.ts",
  "test/mcp/large-calls.test.ts",
  "test/security.test.ts",
];

export default defineConfig({
  test: {
    ...shared,
    include: ["test/**/*.test.ts"],
    exclude: outside,
    setupFiles: ["test/nothing-outside.ts"],
  },
});
