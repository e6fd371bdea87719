import type { Random } from "../../lib/random.ts";
import { foundText } from "./answer-text.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { textIn } from "./guessed-language.ts";
import type { Library } from "./article-library.ts";
import { isGreeting } from "./phrases.ts";
import { type BotQuestion, readQuestion } from "./question.ts";
import type { BotRequest } from "./bot-request.ts";
import type { Hit } from "./search.ts";
import type { BotSettings } from "./bot-settings.ts";
import { type ShapedAnswer, shapeAnswer } from "./shaped-answer.ts";
import { type Tone, parseTone, toneOfScript } from "./tone.ts";

/** The reply of a bot, before it is put into the members of an output. */
export interface Reply {
  answers: ShapedAnswer[];
  /** null when nothing was searched (a greeting, a verdict). */
  question: BotQuestion | null;
  references: Reference[];
  buttons: string[];
}

interface Reference {
  url: string;
  title: string;
  snippet: string;
  score: number;
}

/** Makes the replying part of a bot: greeting, verdict, answer or fallback. */
export function replier(settings: BotSettings, library: Library): (request: BotRequest, random: Random) => Reply {
  const toneFor = toneChooser(settings);
  const plain = (text: string, request: BotRequest): Reply => ({
    answers: repeat(request.outputs, () => shape(settings, request, text, null)),
    question: null,
    references: [],
    buttons: [],
  });
  return (request, random) => {
    const { judge: judging } = settings;
    if (judging !== null) {
      return {
        ...plain("", request),
        answers: repeat(request.outputs, () => verdict(judgeAnswer(request, judging, random))),
      };
    }
    const question = readQuestion(request.prompt, request.messages);
    const language = request.userLanguage ?? question.language;
    if (isGreeting(request.prompt)) return plain(textIn(settings.greeting, language), request);
    const hits = library.find(question, language);
    const tone = toneFor(request.script);
    if (hits.length === 0) {
      const text = tone(textIn(settings.fallback, language), language, request.variables);
      return { ...plain(text, request), question };
    }
    const buttons = hits.slice(1, 1 + settings.buttons).map((hit) => hit.article.article.title);
    const answers = repeat(request.outputs, () => {
      const { text, source } = foundText(request, hits, settings.retrieval.answer_sentences, random);
      const spoken = tone(text, hits[source]?.article.article.language ?? language, request.variables);
      return shape(settings, request, spoken, { hits, source, question, buttons });
    });
    return { answers, question, references: hits.slice(0, request.maxReferences).map(referenceOf), buttons };
  };
}

function toneChooser(settings: BotSettings): (script: string) => Tone {
  const { tone } = settings;
  const named = { plain: parseTone("plain"), formal: parseTone("formal"), friendly: parseTone("friendly") };
  const own = tone === null ? null : parseTone(tone);
  return (script) => own ?? named[toneOfScript(script)];
}

interface Found {
  hits: Hit[];
  source: number;
  question: BotQuestion;
  buttons: string[];
}

function shape(settings: BotSettings, request: BotRequest, text: string, found: Found | null): ShapedAnswer {
  return shapeAnswer(request.received === "" ? text : `${text} ${request.received}`.trim(), {
    citations: request.citations,
    reference: found !== null && found.source < request.maxReferences ? found.source + 1 : null,
    thought: settings.think ? thoughtOf(found) : null,
    buttons: found?.buttons ?? [],
    transcript: request.transcript,
    maxChars: settings.max_answer_chars,
  });
}

function thoughtOf(found: Found | null): string {
  if (found === null) return "No article is about this.";
  const { title } = found.hits[found.source]?.article.article ?? { title: "" };
  return `They ask about ${[...found.question.query.keys()].join(", ")}. The article "${title}" fits best.`;
}

function verdict(text: string): ShapedAnswer {
  return { shown: text, raw: text, spoken: text, finish: "stop" };
}

const snippetLength = 300;

/** The beginning of a text, cut at a space so that no letter loses its marks. */
function snippetOf(text: string): string {
  if (text.length <= snippetLength) return text;
  const space = text.lastIndexOf(" ", snippetLength);
  return `${text.slice(0, space > 0 ? space : snippetLength)}…`;
}

function referenceOf({ unit, score, article: { article } }: Hit): Reference {
  return { url: article.url, title: article.title, snippet: snippetOf(unit.text), score };
}

function repeat<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
