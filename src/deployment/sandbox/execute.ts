import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import { type ThreadCall, type ThreadResult, failedResult } from "./call.ts";
import { limitTexts } from "./limit-texts.ts";
import { z } from "zod";
import type { LogEntry } from "../../api/functions-schema.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";

const logLevel = z.enum(["log", "warn", "error", "info", "debug", "trace"]);

/** Collects what a function logs, up to the limits of entries and bytes; the rest is only counted. */
interface LogKeeper {
  /** Bytes that a message may still have; 0 when nothing more is kept. */
  room(): number;
  /** Counts an entry that is not kept. */
  skip(): void;
  /** Keeps an entry. Both texts come from the sandbox and are checked here. */
  add(level: string, messageJson: string): void;
  /** The entries that were kept, with a last one about those that were left out. */
  entries(): LogEntry[];
}

function keepLogs(limits: SandboxLimits): LogKeeper {
  const kept: LogEntry[] = [];
  let bytesLeft = limits.output_bytes;
  let skipped = 0;
  const room = (): number => (kept.length < limits.log_entries ? bytesLeft : 0);
  return {
    room,
    skip: () => {
      skipped += 1;
    },
    add(levelText, messageJson) {
      const checked = logLevel.safeParse(levelText);
      const message: unknown = JSON.parse(messageJson);
      if (!checked.success || typeof message !== "string") return;
      const bytes = Buffer.byteLength(message);
      if (bytes > room()) skipped += 1;
      else {
        bytesLeft -= bytes;
        kept.push({ level: checked.data, message });
      }
    },
    entries: () => {
      if (skipped === 0) return kept;
      const message = `${skipped} more log ${skipped === 1 ? "entry was" : "entries were"} left out: at most ${limits.log_entries} entries and ${limits.output_bytes} bytes are kept.`;
      return [...kept, { level: "warn", message }];
    },
  };
}

/** Deep enough for real code; far below what the thread's own stack allows. */
const stackBytes = 192 * 1024;
/** Characters of one log message or error text. */
const maxMessage = 50_000;
const jobsAtOnce = 500;
/** Levels of arrays and objects in a return value; many readers of JSON cannot take thousands. */
const maxDepth = 500;
/** Bytes of a page of WebAssembly memory. */
const pageBytes = 64 * 1024;
/** Pages that the engine begins with. */
const firstPages = 256;
/** A function is refused what lies beyond this share of its memory, which it may catch; beyond its memory it is ended before its next turn. */
const roomShare = 1.5;

const engine = import("@jitl/quickjs-wasmfile-release-sync");
let pooled: Module | null = null;

/** The engine in a WebAssembly memory of its own, which cannot grow beyond `maximum` pages. */
interface Module {
  quickjs: QuickJSWASMModule;
  maximum: number;
  /** Bytes of its memory before anything has run in it. */
  freshBytes: number;
}

async function newModule(maximum: number): Promise<Module> {
  const wasmMemory = new WebAssembly.Memory({ initial: firstPages, maximum });
  const { default: loaded } = await engine;
  // Its types are those of its CommonJS build, which has one `default` more than the module that Node loads.
  const variant = "default" in loaded ? loaded.default : loaded;
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }));
  return { quickjs, maximum, freshBytes: bytesOf(quickjs) };
}

/**
 * Runs one call in a fresh runtime and context. The WebAssembly module is used again only after a run that ended by
 * itself, left nothing behind and let its memory, which never shrinks, as it was. One that trapped or was interrupted is
 * dropped as it is: nothing in it can be trusted, and taking it apart can abort.
 */
export async function executeFunction(call: ThreadCall): Promise<ThreadResult> {
  const used = pooled;
  pooled = null;
  const maximum = firstPages + Math.ceil((call.limits.memory_bytes * roomShare) / pageBytes);
  const module = used?.maximum === maximum ? used : await newModule(maximum);
  const run = new Run(module, call);
  const result = run.finish();
  if (run.isClean() && bytesOf(module.quickjs) === module.freshBytes && run.dispose()) pooled = module;
  return result;
}

const bytesOf = (module: QuickJSWASMModule): number => module.getWasmMemory().buffer.byteLength;

/** One run: a life cycle of its own, from a fresh runtime to its end. */
class Run {
  readonly logs: LogKeeper;
  private readonly call: ThreadCall;
  private readonly runtime: QuickJSRuntime;
  private readonly context: QuickJSContext;
  private readonly handles: QuickJSHandle[] = [];
  private readonly deadline: number;
  private isLoaded = false;
  private timedOut = false;
  /** It has filled its memory, and goes on no longer, whatever it has freed since. */
  private isFull = false;
  private readonly module: Module;
  private result: ThreadResult | null = null;
  /** The text of an error that no code in the sandbox could handle. */
  private broken: string | null = null;

  constructor(module: Module, call: ThreadCall) {
    this.call = call;
    this.module = module;
    this.logs = keepLogs(call.limits);
    this.runtime = module.quickjs.newRuntime();
    this.runtime.setMaxStackSize(stackBytes);
    this.deadline = performance.now() + call.limits.time_ms;
    this.runtime.setInterruptHandler(() => this.isOver());
    this.runtime.setModuleLoader((name) => ({
      error: new Error(`There are no modules here: ${JSON.stringify(name)} cannot be imported.`),
    }));
    this.context = this.runtime.newContext();
  }

  /** Loads the source, calls its function and waits for what it returns. Never throws. */
  finish(): ThreadResult {
    try {
      return this.toEnd();
    } catch (trap) {
      this.broken = String(trap);
      const text = trap instanceof RangeError ? limitTexts.stack(this.call) : limitTexts.crash(this.call, this.broken);
      return failedResult(text, this.isLoaded ? this.logs.entries() : []);
    }
  }

  /** True when the run ended by itself. */
  isClean(): boolean {
    return !this.timedOut && !this.isFull && this.broken === null;
  }

  /** Frees the runtime; false when that was not possible. */
  dispose(): boolean {
    try {
      for (const handle of this.handles.toReversed()) if (handle.alive) handle.dispose();
      this.context.dispose();
      this.runtime.dispose();
      return true;
    } catch {
      return false;
    }
  }

  private toEnd(): ThreadResult {
    const { context, call } = this;
    const guest = this.startGuest();
    if (guest === null) return this.ending();
    const namespace = this.load(guest);
    if (namespace === null) return this.ending();
    this.isLoaded = true;
    const texts = [call.variablesJson, call.bodyJson].map((text) => this.keep(context.newString(text)));
    this.enter(guest, "run", [namespace, ...texts]);
    this.pump(() => this.result !== null);
    return this.ending();
  }

  private startGuest(): QuickJSHandle | null {
    const { context } = this;
    const maker = context.evalCode(guestSource, guestName);
    if (maker.error) return this.breakOff(maker.error);
    this.keep(maker.value);
    const log = this.keep(context.newFunction("log", (level, json) => this.log(level, json)));
    const done = this.keep(context.newFunction("done", (kind, json) => this.done(kind, json)));
    const max = this.keep(context.newNumber(maxMessage));
    const guest = context.callFunction(maker.value, context.undefined, log, done, max);
    return guest.error ? this.breakOff(guest.error) : this.keep(guest.value);
  }

  /** Evaluates the source as a module; null when it could not be loaded. */
  private load(guest: QuickJSHandle): QuickJSHandle | null {
    const { context, call } = this;
    const module = context.evalCode(call.source, call.fileName, { type: "module" });
    if (module.error) {
      this.enter(guest, "load", [this.keep(module.error)]);
      return null;
    }
    const value = this.keep(module.value);
    this.pump(() => context.getPromiseState(value).type !== "pending");
    const state = context.getPromiseState(value);
    if (state.type === "pending") return null;
    if (state.type === "fulfilled") return state.notAPromise === true ? value : this.keep(state.value);
    this.enter(guest, "load", [this.keep(state.error)]);
    return null;
  }

  private enter(guest: QuickJSHandle, name: string, values: QuickJSHandle[]): void {
    const method = this.keep(this.context.getProp(guest, name));
    const called = this.context.callFunction(method, this.context.undefined, ...values);
    if (called.error) this.breakOff(called.error);
    else this.keep(called.value);
  }

  /** Runs what promises wait for, until nothing is left, something broke, or `isEnough`. */
  private pump(isEnough: () => boolean): void {
    while (this.runtime.hasPendingJob() && this.broken === null && !isEnough() && !this.isOver()) {
      const ran = this.runtime.executePendingJobs(jobsAtOnce);
      if (ran.error) this.breakOff(ran.error);
    }
  }

  private breakOff(error: QuickJSHandle): null {
    this.keep(error);
    this.broken ??= this.shortText(error);
    return null;
  }

  private ending(): ThreadResult {
    const logs = this.isLoaded ? this.logs.entries() : [];
    if (this.result !== null) return { ...this.result, logs };
    if (this.isFull) return failedResult(limitTexts.memory(this.call), logs);
    if (this.timedOut) return failedResult(limitTexts.time(this.call), logs);
    if (this.broken !== null) return failedResult(this.explain(this.broken), logs);
    return failedResult(limitTexts.unsettled(this.call), logs);
  }

  /** Keeps a log entry and answers whether there is room for another one. Ends a late loop that does little else. */
  private log(level: QuickJSHandle, json: QuickJSHandle): QuickJSHandle {
    if (this.isOver()) throw new Error("interrupted");
    const levelText = this.text(level, 10);
    const message = this.logs.room() > 0 ? this.text(json, maxMessage * 8) : null;
    if (levelText === null || message === null) this.logs.skip();
    else this.logs.add(levelText, message);
    return this.logs.room() > 0 ? this.context.true : this.context.false;
  }

  /** The first end counts; what comes after it is not heard. */
  private done(kindHandle: QuickJSHandle, json: QuickJSHandle): void {
    if (this.result !== null || this.isOver()) return;
    const kind = this.text(kindHandle, 10);
    const { output_bytes: outputBytes } = this.call.limits;
    const text = this.text(json, kind === "value" ? outputBytes : maxMessage * 8);
    const bytes = text === null ? this.length(json) : Buffer.byteLength(text);
    if (kind === "load") this.isLoaded = false;
    if (kind !== "value") this.result = failedResult(this.explain(textOfJson(text)));
    else if (text === null || bytes > outputBytes) this.result = failedResult(limitTexts.output(this.call, bytes));
    else if (depthOf(text) > maxDepth) this.result = failedResult(limitTexts.stack(this.call));
    else this.result = { valueJson: text, error: null, logs: [] };
  }

  /** The text of a handle when it is a string of at most `max` characters; never calls code of the sandbox. */
  private text(handle: QuickJSHandle, max: number): string | null {
    if (this.context.typeof(handle) !== "string" || this.length(handle) > max) return null;
    return this.context.getString(handle);
  }

  private length(handle: QuickJSHandle): number {
    if (this.context.typeof(handle) !== "string") return 0;
    return this.context.getProp(handle, "length").consume((length) => this.context.getNumber(length));
  }

  /** `InternalError: out of memory` and the like, of an error that no code in the sandbox can inspect any more. */
  private shortText(error: QuickJSHandle): string {
    const parts = ["name", "message"].map((name) => {
      const found =
        this.context.typeof(error) === "object" ? this.context.getProp(error, name) : this.context.undefined;
      return found.consume((value) => this.text(value, maxMessage)) ?? "";
    });
    return parts.filter((part) => part !== "").join(": ");
  }

  /** The words of QuickJS for its own limits, in ours. */
  private explain(text: string): string {
    if (text === "" || text.startsWith("InternalError: out of memory")) return limitTexts.memory(this.call);
    return /^(?:Internal|Syntax)Error: stack overflow/.test(text) ? limitTexts.stack(this.call) : text;
  }

  /** True when its time is over, or its memory was full at any moment: a refusal can be caught, and this cannot. */
  private isOver(): boolean {
    this.timedOut ||= performance.now() > this.deadline;
    this.isFull ||= bytesOf(this.module.quickjs) - this.module.freshBytes > this.call.limits.memory_bytes;
    return this.timedOut || this.isFull;
  }

  private keep(handle: QuickJSHandle): QuickJSHandle {
    this.handles.push(handle);
    return handle;
  }
}

/** Counts how deeply the arrays and objects of a JSON text are nested. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === "[" || token === "{") deepest = Math.max(deepest, ++depth);
    else if (token === "]" || token === "}") depth -= 1;
  }
  return deepest;
}

/** A text that came as JSON; empty when it did not come. */
function textOfJson(json: string | null): string {
  const value: unknown = json === null ? "" : JSON.parse(json);
  return typeof value === "string" ? value : "";
}

/** The name of the guest code in stack traces; frames of it are left out of what people see. */
const guestName = "tandem-guest";

/**
 * The script that runs inside the sandbox before the function; its value is `(log, done, maxMessage) => ({ run, load
 * })`. It gives the function a console, calls it as `run(namespace, variablesJson, bodyJson)`, and hands out only JSON
 * text: `log(level, json)` and `done(kind, json)`. It keeps its own references to what it uses, because the function may
 * replace every global. Nothing here protects the host: the host trusts no text it is handed.
 */
const guestSource = String.raw`
"use strict";
(function () {
  const { stringify, parse } = JSON;
  const { apply } = Reflect;
  const ErrorClass = Error, TypeErrorClass = TypeError, StringOf = String;
  const { slice, split, includes } = String.prototype, { join, filter } = Array.prototype;
  const call = (method, self, ...values) => apply(method, self, values);

  const framesOf = (stack) => call(join, call(filter, call(split, stack, "\n"), (line) => line !== "" && !call(includes, line, "${guestName}")), "\n");

  const errorText = (error) => {
    const { name, message, stack, cause } = error;
    const head = StringOf(name) + (message === "" ? "" : ": " + message);
    const frames = typeof stack === "string" ? framesOf(stack) : "";
    return head + (frames === "" ? "" : "\n" + frames) + (cause === undefined ? "" : "\n[cause]: " + shown(cause));
  };

  const shown = (value) => {
    if (typeof value === "string") return value;
    try {
      if (value instanceof ErrorClass) return errorText(value);
      const json = stringify(value);
      return json === undefined ? StringOf(value) : json;
    } catch (error) {
      return typeof value === "object" ? "[a value that cannot be written as JSON]" : StringOf(value);
    }
  };

  return (log, done, maxMessage) => {
    let isFull = false;
    const write = (level, message) => {
      const kept = message.length > maxMessage ? call(slice, message, 0, maxMessage) + "... " + (message.length - maxMessage) + " more characters" : message;
      isFull = !log(level, stringify(kept));
    };
    const joined = (values) => {
      const parts = [];
      for (let i = 0; i < values.length; i++) parts[i] = shown(values[i]);
      return call(join, parts, " ");
    };
    const logger = (level) => (...values) => (isFull ? void log(level, "") : write(level, joined(values)));
    const console = {
      log: logger("log"), warn: logger("warn"), error: logger("error"), info: logger("info"), debug: logger("debug"),
      trace: (...values) => (isFull ? void log("trace", "") : write("trace", "Trace: " + joined(values) + "\n" + framesOf(new ErrorClass().stack))),
      dir: (value) => logger("log")(value),
      table: logger("log"),
      assert: (condition, ...values) => {
        if (!condition) logger("error")("Assertion failed", ...values);
      },
    };
    Object.defineProperty(globalThis, "console", { value: console, writable: true, configurable: true });

    const fail = (kind, error) => {
      const text = error === "" ? '""' : shown(error);
      done(kind, stringify(text.length > maxMessage ? call(slice, text, 0, maxMessage) : text));
    };
    const jsonOf = (value) => {
      if (value === undefined) return "null";
      const json = stringify(value);
      if (json !== undefined) return json;
      throw new TypeErrorClass("The return value cannot be written as JSON: it is " + (typeof value === "function" ? "a function" : "a " + typeof value) + ".");
    };
    const load = (error) => fail("load", error);
    const run = async (namespace, variables, body) => {
      let main;
      try {
        main = namespace.default;
        if (typeof main !== "function") {
          return load("TypeError: the default export must be a function of (variables, body), but it is " + (main === undefined ? "missing" : shown(main)) + ".");
        }
      } catch (error) {
        return load(error);
      }
      let value;
      try {
        value = await main(parse(variables), parse(body));
      } catch (error) {
        return fail("error", error);
      }
      try {
        done("value", jsonOf(value));
      } catch (error) {
        fail("error", error);
      }
    };
    return { run, load };
  };
})();
`;
