export { fault, faultsOf, keyFault } from "../lib/fault.ts";
export type { Fault, FaultPath } from "../lib/fault.ts";
