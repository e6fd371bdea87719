import { parentPort } from "node:worker_threads";
import type { ThreadCall } from "./call.ts";
import { executeFunction } from "./execute.ts";

/**
 * The entry of a sandbox thread: answers every call it is sent, one after the other, and says first that it is ready.
 * The build bundles it as `sandbox-worker.js`.
 */
const port = parentPort;
port?.on("message", (call: ThreadCall) => {
  void executeFunction(call).then((result) => port.postMessage(result));
});
port?.postMessage("ready");
