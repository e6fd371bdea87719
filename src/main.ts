#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { runCli } from "./cli/cli.ts";

// What lives is small whatever the size of the dataset: collect garbage before it has grown to several times of that.
// Measured at 100,000 rows: 195 MB instead of 230 MB at the peak, for no more CPU; 60 takes 20 MB less and 8 % more CPU.
setFlagsFromString("--heap-growing-percent=150");

process.exitCode = await runCli(process.argv.slice(2));
