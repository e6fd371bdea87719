import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { Client, type buildConnector, type Dispatcher } from "undici";
import { InterimAnswers } from "./interim.ts";

/** Stops and restarts the reading of one connection. */
export interface ReadingGate {
  hold(): void;
  letGo(): void;
}

/** Dispatch options with the one who is to know the gate of the connection that is chosen. */
export interface GatedDispatchOptions extends Dispatcher.DispatchOptions {
  reader: { gate: ReadingGate | null };
}

/**
 * One connection of a pool, whose reading can be held. undici's own `pause` is advice: when the other side closes the
 * connection, all that has arrived is delivered (8.12.4, `Parser.finish`). Here its parser never knows: the socket just
 * has nothing to read for a while, and what arrives waits in the kernel.
 */
export class GatedClient extends Client implements ReadingGate {
  #held = false;
  #socket: Socket | null = null;
  readonly #interim = new InterimAnswers();

  /** A factory for a pool, whose `connect` option is a function by then. */
  static create(this: void, origin: URL, options: object): GatedClient {
    const { connect }: Client.Options = options;
    if (typeof connect !== "function") return new GatedClient(origin, options);
    const gated: buildConnector.connector = (target, done) => {
      connect(target, (...result) => {
        if (result[0] === null) client.#adopt(result[1]);
        done(...result);
      });
    };
    const client: GatedClient = new GatedClient(origin, { ...options, connect: gated });
    return client;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (isGated(options)) options.reader.gate = this;
    this.#interim.expect();
    return super.dispatch(options, handler);
  }

  hold(): void {
    this.#held = true;
  }

  letGo(): void {
    if (!this.#held) return;
    this.#held = false;
    const socket = this.#socket;
    // Not at once: this may be called inside the parser of another connection, which cannot be entered twice.
    queueMicrotask(() => socket?.emit("readable"));
  }

  #adopt(socket: Socket | TLSSocket): void {
    this.#socket = socket;
    const read = socket.read.bind(socket);
    socket.read = (size) => {
      if (this.#held) return null;
      const chunk: unknown = read(size);
      return Buffer.isBuffer(chunk) ? this.#interim.pass(chunk) : chunk;
    };
  }
}

function isGated(options: Dispatcher.DispatchOptions): options is GatedDispatchOptions {
  return "reader" in options;
}
