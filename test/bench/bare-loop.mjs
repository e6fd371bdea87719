import { Pool } from "undici";

/** The yardstick: `Pool.request` in a loop, nothing stored. Arguments: url, requests, concurrency. */
const [url, requests, concurrency] = process.argv.slice(2);
const pool = new Pool(new URL(url).origin, { connections: Number(concurrency), pipelining: 1 });
const headers = { "content-type": "application/json", authorization: "bearer sk-bench" };
let left = Number(requests);
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    while (left-- > 0) {
      const { body } = await pool.request({
        method: "POST",
        path: "/v2/video-bots?example_id=a",
        headers,
        body: JSON.stringify({ input_prompt: `prompt ${left}`, messages: [] }),
      });
      const { output } = await body.json();
      if (output === undefined) throw new Error("not a record");
    }
  }),
);
await pool.close();
