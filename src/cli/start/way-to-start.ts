import { isSupportedNode, oldestNode } from "../../lib/node-support.ts";

/** The way on from the first moment of the command: with this Node, with another, or not at all; what a person can do about it in one sentence. */
export type WayToStart =
  | { by: "this" }
  | { by: "other"; node: string; otherwise: string }
  | { by: "none"; otherwise: string };

/** The Node that runs, as a version and a path; the checkout's own Node, null where there is none; and the file of the command. */
export interface Circumstances {
  version: string;
  running: string;
  own: string | null;
  main: string;
}

/** Decides who runs the command. A checkout brings a Node of its own, for machines that have an older one. */
export function wayToStart({ version, running, own, main }: Circumstances): WayToStart {
  if (isSupportedNode(version)) return { by: "this" };
  const file = /[^\w./-]/.test(main) ? `"${main}"` : main;
  const otherwise = `tandem needs Node ${oldestNode} or newer and this is ${version}: install a newer one (npm install --save-dev node@24 in your project, with its node_modules/.bin first in PATH), or type: npx -y -p node@24 -- node ${file}`;
  return own !== null && own !== running ? { by: "other", node: own, otherwise } : { by: "none", otherwise };
}
