import { once } from "node:events";
import { z } from "zod";
import { firstLine, type Place, start } from "./process.ts";

/** Starts the viewer with a command, asks it for its page, ends it, and gives the exit code of the command. */
export async function opensViewer(command: readonly string[], place: Place): Promise<unknown> {
  const child = start([...command, "view", "--port", "0", "--json"], place);
  const closed = once(child, "close");
  const { url } = z.object({ url: z.string() }).parse(JSON.parse(await firstLine(child)));
  const { status, text } = await page(url);
  if (status !== 200 || !text.includes("<html")) throw new Error(`${url} answered ${status}: ${text.slice(0, 200)}`);
  // To the whole group: package managers do not pass on a signal to what they called.
  if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  const [code]: unknown[] = await closed;
  return code;
}

/** The page behind an address with a token, for which the viewer gives a cookie. */
async function page(url: string): Promise<{ status: number; text: string }> {
  const { headers } = await fetch(url, { redirect: "manual" });
  const cookie = headers.getSetCookie().map((each) => each.split(";")[0]);
  const response = await fetch(new URL(headers.get("location") ?? "", url), { headers: { cookie: cookie.join("; ") } });
  return { status: response.status, text: await response.text() };
}
