import childProcess, { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { Server } from "node:net";

/** Holds unit tests to what they are: a process that is started, or a server that listens, is an error. */
const forbidden = (what: string) => (): never => {
  throw new Error(`a unit test does not ${what}: name this file under "outside" in vitest.config.ts`);
};

const forbiddenStart = forbidden("start a process");
Object.assign(ChildProcess.prototype, { spawn: forbiddenStart });
Object.assign(Server.prototype, { listen: forbidden("listen") });
// Those that wait for the process do not go by the prototype.
Object.assign(childProcess, { spawnSync: forbiddenStart, execFileSync: forbiddenStart, execSync: forbiddenStart });
syncBuiltinESMExports();
