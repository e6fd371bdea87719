import { z } from "zod";
import { isJsonObject, type JsonValue } from "../../lib/json.ts";
import { guardedPattern } from "../../text/pattern.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey } from "../contract/finding.ts";
import { pathKey, valueReader } from "../contract/text-selection.ts";
import { patternFaults } from "./regex.ts";
import type { Answer, Score } from "../contract/scorer.ts";
import { nothingWanted, prepareValue, valuesKey, expectedTexts } from "../contract/expected.ts";

const keys = {
  on: pathKey
    .default("references")
    .describe("Where the references are: a list of {url} or of urls. Default: references."),
  min: z.int().min(0).default(1).describe("It passes from this many on. Default: 1."),
  max: z.int().min(0).optional().describe("It passes up to this many. Default: no upper bound."),
  url: z
    .string()
    .optional()
    .describe("A regular expression: only references whose url it matches are counted. Default: all."),
  expected_urls: valuesKey
    .optional()
    .describe(
      "Urls that should be among them: a list, or a template such as {{ row.sources }} that gives one url, a JSON list, or urls separated by spaces, commas or lines. The value is then the share of them that is there. Default: not asked.",
    ),
  recall: z.number().min(0).max(1).default(1).describe("With expected_urls: it passes from this share on. Default: 1."),
  not: notKey,
};
type Options = z.output<z.ZodObject<typeof keys>>;

export const referenceScorers = [
  defineScorer({
    type: "has-references",
    family: "service",
    about:
      "The answer names its sources: enough of them, with the right urls. Its value is 1 or 0, or with expected_urls the share of those that is there. Urls are compared without protocol, www., fragment and a slash at their end.",
    keys,
    faults: ({ url }) => (url === undefined ? [] : patternFaults("url", url, "")),
    examples: [
      {
        about: "at least one",
        scorer: {},
        answer: { output_text: ["x"], references: [{ url: "https://a.example/1" }] },
        score: "passes",
      },
      {
        about: "of this site",
        scorer: { url: "^https://b\\.example/" },
        answer: { references: [{ url: "https://a.example/1" }] },
        score: "fails",
      },
      {
        about: "one of two that were expected",
        scorer: { expected_urls: ["https://a.example/1", "https://a.example/2"], recall: 0.5 },
        answer: { references: [{ url: "http://www.a.example/1/#top" }] },
        score: { value: 0.5, pass: true },
      },
    ],
    metric: () => ({ scale: { kind: "bounded", min: 0, max: 1 }, lowerIsBetter: false, passes: true }),
    prepare: ({ expected_urls }) => prepareValue(expected_urls),
    grade: referencesGrade,
  }),
];

function referencesGrade(options: Options): (answer: Answer) => Score {
  const read = valueReader(options.on);
  const pattern = options.url === undefined ? null : guardedPattern(options.url, "");
  const wanted = options.expected_urls === undefined ? null : expectedTexts(options.expected_urls);
  return (answer) => {
    const urls = urlsOf(read(answer));
    const counted = pattern === null ? urls : urls.filter((url) => typeof pattern.find(url) === "string");
    const expected = wanted?.(answer) ?? null;
    if (expected !== null && !Array.isArray(expected)) return expected;
    return grade(counted, expected === null ? null : listedUrls(expected), options);
  };
}

function grade(urls: readonly string[], expected: readonly string[] | null, options: Options): Score {
  const { min, max, recall, not } = options;
  const enough = urls.length >= min && urls.length <= (max ?? Infinity);
  const count = `${urls.length} ${urls.length === 1 ? "reference" : "references"}${options.url === undefined ? "" : " with such a url"}`;
  const bounds = `${min}${max === undefined ? " or more" : ` to ${max}`}`;
  if (expected === null)
    return {
      value: enough === not ? 0 : 1,
      pass: enough !== not,
      reason: `there are ${count}, and ${bounds} were asked for`,
    };
  if (expected.length === 0) return nothingWanted;
  const forms = new Set(urls.map(urlForm));
  const missing = expected.filter((url) => !forms.has(urlForm(url)));
  const share = 1 - missing.length / expected.length;
  const pass = (enough && share >= recall - 1e-9) !== not;
  const lacks = missing.length === 0 ? "" : `; missing: ${missing.slice(0, 3).join(", ")}`;
  return {
    value: not ? 1 - share : share,
    pass,
    reason: `${expected.length - missing.length} of ${expected.length} expected urls are among ${count}${lacks}`,
  };
}

function urlsOf(value: JsonValue | undefined): string[] {
  return [value ?? []].flat().flatMap((each) => {
    const url = isJsonObject(each) ? each["url"] : each;
    return typeof url === "string" && url.trim() !== "" ? [url.trim()] : [];
  });
}

/** Urls of a cell may stand in one text, separated by white space, commas or semicolons. */
function listedUrls(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/[\s,;|]+(?=\w+:\/\/|$)|\s+/u)).filter((url) => url !== "");
}

/** A url without what makes no difference to where it leads. */
function urlForm(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : URL.canParse(`https://${url}`) ? new URL(`https://${url}`) : null;
  if (parsed === null) return url;
  const host = parsed.host.replace(/^www\./, "");
  return `${host}${decoded(parsed.pathname).replace(/\/+$/, "")}${parsed.search}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).normalize("NFC");
  } catch {
    return path;
  }
}
