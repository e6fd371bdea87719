import type { Random } from "../../lib/random.ts";
import { textIn } from "./guessed-language.ts";
import type { Library } from "./article-library.ts";
import { type BotQuestion, readQuestion } from "./question.ts";
import type { BotRequest } from "./bot-request.ts";
import type { Hit } from "./search.ts";
import { type BotSettings, mostDimensions } from "./bot-settings.ts";
import { embeddingOf } from "./embedding.ts";
import { judgeAnswer } from "./judge-answer.ts";

/** The reply of a bot, before it is put into the members of an output. */
export interface Reply {
  answers: string[];
  /** null when nothing was searched (a greeting, a verdict). */
  question: BotQuestion | null;
  references: Reference[];
}

interface Reference {
  url: string;
  title: string;
  snippet: string;
  score: number;
}

/** The same text for each output, without a search. */
const plainReply = (text: string, request: BotRequest): Reply => ({
  answers: repeat(request.outputs, () => withReceived(text, request)),
  question: null,
  references: [],
});

/** Makes the replying part of a bot: greeting, verdict, answer or fallback. */
export function replier(settings: BotSettings, library: Library): (request: BotRequest, random: Random) => Reply {
  const { prefix, suffix } = settings.tone;
  const framed = (text: string, language: string | null): string =>
    [textIn(prefix, language), text, textIn(suffix, language)].filter((part) => part !== "").join(" ");
  return (request, random) => {
    const { judge: judging, embedding } = settings;
    if (embedding !== null) {
      const vectors = textsIn(request).map((text) => embeddingOf(text, dimensionsIn(request) ?? embedding.dimensions));
      return { ...plainReply("", request), answers: vectors.map((vector) => JSON.stringify(vector)) };
    }
    if (judging !== null) {
      return {
        ...plainReply("", request),
        answers: repeat(request.outputs, () => judgeAnswer(request, judging, random)),
      };
    }
    const question = readQuestion(request.prompt, request.messages);
    const language = request.userLanguage ?? question.language;
    if (isGreeting(request.prompt)) return plainReply(textIn(settings.greeting, language), request);
    const hits = library.find(question, language);
    if (hits.length === 0) {
      return { ...plainReply(framed(textIn(settings.fallback, language), language), request), question };
    }
    const answers = repeat(request.outputs, () => {
      const { text, source } = foundText(request, hits, settings.retrieval.answer_sentences, random);
      return withReceived(framed(text, hits[source]?.article.article.language ?? language), request);
    });
    return { answers, question, references: hits.slice(0, request.maxReferences).map(referenceOf) };
  };
}

/** The texts that are to become vectors: those of the request, or its prompt. */
function textsIn({ prompt, variables: { texts } }: BotRequest): string[] {
  return Array.isArray(texts) ? texts.map(String) : [prompt];
}

function dimensionsIn({ variables: { dimensions } }: BotRequest): number | null {
  return typeof dimensions === "number" ? Math.min(mostDimensions, Math.max(1, Math.round(dimensions))) : null;
}

/** An answer with the files of its request in words behind it. */
const withReceived = (text: string, { received }: BotRequest): string =>
  received === "" ? text : `${text} ${received}`.trim();

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

/** One answer out of the articles found: its text and which of them it is from. */
interface BotText {
  text: string;
  /** Index into the hits. */
  source: number;
}

/**
 * Makes an answer of the best sentences of the best article. Above temperature 0 it may begin with a phrase, turn the
 * sentences round, tell one more or one less, or take the second-best article. Always draws five numbers.
 */
function foundText(request: BotRequest, hits: Hit[], sentences: number, random: Random): BotText {
  const [open, phrase, turn, length, second] = [random(), random(), random(), random(), random()];
  const heat = Math.min(1, request.temperature);
  const source = second < 0.1 * request.temperature && hits.length > 1 ? 1 : 0;
  const hit = hits[source];
  if (hit === undefined) return { text: "", source };
  const more = length < 0.15 * heat ? -1 : length > 1 - 0.15 * heat ? 1 : 0;
  const reported = bestSentences(hit, request.prompt, Math.max(1, sentences + more));
  const ordered = turn < 0.4 * heat ? reported.toReversed() : reported;
  const choices = openings[hit.article.article.language ?? "en"] ?? openings["en"] ?? [];
  const opening = open < 0.8 * heat ? (choices[Math.floor(phrase * choices.length)] ?? "") : "";
  return { text: [opening, ...ordered].filter((part) => part !== "").join(" "), source };
}

/** Words that ask for a number or a time; a sentence with digits is then the likelier answer. */
const asksForNumber =
  /\b(?:when|how (?:many|much|long|old|far|often)|what (?:year|time|number|percentage|day|date|phone)|cu[aá]nt[oa]s?|cu[aá]ndo|qué año|qué hora|ngapi|lini|saa)(?!\p{L})|कितन|कब|किस (?:वर्ष|साल)|كم|متى|ስንት|መቼ/iu;

/** The sentences of a found article that answer a query best, in the order of the article. */
function bestSentences(hit: Hit, prompt: string, count: number): string[] {
  const { sentences } = hit.article;
  const wantsDigits = asksForNumber.test(prompt);
  const scored = sentences.map((sentence, index) => {
    let score = index >= hit.unit.from && index < hit.unit.to ? 1 : 0;
    for (const [word, weight] of hit.matched) if (sentence.words.has(word)) score += weight;
    if (wantsDigits && sentence.digits) score *= 1.3;
    return { index, score: score / (1 + 0.01 * sentence.words.size) };
  });
  return scored
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, count)
    .toSorted((a, b) => a.index - b.index)
    .map(({ index }) => sentences[index]?.text ?? "");
}

/** Ways to begin an answer, used above temperature 0. */
const openings: Record<string, string[]> = {
  en: ["Sure.", "Here is what I found.", "Good question.", "As far as I know:", "Of course."],
  es: ["Claro.", "Esto es lo que encontré.", "Buena pregunta.", "Hasta donde sé:", "Por supuesto."],
  hi: ["ज़रूर।", "मुझे यह जानकारी मिली।", "अच्छा सवाल है।", "जहाँ तक मुझे पता है:", "बिल्कुल।"],
  ar: ["بالتأكيد.", "هذا ما وجدته.", "سؤال جيد.", "على حد علمي:", "طبعًا."],
  sw: ["Ndiyo.", "Haya ndiyo niliyopata.", "Swali zuri.", "Kwa ninavyojua:", "Bila shaka."],
  am: ["እሺ።", "ያገኘሁት ይህ ነው።", "ጥሩ ጥያቄ ነው።", "እስከማውቀው ድረስ፦", "በእርግጥ።"],
};

/** A whole prompt that is nothing but a greeting. */
const greeting =
  /^[\s¡!]*(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|hola|buen[oa]s (?:días|tardes|noches)|नमस्ते|नमस्कार|हैलो|हेलो|مرحبا|مرحبًا|أهلا|أهلًا|السلام عليكم|صباح الخير|habari(?: yako)?|jambo|hujambo|mambo|shikamoo|ሰላም|ጤና ይስጥልኝ)(?:[\s,]+(?:there|bot|all|everyone|team))?[\s!.,?।؟👋🙏🙂😊]*$/iu;

/** True when a prompt only greets. */
function isGreeting(prompt: string): boolean {
  return prompt.length < 60 && greeting.test(prompt.normalize("NFC"));
}
