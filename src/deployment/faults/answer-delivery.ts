import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpAnswer } from "../answers/http-answer.ts";
import type { FaultKind, FaultRule } from "./fault-rules.ts";

/** An answer, and what goes wrong on its way. */
export interface AnswerDelivery {
  answer: HttpAnswer;
  fault: FaultRule | null;
}

/** Long enough for what was written to reach a client on the same machine before the reset overtakes it. */
const beforeResetMs = 25;

type Spoiled = (answer: HttpAnswer, outgoing: ServerResponse, rule: FaultRule) => Promise<void> | void;

/** Actions of the faults that spoil a delivery, in place of writing the answer. */
const spoiled: Partial<Record<FaultKind, Spoiled>> = {
  hang: (_, outgoing) => closed(outgoing),
  "reset-before-headers": (_, outgoing) => {
    outgoing.socket?.resetAndDestroy();
  },
  "reset-after-headers": resetMidway,
  "truncated-json": (answer, outgoing) => {
    write({ ...answer, body: firstHalf(answer) }, outgoing);
  },
  "slow-drip": drip,
  "huge-body": pad,
};

/** Writes an answer to its connection, or does to the connection what the fault says. */
export async function deliver({ answer, fault }: AnswerDelivery, outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return;
  const spoil = fault === null ? undefined : spoiled[fault.kind];
  if (fault === null || spoil === undefined) write(answer, outgoing);
  else await spoil(answer, outgoing, fault);
}

function write(answer: HttpAnswer, outgoing: ServerResponse): void {
  head(answer, outgoing, Buffer.byteLength(answer.body));
  outgoing.end(answer.body);
}

function head(answer: HttpAnswer, outgoing: ServerResponse, length: number): void {
  outgoing.writeHead(answer.status, { ...answer.headers, "content-length": length });
}

function firstHalf(answer: HttpAnswer): Buffer {
  const bytes = Buffer.from(answer.body);
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}

async function resetMidway(answer: HttpAnswer, outgoing: ServerResponse): Promise<void> {
  head(answer, outgoing, Buffer.byteLength(answer.body));
  outgoing.write(firstHalf(answer));
  await sleep(beforeResetMs);
  outgoing.socket?.resetAndDestroy();
}

async function drip(answer: HttpAnswer, outgoing: ServerResponse, rule: FaultRule): Promise<void> {
  const bytes = Buffer.from(answer.body);
  const pieces = Math.min(20, bytes.length);
  head(answer, outgoing, bytes.length);
  for (let i = 0; i < pieces && !outgoing.destroyed; i++) {
    outgoing.write(
      bytes.subarray(Math.floor((i * bytes.length) / pieces), Math.floor(((i + 1) * bytes.length) / pieces)),
    );
    await sleep(rule.delay_ms / pieces);
  }
  outgoing.end();
}

/** A JSON object with one member more, of `size` bytes, made while it is written. */
async function pad(answer: HttpAnswer, outgoing: ServerResponse, rule: FaultRule): Promise<void> {
  const size = Math.round(rule.megabytes * 1_000_000);
  const start = Buffer.from(`${answer.body.toString().replace(/\}\s*$/, "")},"padding":"`);
  const end = Buffer.from('"}');
  const chunk = Buffer.alloc(65_536, "x");
  head(answer, outgoing, start.length + size + end.length);
  outgoing.write(start);
  for (let left = size; left > 0 && !outgoing.destroyed; left -= chunk.length) {
    const free = outgoing.write(chunk.subarray(0, Math.min(left, chunk.length)));
    if (!free) await drained(outgoing);
  }
  outgoing.end(end);
}

/** Resolves when the connection takes more, or is gone. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done);
      outgoing.off("close", done);
      resolve();
    };
    outgoing.once("drain", done);
    outgoing.once("close", done);
  });
}

function closed(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) resolve();
    outgoing.once("close", resolve);
  });
}
