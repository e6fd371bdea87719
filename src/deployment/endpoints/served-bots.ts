import { videoBotsBody, videoBotsMembers } from "../../api/video-bots-schema.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import type { ServedEndpoint } from "./served-endpoint.ts";

const echoed = [
  "functions",
  "variables",
  "variables_schema",
  "input_prompt",
  "input_audio",
  "input_images",
  "input_documents",
  "messages",
  "bot_script",
  "selected_model",
  "documents",
  "max_references",
  "citation_style",
  "tts_provider",
  "num_outputs",
  "sampling_temperature",
  "max_tokens",
  "user_language",
];

const knownFields = new Set([...echoed, ...Object.keys(videoBotsBody.shape), "settings"]);

export const servedBots: ServedEndpoint = {
  title: "Agent",
  slug: "agent",
  asyncSlugs: ["video-bots", "copilot", "agent"],
  body: videoBotsBody,
  exampleBody: '{"input_prompt":"Hello","messages":[]}',
  keepsField: (name) => knownFields.has(name),
  crashOn: ({ messages }) => (messages === null ? "TypeError: 'NoneType' object is not iterable" : null),
  members,
  echoed,
};

/** All known members in the service's order, null where the bot gave nothing, then any others. */
function members(output: JsonObject, known: 13 | 14): [string, JsonValue][] {
  const names = known === 13 ? videoBotsMembers.filter((name) => name !== "metrics") : videoBotsMembers;
  const others = Object.entries(output).filter(([name]) => !videoBotsMembers.includes(name));
  return [...names.map((name): [string, JsonValue] => [name, output[name] ?? null]), ...others];
}
