import { resolve } from "node:path";

/** An address without a trailing slash, or what is wrong with it. A fault never shows the text itself: it may hold a password. */
export type BaseUrl = { ok: true; url: string; advice: string | null } | { ok: false; message: string };

/** `http(s)://...` cleaned, or `local:DIR` with DIR made absolute from `folder`. */
export function readBaseUrl(text: string, folder: string): BaseUrl {
  const trimmed = text.trim();
  if (trimmed.startsWith("local:")) {
    const directory = trimmed.slice("local:".length);
    if (directory === "") return wrong("must name a folder after local:");
    return { ok: true, url: `local:${resolve(folder, directory)}`, advice: null };
  }
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (url === null) return wrong("must be an address such as https://api.example.org, or local:DIR");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return wrong(`must begin with http://, https:// or local:, got ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    return wrong("must not hold a user name or password; keys come from the environment (api_key_env)");
  }
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(trimmed))
    return wrong("must not hold ? or #; example_id belongs to the target");
  const clean = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  const advice = /\/v2(\/|$)/.test(url.pathname)
    ? "base_url holds /v2, which is added to it for each request: usually it ends before that"
    : null;
  return { ok: true, url: clean, advice };
}

function wrong(message: string): BaseUrl {
  return { ok: false, message };
}
