import { execFileSync } from "node:child_process";
import { onTestFinished } from "vitest";

/** A cable from this machine to another one: what runs there reaches `here`, an address of this machine, by no other way. */
interface Cable {
  here: string;
  /** Neither side is told: packets go nowhere, until it is plugged in. */
  pull: () => void;
  plug: () => void;
}

/** Another machine as far as the network goes: a namespace of Linux, with cables to this one. It goes with the test. */
export interface FarMachine {
  /** Words before a command that is to run there. */
  before: string[];
  cables: [Cable, Cable];
}

const ip = (...words: string[]): void => void execFileSync("ip", words, { stdio: "pipe" });

/** The reason why there can be no such machine here; null: there can. */
export function noFarMachine(): string | null {
  if (process.platform !== "linux") return "network namespaces are Linux's";
  const [name, near] = [`tandem-try-${process.pid}`, `tdt${process.pid}`];
  try {
    ip("netns", "add", name);
  } catch (error) {
    return `no network namespace can be made here, which needs root and iproute2 (${messageOf(error)})`;
  }
  try {
    ip("link", "add", near, "type", "veth", "peer", "name", `${near}b`);
    ip("link", "del", near);
    return null;
  } catch (error) {
    return `no cable (veth) can be laid here (${messageOf(error)})`;
  } finally {
    ip("netns", "del", name);
  }
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1) ?? "";

let made = 0;

/** Sets up a machine with two cables. Throws where `noFarMachine` has a reason. */
export function farMachine(): FarMachine {
  const id = `${process.pid % 100_000}-${(made += 1)}`;
  const name = `tandem-${id}`;
  ip("netns", "add", name);
  onTestFinished(() => ip("netns", "del", name));
  ip("-n", name, "link", "set", "lo", "up");
  return { before: ["ip", "netns", "exec", name], cables: [cable(name, `td${id}a`), cable(name, `td${id}b`)] };
}

let nets = 0;

function cable(name: string, near: string): Cable {
  nets += 1;
  const net = `10.${200 + (process.pid % 50)}.${nets}`;
  const [here, farEnd] = [`${net}.1`, `${near}x`];
  // An address of its own, which stays when the cable is pulled: this machine still reaches it.
  ip("addr", "add", `${here}/32`, "dev", "lo");
  onTestFinished(() => ip("addr", "del", `${here}/32`, "dev", "lo"));
  ip("link", "add", near, "type", "veth", "peer", "name", farEnd, "netns", name);
  ip("addr", "add", `${net}.5/30`, "dev", near);
  ip("-n", name, "addr", "add", `${net}.6/30`, "dev", farEnd);
  ip("link", "set", near, "up");
  ip("-n", name, "link", "set", farEnd, "up");
  ip("-n", name, "route", "add", `${here}/32`, "via", `${net}.5`);
  return { here, pull: () => ip("link", "set", near, "down"), plug: () => ip("link", "set", near, "up") };
}
