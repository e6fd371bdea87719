import { z } from "zod";
import { endpointList, endpointNames, judgeEndpoints } from "../../api/endpoint-name.ts";
import { httpDescription, nameOfDescription } from "../../api/http/description.ts";
import { failedWhenFault } from "../../api/failed-when.ts";
import { showValue } from "../../lib/show.ts";
import { priceForm } from "../../score/checks/run-amounts.ts";
import { column, durationForm, inMs, jsonObject, jsonValue, rateForm, text } from "./form.ts";
import { defaultTargetLimit } from "../default-values.ts";
import { storedWhen, orNull } from "./kept.ts";

/** Keys of a deployment about how much is sent there, and how long is waited. */
export const limitKeys = {
  concurrency: z.int().min(1).max(10_000).default(4).describe("Requests in flight at once. Default: 4."),
  rate: orNull(rateForm.optional().describe("Most requests in a time: 10/m, 2/s, 100/h. Default: no limit.")),
  timeout: inMs(
    durationForm
      .default("10m")
      .describe("Longest time from the first byte sent to the last received: 10m, 20s, 500ms. Default: 10m."),
  ),
  job_timeout: inMs(
    durationForm
      .default("6h")
      .describe(
        "Longest time of one job with all its attempts and waits, from its first attempt: 30m, 6h. Default: 6h.",
      ),
  ),
  wait_for_service: inMs(durationForm)
    .optional()
    .describe(
      "Longest time that the service is waited for when it cannot be reached: 30m, 2h. Default: 5m once it has answered; some ten seconds when it never has.",
    ),
  retries: z
    .int()
    .min(0)
    .max(100)
    .default(2)
    .describe("Further attempts after the first, for what may be tried again. Default: 2."),
};

/** Keys of a deployment about the way to it. Values from the environment are looked up when something is sent. */
export const connectionKeys = {
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "Further headers of every request. ${NAME} and ${NAME:-default} are replaced from the environment when it is sent; such a value is never stored, and hidden wherever it is repeated.",
    ),
  proxy: text
    .optional()
    .describe(
      "env: HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment, not for this machine's own addresses; none; or the address of a proxy (http, https, socks5), its password from the environment as ${NAME}. Default: env.",
    ),
  ca: text.optional().describe("PEM file with certificate authorities that are trusted beside those of Node."),
  cert: text.optional().describe("PEM file with our certificate, for a service that asks for one; with cert_key."),
  cert_key: text.optional().describe("PEM file with the private key of cert, without a passphrase."),
};

/** The price of a run at a deployment. */
export const priceKey = {
  price: orNull(
    priceForm
      .optional()
      .describe(
        "What one run costs, in whatever unit you count (credits, money), or {run, input, output, cached} with the price of a million tokens read, written, and read from a cache. Default: not known.",
      ),
  ),
};

/** `deployments:` where requests go. */
export const deployment = z
  .strictObject({
    base_url: text
      .max(2_000)
      .describe(
        "http(s) address before /v2, or local:DIR for an embedded deployment with the saved configurations in DIR. ${NAME} and ${NAME:-default} are replaced from the environment; a resume under another value is refused.",
      ),
    api_key_env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, {
        error: "must be the name of an environment variable, never the key itself (not shown here, in case it is one)",
      })
      .optional()
      .describe(
        "Name of the environment variable that holds the API key. Default: TANDEM_<DEPLOYMENT>_API_KEY; for deployments of the service then TANDEM_API_KEY.",
      ),
    ...limitKeys,
    ...connectionKeys,
    ...priceKey,
  })
  .describe("A base URL with its key and limits.");

const about = `The API endpoint: ${endpointList}; or one of your own, described by {method, path, body, answer, ...}`;
/** A name, or a description, which becomes the name that it is known by. */
const endpoint = endpointKey(endpointNames, endpointList).describe(`${about}.`);
const asked = `${endpointNames.join(", ")} or embeddings`;

function endpointKey<const Names extends readonly string[]>(names: Names, list: string) {
  return z.union([z.enum(names), httpDescription.transform(nameOfDescription)], {
    error: ({ input }) => {
      const described = typeof input === "string" ? "" : ", or a description {method, path, body, answer, ...}";
      return `must be ${list}${described}, got ${showValue(input)}`;
    },
  });
}

const exampleId = text.describe("The saved configuration to run; never blank.");
const model = text.describe("The model that answers, as a chat's API calls it.");
const body = jsonObject.describe(
  "Request fields laid over every case's input; variables merge key by key. {{column}} in a text is filled from the row (in video-bots only in input_prompt, messages and variables).",
);

/** Keys of a target that is asked. */
export const askedKeys = {
  deployment: text.optional().describe("Name of a deployment of this suite. Needed, but for stored answers."),
  endpoint: endpoint.optional().describe(`${about}. Needed, but for stored answers.`),
  example_id: exampleId.optional().describe("The saved configuration to run. Needed by video-bots and functions."),
  model: model.optional().describe("The model that answers. Needed by chat-completions."),
  mode: z
    .literal("async")
    .optional()
    .describe(
      "async: a run is submitted and asked for every 3 s until it has ended, by a later process too. For video-bots and functions. Default: its answer is waited for.",
    ),
  history: storedWhen(
    z
      .literal("service")
      .describe(
        "service: the service keeps conversations itself, so that their turns are sent without what was said before. Default: every turn is sent with it.",
      )
      .optional(),
    "service",
    true,
  ),
  price: priceForm.optional().describe("As of a deployment, for this target alone. Default: that of its deployment."),
  prompt: text
    .optional()
    .describe(
      "A file with a prompt, relative to this file. With {{column}} in it, it is what is asked; else it is the instructions: the system message of a chat, bot_script of video-bots. Default: none.",
    ),
  prompt_field: text
    .optional()
    .describe(
      "The request field that the prompt becomes, dots inside of it. Default: as the endpoint has it (input_prompt, system_prompt, bot_script).",
    ),
  failed_when: z
    .array(
      z.string().refine((entry) => failedWhenFault(entry) === null, {
        error: ({ input }) => failedWhenFault(String(input)) ?? "",
      }),
    )
    .min(1)
    .describe(
      "Answers that are failures put into words: a text that they hold, or a pattern as /^error/i. Such a run is tried again, and not graded. Default: none.",
    )
    .optional(),
  body: body.optional(),
};

/** Keys of a target whose answers were given before. */
export const storedKeys = {
  answers: column
    .optional()
    .describe(
      "Instead of a deployment: column with answers that were given before. Nothing is sent; they are compared and scored like those of any target.",
    ),
  run_url: column.optional().describe("With answers: column with the URL of the run. Default: none."),
  run_id: column.optional().describe("With answers: column with the id of the run. Default: the one in run_url."),
  created_at: column.optional().describe("With answers: column with the time of the run. Default: none."),
  label: column
    .optional()
    .describe(
      "With answers: column with what people said of them (thumbs up or down, good or bad, 1 or 0, or a number). Default: none.",
    ),
  note: column.optional().describe("With label: column with a remark of the same person. Default: none."),
};

/** `targets:` What a target needs depends on whether it is asked: the cross-check tells what is missing. */
export const target = z
  .strictObject({ ...askedKeys, ...storedKeys })
  .meta({ anyOf: [{ required: ["deployment", "endpoint"] }, { required: ["answers"] }] })
  .describe("Where and how a case is sent; or stored answers, which are columns of the dataset.");

/** `judges:` who is asked about answers. */
export const judgeSection = z
  .strictObject({
    deployment: text.describe("Name of a deployment of this suite."),
    endpoint: endpointKey(judgeEndpoints, asked).describe(
      `The API endpoint: ${asked} (for embedding-similarity); or one of your own, described by {method, path, body, answer, ...}.`,
    ),
    example_id: exampleId.optional().describe("The saved configuration to run. Needed by video-bots and functions."),
    model: model.optional().describe("The model that answers. Needed by chat-completions and embeddings."),
    price: priceForm.optional().describe("As of a deployment, for this judge alone. Default: that of its deployment."),
    body: body.optional(),
  })
  .describe("A bot or function that is asked about answers; it gets no cases and is not compared.");

/** Values of one dimension of a matrix. */
export const variedValues = z
  .union([z.array(jsonValue).min(1), z.record(z.string(), jsonValue)], {
    error: ({ input }) => `must be a list of values, or a map of names to values, got ${showValue(input)}`,
  })
  .refine((values) => Object.keys(values).length > 0, { error: "must have at least one entry" });

const matrixEntry = z.record(z.string(), jsonValue);

const { deployment: _deployment, endpoint: _endpoint, example_id: _id, model: _model, ...sharedKeys } = askedKeys;

/** `matrix:` in place of targets. */
export const matrix = z
  .strictObject({
    deployments: z
      .array(text)
      .min(1)
      .optional()
      .describe("Names of deployments of this suite. Needed, unless `vary` has deployment."),
    endpoint,
    example_ids: z
      .array(exampleId)
      .min(1)
      .optional()
      .describe("Saved configurations; each runs on each deployment. Needed by video-bots and functions."),
    models: z
      .array(model)
      .min(1)
      .optional()
      .describe("Models; each answers on each deployment. Needed by chat-completions."),
    ...sharedKeys,
    vary: z
      .record(z.string(), variedValues)
      .optional()
      .describe(
        "Dimensions with their values: body.PATH sets a value in the body (dots step into objects and lists; a dot of a key is written \\.), prompt takes prompt files, and deployment, example_id and model are those of above. Each value runs with each of the others. A map in place of a list names the values. Default: nothing is varied.",
      ),
    include: z
      .array(matrixEntry)
      .optional()
      .describe(
        "Further combinations: a value for each dimension that has several, which may be one of its own, and a `name` where wanted.",
      ),
    exclude: z
      .array(matrixEntry)
      .optional()
      .describe("Combinations that are left out: all that have the values of an entry."),
    limit: z
      .int()
      .min(1)
      .max(1_000)
      .default(defaultTargetLimit)
      .describe(
        `Targets beyond which a run asks before it sends anything, or wants --yes. Default: ${defaultTargetLimit}.`,
      ),
  })
  .describe("Instead of targets: every deployment with every example_id, or every model, and every value of `vary`.");
