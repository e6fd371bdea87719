import { ChildProcess } from "node:child_process";
import { Server } from "node:net";

/** Holds unit tests to what they are: a process that is started, or a server that listens, is an error. */
const forbidden = (what: string) => (): never => {
  throw new Error(`a unit test does not ${what}: name this file under "outside" in vitest.config.ts`);
};

Object.assign(ChildProcess.prototype, { spawn: forbidden("start a process") });
Object.assign(Server.prototype, { listen: forbidden("listen") });
