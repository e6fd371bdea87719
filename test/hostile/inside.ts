import { vi } from "vitest";
import { runCli } from "../../src/cli/cli.ts";

/** The command in this process, with what it writes: nothing of it reaches the streams of the test. */
export async function inside(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: "", err: "" };
  const streams = [
    { stream: process.stdout, name: "out" },
    { stream: process.stderr, name: "err" },
  ] as const;
  const spies = streams.map(({ stream, name }) => {
    stream.setMaxListeners(0);
    return vi.spyOn(stream, "write").mockImplementation((text, encoding, done) => {
      written[name] += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
      const called = typeof encoding === "function" ? encoding : done;
      called?.();
      return true;
    });
  });
  try {
    return { code: await runCli(args), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
