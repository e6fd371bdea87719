import { html, raw } from "hono/html";
import { createHash } from "node:crypto";
import type { HtmlEscapedString } from "hono/utils/html";
import { type HttpAnswer, htmlAnswer } from "./http-answer.ts";

/** HTML whose parts are escaped already. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
pre, .said { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #8886; border-radius: .4rem; padding: .7rem; margin: .5rem 0 }
pre, code { font: .9rem/1.45 ui-monospace, monospace }
table { border-collapse: collapse; width: 100% } th, td { text-align: start; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid #8883; overflow-wrap: anywhere }
.muted { opacity: .7 } .error { border-color: #c33 }
`;
const styleHash = createHash("sha256").update(style).digest("base64");

/** Headers that let the page load only its own style and this deployment's audio; no script runs. */
const headers = {
  "content-security-policy":
    `default-src 'none'; style-src 'sha256-${styleHash}'; media-src 'self'; base-uri 'none'; ` +
    "form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** A complete page. Everything in `content` that came from a bot or a caller must have been put there by `html`. */
export async function page(title: string, content: Markup, status = 200): Promise<HttpAnswer> {
  const text = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        ${content}
      </body>
    </html>`;
  return htmlAnswer(status, String(text), headers);
}
