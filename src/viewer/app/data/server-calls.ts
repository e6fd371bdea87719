import type { Versioned } from "../../api.ts";

/** The server does not know any more what is asked about: it was started again, or looked at much else since. */
export class NotOpen extends Error {}

/** The server knows why it does not do what it was told: to tell it again changes nothing. */
export class Refused extends Error {}

/** Asks the viewer's server. Throws an error whose message a person can read. */
export async function ask<Answer>(
  path: string,
  query: URLSearchParams = new URLSearchParams(),
  signal: AbortSignal | null = null,
): Promise<Answer> {
  return read<Answer>(await sent(`api/${path}?${query.toString()}`, { signal }));
}

/** A value as it was heard, with what the viewer calls it. */
export interface Heard<Value> {
  version: string;
  value: Value;
}

/** Asks for what was heard before; the same object where nothing is new. */
export async function hearAgain<Value>(
  path: string,
  before: Heard<Value> | null,
  query: Record<string, string> = {},
): Promise<Heard<Value>> {
  const known = new URLSearchParams({ ...query, known: before?.version ?? "" });
  const { version, value } = await ask<Versioned<Value>>(path, known);
  if (value !== null) return { version, value };
  if (before === null) throw new Error("The viewer told nothing.");
  return before;
}

/** Tells the server something to keep, or with DELETE to take back. */
export async function tell<Answer>(path: string, body: object, method: "POST" | "DELETE" = "POST"): Promise<Answer> {
  const headers = { "content-type": "application/json", "x-tandem": "1" };
  return read<Answer>(await sent(`api/${path}`, { method, headers, body: JSON.stringify(body) }));
}

/** A viewer that was only held up is heard again; one that is started again has other secrets. */
const silent =
  "The viewer does not answer: is tandem view still running? If so, this page comes back by itself; if not, start it and open the address that it prints.";

/** The token of this page is not that of the server. */
const restarted =
  "The viewer was started anew, with another token. Open the address that tandem view printed this time.";

async function sent(address: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(address, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Error(silent, { cause: error });
  }
}

async function read<Answer>(response: Response): Promise<Answer> {
  if (response.ok) {
    // The server is the same program as this page.
    const answer: Answer = await response.json();
    return answer;
  }
  const message = messageOf(await response.text());
  if (response.status === 410) throw new NotOpen(message);
  if (response.status === 401) throw new Error(restarted);
  if (response.status === 400) throw new Refused(message);
  throw new Error(message);
}

function messageOf(text: string): string {
  try {
    const { error, hint }: { error?: string; hint?: string | null } = JSON.parse(text);
    return [error ?? text, hint].filter(Boolean).join(" ");
  } catch {
    return text;
  }
}
