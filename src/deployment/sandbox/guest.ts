import { inspectSource } from "./guest-inspect.ts";

/**
 * The script that runs inside the sandbox before the function; its value is `(log, done, maxMessage) => ({ run, load
 * })`. It gives the function a console, calls it as `run(namespace, variablesJson, bodyJson)`, and hands out only JSON
 * text: `log(level, json)` and `done(kind, json)`. Nothing here protects the host: the host trusts no text it is
 * handed.
 */
export const guestSource = String.raw`
"use strict";
(function () {
  ${inspectSource}
  const topLevel = (value) => (typeof value === "string" ? value : inspect(value, [], ""));

  const formatted = (values) => {
    if (values.length === 0) return "";
    let first = 0, start = "";
    if (typeof values[0] === "string") {
      first = 1;
      const pieces = call(split, values[0], "%");
      start = pieces[0];
      for (let i = 1; i < pieces.length; i++) {
        const kind = pieces[i][0], rest = call(slice, pieces[i], 1);
        if (pieces[i] === "" && i + 1 < pieces.length) start += "%" + pieces[++i];
        else if (kind === undefined || !call(includes, "sdifjoOc", kind) || first >= values.length) start += "%" + pieces[i];
        else start += argument(kind, values[first++]) + rest;
      }
    }
    const parts = first === 0 ? [] : [start];
    for (let i = first; i < values.length; i++) add(parts, topLevel(values[i]));
    return call(join, parts, " ");
  };

  const argument = (kind, value) => {
    if (kind === "c") return "";
    if (kind === "s" || kind === "o" || kind === "O") return topLevel(value);
    if (kind === "j") return StringOf(stringify(value));
    const number = typeof value === "bigint" || typeof value === "number" ? value : typeof value === "string" ? NumberOf(value) : NaN;
    return kind === "i" && typeof number === "number" ? StringOf(number < 0 ? -((-number) - (-number % 1)) : number - (number % 1)) : StringOf(number);
  };

  return (log, done, maxMessage) => {
    let isFull = false;
    const write = (level, message) => {
      const kept = message.length > maxMessage ? call(slice, message, 0, maxMessage) + "... " + (message.length - maxMessage) + " more characters" : message;
      isFull = !log(level, stringify(kept));
    };
    const logger = (level) => (...values) => {
      if (isFull) return void log(level, "");
      let message = "[a message that cannot be inspected]";
      try {
        message = formatted(values);
      } catch {}
      write(level, message);
    };
    const console = {
      log: logger("log"), warn: logger("warn"), error: logger("error"), info: logger("info"), debug: logger("debug"),
      trace: (...values) => {
        if (isFull) return void log("trace", "");
        let message = "[a message that cannot be inspected]";
        try {
          const said = formatted(values);
          message = "Trace" + (said === "" ? "" : ": " + said) + "\n" + framesOf(new ErrorClass().stack);
        } catch {}
        write("trace", message);
      },
      dir: (value) => write("log", inspect(value, [], "")),
      table: logger("log"),
      assert: (condition, ...values) => {
        if (!condition) logger("error")(...(values.length === 0 ? ["Assertion failed"] : ["Assertion failed:", ...values]));
      },
    };
    Object.defineProperty(globalThis, "console", { value: console, writable: true, configurable: true });

    const fail = (kind, error) => {
      let shown = "an error that cannot be inspected";
      try {
        shown = typeof error === "string" && error !== "" ? error : inspect(error, [], "");
      } catch {}
      done(kind, stringify(shown.length > maxMessage ? call(slice, shown, 0, maxMessage) : shown));
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
          return load("TypeError: the default export must be a function of (variables, body), but it is " + (main === undefined ? "missing" : inspect(main, [], "")) + ".");
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
