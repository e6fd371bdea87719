import { expect, test } from "vitest";
import type { EndpointName } from "../../src/api/endpoint-name.ts";
import { shownBody } from "../../src/api/files/case-file.ts";
import { httpDescription, nameOfDescription } from "../../src/api/http/description.ts";
import { requestFor } from "../../src/runner/request.ts";

const file = (name: string, type: string) => ({ bytes: 7, file: name, root: 0, sha256: "ab".repeat(32), type });

const turn = {
  input: JSON.stringify({
    input_prompt: "What is it?",
    input_images: [file("a.png", "image/png"), "https://x.example/b.png"],
    input_audio: file("a.wav", "audio/wav"),
  }),
  record: JSON.stringify({
    id: "r1",
    url: "",
    created_at: "",
    output: { output_text: ["A bike."] },
    choices: [{ index: 0, message: { role: "assistant", content: "A bike." }, finish_reason: "stop" }],
    said: "A bike.",
  }),
};

function messagesTo(endpoint: EndpointName, fields = ["input_images", "input_audio"]): unknown {
  const target = { endpoint, exampleId: "m", body: "{}" };
  const files = { fields, roots: ["/data"] };
  const { body } = requestFor(JSON.stringify({ input_prompt: "Which colour?" }), [turn], { ...target, files });
  const text = body === null || typeof body === "string" ? body : shownBody(body, (name) => name);
  const sent: unknown = JSON.parse(text ?? "");
  return typeof sent === "object" && sent !== null && "messages" in sent ? sent.messages : sent;
}

const images = [
  { type: "text", text: "What is it?" },
  { type: "image_url", image_url: { url: "data:image/png;base64,<a.png, 7 bytes>" } },
  { type: "image_url", image_url: { url: "https://x.example/b.png" } },
];

test("a chat is shown again what was shown in the turns before", () => {
  expect(messagesTo("chat-completions")).toEqual([
    {
      role: "user",
      content: [...images, { type: "input_audio", input_audio: { data: "<a.wav, 7 bytes>", format: "wav" } }],
    },
    { role: "assistant", content: "A bike." },
    { role: "user", content: "Which colour?" },
  ]);
});

test("a bot is shown again the images of the turns before", () => {
  expect(messagesTo("video-bots")).toEqual([
    { role: "user", content: images },
    { role: "assistant", content: "A bike." },
  ]);
});

test("the history of an endpoint of one's own holds texts alone", () => {
  const http = nameOfDescription(httpDescription.parse({ body: { messages: "$messages" }, answer: "$.said" }));
  expect(messagesTo(http)).toEqual([
    { role: "user", content: "What is it?" },
    { role: "assistant", content: "A bike." },
  ]);
});
