/** Asks the viewer's server. Throws an error whose message a person can read. */
export async function ask<Answer>(path: string, query: URLSearchParams = new URLSearchParams()): Promise<Answer> {
  const response = await fetch(`/api/${path}?${query.toString()}`);
  return read<Answer>(response);
}

/** Tells the server something to keep. */
export async function tell<Answer>(path: string, body: object): Promise<Answer> {
  const response = await fetch(`/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-tandem": "1" },
    body: JSON.stringify(body),
  });
  return read<Answer>(response);
}

async function read<Answer>(response: Response): Promise<Answer> {
  if (response.ok) {
    // The server is the same program as this page.
    const answer: Answer = await response.json();
    return answer;
  }
  const text = await response.text();
  throw new Error(messageOf(text));
}

function messageOf(text: string): string {
  try {
    const { error, hint }: { error?: string; hint?: string | null } = JSON.parse(text);
    return [error ?? text, hint].filter(Boolean).join(" ");
  } catch {
    return text;
  }
}
