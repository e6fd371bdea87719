import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { fastFolder } from "./test/fast-folder.ts";
import { LongestFirst } from "./test/longest-first.ts";

const folder = fastFolder();

/** How the tests of one run share a machine. */
const shared = {
  // Long enough on a machine that is three times slower, or that others share.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // What is waited for comes at once, but on a machine that others share that may take a while.
  expect: { poll: { timeout: 20_000 } },
  // On a machine that others share, a test of timing may need a second chance; at a desk it gets none.
  retry: process.env["CI"] === undefined ? 0 : 2,
  env: {
    TMPDIR: folder,
    // The code that one process compiled is not compiled again by the hundreds that the tests start.
    NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/tandem-tests", import.meta.url)),
    // Folder of the one PostgreSQL that the tests of a run share, which the first who needs it starts (test/postgres.ts).
    TANDEM_TEST_POSTGRES: join(folder, `tandem-postgres-${process.pid}`),
  },
  // Vitest would take one process fewer than there are cores, but of five tests three wait for others, and in CI more.
  maxWorkers: Math.max(process.env["CI"] === undefined ? 6 : 8, availableParallelism()),
  // Files share a process one after the other: what a test changes of it, it puts back.
  pool: "forks",
  isolate: false,
  // Room in which what a file makes is not collected at once: a twentieth of the work.
  execArgv: ["--min-semi-space-size=16"],
  sequence: { sequencer: LongestFirst },
} satisfies ViteUserConfig["test"];

/** Tests that start browsers, processes, threads and servers, which wait most of the time; and attacks, which are not for the hand. */
const outside = [
  "test/viewer/{bad-input,home,home-beside,choice-findings,judge-drift,viewer-page,report-*,viewer-rows,searches}.test.ts",
  "test/e2e/*.test.ts",
  "test/hostile/{bounds,command,databases,files,functions,large-row,outputs,page,postgres,readers,suites,surfaces,viewer,workbooks}.test.ts",
  "test/viewer/{row-index,security,server}.test.ts",
  "test/deployment/**/*.test.ts",
  "test/datasets/*.test.ts",
  "test/workers/**/*.test.ts",
  "test/contract/*.test.ts",
  "test/dataset/{excel,files,pipes,sheets-of-people}.test.ts",
  "test/app/{notify,score-effects}.test.ts",
  "test/score/{audio,examples,hostile,own,rubrics}.test.ts",
  "test/client/{connection,interim,leave,network,body-budget,files-of-attempts,fixtures}.test.ts",
  "test/{library,cli/signals/process-group}.test.ts",
  "test/store/{life-file,long-write,plans}.test.ts",
  "test/{lib/liquid,runner/lockstep,text/pattern}.test.ts",
  "test/suite/suite-path.test.ts",
  "test/action/action.test.ts",
  "test/mcp/large-calls.test.ts",
  "test/{security,deploy-nights}.test.ts",
];

/** Paths that people take through the real program, one a file: `npm test` runs them beside the unit tests. */
const journeys = [
  "test/e2e/{run,resume,kill,night,compare,init-sheets,chat-completions,judge,validate,verdict-situations,planted-secrets,output,outage}.test.ts",
  "test/viewer/report-page.test.ts",
];

/** Slow tests of what a change breaks without a sign: the memory of every thread, and outages. */
const slow = ["test/cli/start/heap-flags.slow.ts", "test/e2e/nginx-outage.slow.ts"];

/** Debian's PostgreSQL compiles its queries, which that of npm cannot: limits are tried on both. */
const installed = {
  name: "installed",
  include: existsSync("/usr/lib/postgresql") ? ["test/workers/limits.test.ts"] : [],
  env: {
    ...shared.env,
    TANDEM_TEST_SERVER: "installed",
    TANDEM_TEST_POSTGRES: join(folder, `tandem-postgres-installed-${process.pid}`),
  },
};

/** `npm test` runs the first two, `npm run test:rest` the others. */
export default defineConfig({
  test: {
    ...shared,
    projects: [
      // A process that is started there, or a server, is an error.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: outside,
          setupFiles: ["test/nothing-outside.ts"],
        },
      },
      { extends: true, test: { name: "journeys", include: journeys } },
      {
        extends: true,
        test: {
          name: "rest",
          include: [...outside, ...slow],
          exclude: journeys,
          globalSetup: "test/viewer/one-browser.ts",
        },
      },
      { extends: true, test: installed },
    ],
  },
});
