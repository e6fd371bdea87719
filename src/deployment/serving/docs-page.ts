import { html } from "hono/html";
import type { HttpAnswer } from "../answers/http-answer.ts";
import { type Described, curlLine } from "../configuration/describe.ts";
import { page } from "../answers/html-page.ts";

/** A small page that says how to call this deployment. Keys are not shown. */
export async function docsPage(described: Described): Promise<HttpAnswer> {
  const shown = { ...described, key: described.key === null ? null : "YOUR_KEY" };
  const calls = shown.configurations.map(
    (configuration) =>
      html`<h2>${configuration.endpoint} / ${configuration.id}</h2>
        ${configuration.title === null ? "" : html`<p>${configuration.title}</p>`}
        <pre>${curlLine(shown, configuration)}</pre>`,
  );
  return page(
    `${described.name}: API`,
    html`<h1>${described.name}: API</h1>
      <p>
        One POST makes one run and answers its record: <code>id</code>, <code>url</code>, <code>created_at</code>,
        <code>output</code>. All schemas are in <a href="/openapi.json">/openapi.json</a>, the last runs at
        <a href="/">/</a>, the credits at <code>/v1/balance/</code>.
      </p>
      ${calls}`,
  );
}
