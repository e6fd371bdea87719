import { isSecretName } from "./secret.ts";
import { z } from "zod";
import { canonicalJson } from "../../lib/json.ts";
import { compilePath } from "../../text/json-path.ts";
import { statusMeanings } from "../outcomes.ts";
import { stepIn } from "./path-step.ts";
import { describedName, type EndpointName } from "../endpoint-name.ts";

const path = z.string().refine((text) => pathFault(text) === null, {
  error: ({ input }) => `must be a JSONPath such as $.reply.text: it ${pathFault(String(input)) ?? ""}`,
});

/** The step of a path that stands in it literally: what a template makes is looked at when a case fills it. */
const writtenStep = (written: string): string | null => stepIn(written.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/g, "x"));

const fields =
  'Liquid over the fields of a case ("{{ input_prompt }}"); a text that is $ and a field, such as $messages (the conversation so far) or $conversation (that and the prompt), stands for its value as JSON, among other entries of a list for the messages themselves, and that of a file for a data URL ($field.base64: nothing but its base64)';

/** One line of characters that a header may hold; a break would begin another header. */
const headerValue = z
  .string()
  .regex(/^[\t\x20-\x7e]*$/, { error: "must be one line of plain ASCII: a header cannot hold a line break" });
const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: "must be the name of a header, such as X-Tenant" })
  .refine((name) => !/^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect)$/i.test(name), {
    error: "is a header that the connection sets itself",
  });

const plain = z.union([z.string(), z.number(), z.boolean()], { error: "must be a text, a number, true or false" });

const anyHeaders = z.record(headerName, headerValue);
const headersWithoutSecrets = anyHeaders.superRefine((headers, context) => {
  for (const [name, value] of Object.entries(headers)) {
    if (!isSecretName(name) || value.includes("${")) continue;
    const message = "is a secret as it stands: write ${NAME}, and put it into the environment";
    context.addIssue({ code: "custom", path: [name], message });
  }
});

const descriptionWith = (headers: z.ZodRecord<typeof headerName, typeof headerValue>) =>
  z
    .strictObject({
      method: z.enum(["POST", "PUT", "PATCH", "GET"]).default("POST").describe("The HTTP method. Default: POST."),
      path: z
        .string()
        .regex(/^(?:\/[^#?\r\n]*)?$/, { error: "must begin with / and hold no ?, which belongs to query" })
        .refine((written) => writtenStep(written) === null, {
          error: ({ input }) =>
            `must not hold the segment ${writtenStep(String(input)) ?? ""}, which leads to another path: write the path that is meant`,
        })
        .default("")
        .describe(`Follows base_url, such as /chat. ${fields}. Default: nothing.`),
      query: z.record(z.string(), plain).optional().describe(`What follows the ?. ${fields}. Default: none.`),
      headers: headers
        .optional()
        .describe(
          "Further headers. ${NAME} is replaced from the environment when a request is sent: its value is never stored, and redacted wherever it comes back. Default: none.",
        ),
      body: z.json().optional().describe(`The request's body, sent as JSON. ${fields}. Default: none.`),
      form: z
        .record(z.string(), plain)
        .optional()
        .describe(`Instead of body: fields that are sent as a form (application/x-www-form-urlencoded). ${fields}.`),
      multipart: z
        .record(z.string(), plain)
        .optional()
        .describe(
          `Instead of body: fields of a form that can hold files (multipart/form-data). A text that is $ and a field of files is a file for each of them. ${fields}.`,
        ),
      stream: z
        .boolean()
        .optional()
        .describe(
          "The reply is a stream of server-sent events: the paths below lead into the data of each event, and the answers of all of them are joined. Default: false.",
        ),
      answer: path
        .optional()
        .describe("Where the answer is in the reply: a JSONPath, such as $.reply.text. Default: the whole text."),
      id: path.optional().describe("Where the reply says which run it is of. Default: nowhere."),
      url: path.optional().describe("Where the reply links to its run. Default: nowhere."),
      created_at: path.optional().describe("Where the reply says when it was made. Default: nowhere."),
      error: path
        .optional()
        .describe(
          "Where the reply holds the message of an error, with any status. With a good status and no answer, the run has failed. Default: nowhere.",
        ),
      usage: path
        .optional()
        .describe(
          "Where the reply says how many tokens it took: an object such as {prompt_tokens, completion_tokens} or {input_tokens, output_tokens}, or a number of tokens written. Default: nowhere.",
        ),
      session: path
        .optional()
        .describe(
          "For a service that keeps conversations itself: where the reply says which one it is of. The next turn is sent with it, as $session or {{ session }}; the first one has none. Default: nowhere.",
        ),
      statuses: z
        .record(z.string().regex(/^[345]\d\d$/, { error: "must be a status from 300 to 599" }), z.enum(statusMeanings))
        .optional()
        .describe(
          `What a status means here, where it is not the usual thing: ${statusMeanings.join(", ")}. Default: the table of outcomes.`,
        ),
    })
    .refine(({ body, form }) => body === undefined || form === undefined, {
      error: "cannot be used together with body",
      path: ["form"],
    })
    .refine(({ body, form, multipart }) => multipart === undefined || (body === undefined && form === undefined), {
      error: "cannot be used together with body or form",
      path: ["multipart"],
    })
    .refine(({ method, body, form, multipart }) => method !== "GET" || (body ?? form ?? multipart) === undefined, {
      error: "sends no body with GET; query holds what is asked",
      path: ["method"],
    })
    .describe("An HTTP endpoint of your own: how a case becomes a request, and where the answer is in the reply.");

/** `endpoint:` as a suite describes it itself. */
export const httpDescription = descriptionWith(headersWithoutSecrets);
/** The same as a database has it: a batch stays readable when more names are taken for those of secrets. */
export const storedDescription = descriptionWith(anyHeaders);
export type HttpDescription = z.infer<typeof httpDescription>;

/** The name under which a described endpoint is known. */
export function nameOfDescription(description: HttpDescription): EndpointName {
  const known = Object.fromEntries(Object.entries(description).filter(([, value]) => value !== undefined));
  return describedName(canonicalJson(z.json().pipe(z.record(z.string(), z.json())).parse(known)));
}

/** The fault of a JSONPath as a sentence without its subject; null: none. */
function pathFault(text: string): string | null {
  if (!text.startsWith("$")) return "does not begin with $";
  try {
    compilePath(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
