import { hasHtml, htmlFault } from "../../text/markup/html.ts";
import { longestMarkup, readXml } from "../../text/markup/xml.ts";
import { verdict } from "../contract/finding.ts";
import { nameOf, textReader } from "../contract/text-selection.ts";
import type { Answer, PureScorer, Score } from "../contract/scorer.ts";

interface Options {
  on?: string | undefined;
  clean: boolean;
  within: boolean;
  not: boolean;
}

/** Makes a scorer that says whether a text is XML, or has some in it, with these elements. */
export function xmlScorer({ elements, ...options }: Options & { elements: string[] }): PureScorer {
  const grade = markupGrade(options, (text) => {
    const read = readXml(text, elements, options.within);
    if ("fault" in read) return read.fault;
    return read.missing.length === 0 ? null : `it has no ${read.missing.join(", ")}`;
  });
  return { kind: "pure", grade };
}

/** Makes a scorer that says whether a text is HTML, or has some in it. */
export function htmlScorer(options: Options): PureScorer {
  const grade = markupGrade(options, (text) =>
    !options.within ? htmlFault(text) : hasHtml(text) ? null : "there is no HTML in it",
  );
  return { kind: "pure", grade };
}

function markupGrade(
  options: Omit<Options, "within">,
  faultOf: (text: string) => string | null,
): (answer: Answer) => Score {
  const read = textReader(options);
  const what = nameOf(options.on);
  return (answer) => {
    const text = read(answer) ?? "";
    if (text.length > longestMarkup)
      return { unscored: `${what} has more than ${longestMarkup.toLocaleString("en")} characters` };
    const fault = faultOf(text);
    return verdict(fault === null, options.not, `${what}: ${fault ?? "it is as it should be"}`);
  };
}
