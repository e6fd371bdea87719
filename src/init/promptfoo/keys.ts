/** The keys of promptfoo's files, each with the reason why a suite does not have it; null: it is read, or says nothing of what is tested. */
type Keys = Readonly<Record<string, string | null>>;

const read = (keys: string): Keys => Object.fromEntries(keys.split(" ").map((key) => [key, null]));

const ownSuite = "put these tests into a suite of their own";
const transformVars = "it is code; write the variables as they should be into the tests";

const promptfooKeys = {
  config: {
    ...read(
      "$schema version description prompts providers targets tests scenarios defaultTest assertionTemplates outputPath " +
        "evaluateOptions commandLineOptions sharing env tags metadata writeLatestResults",
    ),
    redteam: "its attacks are made by promptfoo's service; write the prompts that you want to ask into a sheet",
    derivedMetrics: "write it as a scorer of the type mean, or a module, over the metrics",
    extensions: "it is code that runs beside a test; write what it checks as a scorer of the type module",
    nunjucksFilters: "it is code; write the variables as they should be into the tests",
  },
  test: {
    ...read("vars assert threshold description metadata options providerOutput name"),
    provider: `every row is asked of every target; ${ownSuite}`,
    providers: `every row is asked of every target; ${ownSuite}`,
    prompts: `every row is sent with every prompt; ${ownSuite}`,
    assertScoringFunction:
      "a row's grade is the weighted mean of its checks; write the function as a scorer of the type module",
  },
  options: {
    ...read(
      "prefix suffix transform repeat provider disableDefaultAsserts disableVarExpansion storeOutputAs disableConversationVar",
    ),
    rubricPrompt: "give the judge a `template` in the suite",
    transformVars,
    postprocess: "it is an older name of `transform`; write it so",
    conversationId: "promptfoo reads it in `metadata`",
  },
  assertion: {
    ...read("type value threshold weight metric transform config provider description"),
    rubricPrompt: "give the judge a `template` in the suite",
    transformVars,
  },
  prompt: { ...read("raw id label config display"), function: "promptfoo sends `raw`" },
  provider: {
    ...read("id label config prompts transform description"),
    delay: "write a `rate` for its deployment, such as 30/m",
    env: "set the variables in the environment",
  },
  http: {
    ...read("url method headers body queryParams transformResponse responseParser maxRetries"),
    request: "write `url`, `method`, `headers` and `body` in its place",
    transformRequest: "it is code; write the request as it should be into `body`",
    sessionParser:
      "the service keeps the conversation: `history: service` for its target, and `session: $.PATH` in its endpoint, where the reply names it",
    validateStatus: 'write `statuses: { "404": answered }` and the like into its endpoint',
    auth: 'write the header into `headers`, with its value in the environment: Authorization: "Bearer ${NAME}"',
    tls: "write `ca`, `cert` and `cert_key` for its deployment",
    signatureAuth: "requests are not signed; put a gateway before the service",
  },
} satisfies Record<string, Keys>;

/** The reason why a suite does not have a key. */
export function whyLeftOut(section: keyof typeof promptfooKeys, key: string): string | null {
  const keys: Keys = promptfooKeys[section];
  return Object.hasOwn(keys, key) ? (keys[key] ?? null) : "a suite has nothing like it";
}
