import type { CaseChange } from "../../src/compare/cases/case-kinds.ts";
import { seededRandom } from "../../src/lib/random.ts";
import type {
  ShownInterval,
  ReportChange,
  ReportRow,
  ReportRun,
  ReportSide,
  ReportSummary,
} from "../../src/report/shape/model.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

/**
 * A report of any number of rows, for tests, for the bench and for work on the page: questions and answers in English,
 * Hindi, Arabic and with emoji, with every kind of change, the same for the same seed.
 */
const languages: Record<string, { questions: string[]; sentences: string[] }> = {
  en: {
    questions: ["How do I renew a book?", "When does the tool library open?", "Can I return a drill after hours?"],
    sentences: [
      "You can renew a book twice, unless somebody else has reserved it.",
      "Bring your card and the item to the desk on the ground floor.",
      "The tool library opens on Tuesday and Thursday from 16:00 to 19:00.",
      "Late fees are 0.20 a day, and never more than 6.00 for one item.",
      "If you lose your card, tell us at once and we will block it.",
      "After hours the return box beside the main entrance takes everything but drills.",
      "A deposit of 25.00 is asked for machines and given back on return.",
      "Children under twelve need the signature of a parent.",
    ],
  },
  hi: {
    questions: ["मैं किताब कैसे नवीनीकृत करूँ?", "औज़ार पुस्तकालय कब खुलता है?"],
    sentences: [
      "आप किताब को दो बार नवीनीकृत कर सकते हैं, यदि किसी और ने उसे आरक्षित नहीं किया है।",
      "अपना कार्ड और सामान भूतल के काउंटर पर लाएँ।",
      "औज़ार पुस्तकालय मंगलवार और गुरुवार को शाम ४ से ७ बजे तक खुला रहता है।",
      "विलंब शुल्क प्रतिदिन ०.२० है और एक वस्तु के लिए ६.०० से अधिक कभी नहीं।",
      "कार्ड खो जाने पर हमें तुरंत बताएँ, हम उसे बंद कर देंगे।",
      "बारह वर्ष से कम आयु के बच्चों के लिए माता-पिता के हस्ताक्षर आवश्यक हैं।",
    ],
  },
  ar: {
    questions: ["كيف أجدد إعارة كتاب؟", "متى تفتح مكتبة الأدوات؟"],
    sentences: [
      "يمكنك تجديد إعارة الكتاب مرتين ما لم يحجزه شخص آخر.",
      "أحضر بطاقتك والغرض إلى المكتب في الطابق الأرضي.",
      "تفتح مكتبة الأدوات يومي الثلاثاء والخميس من الساعة ١٦:٠٠ إلى ١٩:٠٠.",
      "رسوم التأخير ٠٫٢٠ في اليوم ولا تزيد أبدًا على ٦٫٠٠ للغرض الواحد.",
      "إذا فقدت بطاقتك فأخبرنا فورًا وسنوقفها.",
      "يحتاج الأطفال دون الثانية عشرة إلى توقيع أحد الوالدين.",
    ],
  },
  emoji: {
    questions: ["📚 renew?? 🙏🏽", "is the 🛠️ library open today 👀"],
    sentences: [
      "Sure thing 👍🏽 you can renew twice 📚📚.",
      "The 🛠️ library opens Tue & Thu, 16:00-19:00 🕓.",
      "Family cards 👨‍👩‍👧‍👦 cover everybody at one address 🏠.",
      "Late fees stop at 6.00 💶, promise 🤞.",
      "Bring your card 💳 and a smile 😀.",
    ],
  },
};

const kinds: [CaseChange, number][] = [
  ["same", 0.35],
  ["within-noise", 0.4],
  ["changed", 0.17],
  ["newly-flaky", 0.02],
  ["newly-stable", 0.01],
  ["error-appeared", 0.02],
  ["error-gone", 0.01],
  ["not-compared", 0.02],
];

const topics = ["renewals", "tools", "fees", "opening hours", "cards"];

/** One row after the other. */
export function* syntheticRows(count: number, seed = "1"): Generator<ReportRow> {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  for (let place = 1; place <= count; place++) {
    const language = pick(Object.keys(languages));
    const { questions, sentences } = languages[language] as { questions: string[]; sentences: string[] };
    const saying = (): string[] => Array.from({ length: 4 + Math.floor(random() * 8) }, () => pick(sentences));
    const kind = kindOf(random());
    const base = saying();
    const other = kind === "same" ? base : base.map((sentence) => (random() < 0.25 ? pick(sentences) : sentence));
    if (kind === "changed") other.push(`${pick(sentences)} (${place})`);
    const [passBase, passOther] = [random() < 0.81, random() < 0.76];
    const trend = passBase === passOther ? null : passOther ? "better" : "worse";
    const distance = kind === "same" ? 0 : Math.round(random() * (kind === "changed" ? 0.9 : 0.25) * 1000) / 1000;
    yield {
      key: `${topics[place % topics.length]}-${String(place).padStart(5, "0")}`,
      place,
      row: place + 1,
      file: null,
      cluster: place % 6 === 0 ? `talk-${Math.floor(place / 6)}` : null,
      turn: 1,
      tags: { language, topic: topics[place % topics.length] ?? "" },
      input: [{ field: "input_prompt", text: `${pick(questions)} (${place})` }],
      expected: base[0] ?? null,
      columns: { author: "seed", note: place % 9 === 0 ? "two\nlines" : "" },
      sides: [
        {
          ...side({ place, random, text: base.join(" "), pass: passBase, failed: kind === "error-gone" }),
          ...(kind === "newly-stable" && { flaky: true }),
        },
        {
          ...side({ place, random, text: other.join(" "), pass: passOther, failed: kind === "error-appeared" }),
          ...(kind === "newly-flaky" && { flaky: true }),
        },
      ],
      changes: [change(kind, { trend, distance, noise: Math.round(random() * 100) / 1000 })],
    };
  }
}

function kindOf(at: number): CaseChange {
  let sum = 0;
  for (const [kind, share] of kinds) if ((sum += share) > at) return kind;
  return "same";
}

function change(
  kind: CaseChange,
  { trend, distance, noise }: { trend: ReportChange["trend"]; distance: number; noise: number },
): ReportChange {
  const answered = !kind.startsWith("error") && kind !== "not-compared";
  const turn = answered ? trend : kind === "error-appeared" ? "worse" : kind === "error-gone" ? "better" : null;
  return {
    candidate: "test",
    kind,
    turns: kind === "not-compared" ? [null, null] : [turn ?? "same", answered ? "same" : turn],
    trend: turn,
    distance: answered ? distance : null,
    noise,
    excess: answered ? distance - noise : kind === "error-appeared" ? 1 : null,
    members: kind === "changed" ? [{ path: "references", baseline: "3", candidate: "null" }] : [],
    gapMs: 1400,
  };
}

function side(given: {
  place: number;
  random: () => number;
  text: string;
  pass: boolean;
  failed: boolean;
}): ReportSide {
  const { place, random, text, pass, failed } = given;
  const similar = Math.round(random() * 1000) / 10;
  const run: ReportRun = {
    jobId: place,
    repeat: 1,
    outcome: failed ? "run-failed" : "answered",
    failed,
    answer: failed ? null : text,
    error: failed ? "500 from the service: the model did not answer" : null,
    status: failed ? 500 : 200,
    attempts: failed ? 3 : 1,
    possiblyPaid: false,
    latencyMs: 400 + random() ** 3 * 9000,
    runId: `run-${place}`,
    url: `http://127.0.0.1:1/runs/${place}`,
    createdAt: "2026-11-21T05:12:00Z",
    scores: failed
      ? [null, null]
      : [
          { value: pass ? 1 : 0, pass, reason: pass ? "holds the expected text" : "does not hold the expected text" },
          { value: similar, pass: null, reason: `chrF2 ${similar}` },
        ],
    extras: failed
      ? null
      : {
          references: [{ url: "https://example.org/cards", title: "Cards", snippet: text.slice(0, 120), score: 4.2 }],
          finishReason: "stop",
          searchQuery: "renew book",
        },
  };
  const scores = failed
    ? [null, null]
    : [
        { value: pass ? 1 : 0, passes: pass ? 1 : 0, runs: 1 },
        { value: similar, passes: 0, runs: 1 },
      ];
  return { runs: [run], scores };
}

/** The summary that goes with so many rows: plausible, not computed from them. */
export function syntheticSummary(cases: number): ReportSummary {
  const interval = (lower: number, upper: number): ShownInterval => ({ lower, upper });
  const latency = (peak: number) => ({
    p50: peak,
    p90: peak * 2.2,
    p99: peak * 5,
    max: 9800,
  });
  const target = (name: string, peak: number, values: [number, number]) => ({
    name,
    deployment: name,
    endpoint: "video-bots",
    exampleId: "help-desk",
    jobs: cases,
    answered: Math.round(cases * 0.98),
    outcomes: { answered: Math.round(cases * 0.98), "run-failed": Math.round(cases * 0.02) },
    errorShare: 0.02,
    errors: [],
    ungraded: [],
    stopped: null,
    latency: latency(peak),
    expected: { found: Math.round(cases * 0.8), of: cases },
    tokens: null,
    cost: null,
    scores: values.map((value, index) => ({
      value,
      interval: index === 0 ? interval(value - 0.03, value + 0.03) : interval(value - 2, value + 2),
      scored: cases,
      unscored: 0,
      repeated: null,
    })),
  });
  const gate = {
    candidate: "test",
    slice: null,
    tooFew: false,
    losses: null,
    confidence: 0.95,
    sides: 1 as const,
    cases,
    clusters: cases,
    groups: null,
    baseline: 0.81,
    now: 0.74,
    worse: 14,
    better: 5,
    detectable: 0.041,
    smallestDrop: "A drop of 4.1 points is the smallest that so many rows would show (80 % power).",
    details: ["A drop of 4.1 points is the smallest that so many rows would show (80 % power)."],
  };
  return {
    version: storedVersion,
    tandem: "0.1.0",
    suite: "help-desk",
    batch: "help-desk-20261121-051200",
    state: "finished",
    reason: null,
    startedAt: new Date(Date.UTC(2026, 10, 21, 5, 12)).toISOString(),
    durationMs: 754_000,
    findings: {
      isSameBot: false,
      headline: {
        kind: "difference",
        word: "regression",
        is: "worse",
        candidate: "test",
        baseline: "prod",
        metric: "correct",
        slice: null,
        turned: { rows: cases, worse: 14, better: 5, by: "flips" },
        difference: -0.071,
        margin: 0.02,
        stoppedEarly: false,
      },
      also: [],
      facts: [],
    },
    stopping: null,
    next: { step: { kind: "look", rows: "worse", count: null }, commands: [["tandem", "view"]] },
    verdict: {
      state: "regression",
      word: "regression",
      claim: "worse",
      metric: "correct",
      sentence: "test is worse on correct: 81 % → 74 %",
    },
    baseline: "prod",
    candidates: ["test"],
    pairs: [{ baseline: "prod", candidate: "test", word: "regression", claim: "worse" }],
    targets: [target("prod", 900, [0.81, 62]), target("test", 1300, [0.74, 61.2])],
    metrics: [
      {
        name: "correct",
        scorer: "correct",
        relative: false,
        type: "contains",
        primary: true,
        lowerIsBetter: false,
        passes: true,
        unit: null,
        min: 0,
        max: 1,
      },
      {
        name: "similar",
        scorer: "similar",
        relative: false,
        type: "chrf",
        primary: false,
        lowerIsBetter: false,
        passes: false,
        unit: null,
        min: 0,
        max: 100,
      },
    ],
    gates: [
      {
        ...gate,
        metric: "correct",
        name: "correct",
        state: "regression",
        word: "regression",
        margin: 0.02,
        difference: -0.071,
        interval: interval(-0.111, -0.032),
        p: 0.002,
        pLoss: 0.002,
        test: "Tango's score test",
        method: "Tango's score test with its one-sided bounds: pass or fail, one run each side",
        advice: null,
      },
      {
        ...gate,
        metric: "similar",
        name: "similar",
        detectable: null,
        smallestDrop: null,
        details: [],
        state: "inconclusive",
        word: "too-few-cases",
        margin: 2,
        difference: -0.8,
        interval: interval(-3.1, 1.5),
        p: 0.3,
        pLoss: 0.3,
        baseline: 62,
        now: 61.2,
        test: "cluster-robust t",
        method: "cluster-robust t with 39 degrees of freedom",
        advice: "About 340 rows, or 3 repeats of these, would settle it",
      },
    ],
    validity: {
      state: "valid",
      checks: [
        { ok: true, text: `${cases} of ${cases} rows are in both` },
        { ok: true, text: "prod: 2 % of the cases without an answer, at most 5 % are allowed" },
      ],
    },
    flips: [
      {
        candidate: "test",
        metric: "correct",
        kind: "pass-to-fail",
        cases: 14,
        keys: ["renewals-00005", "tools-00011"],
        rows: [
          { row: 6, file: null },
          { row: 12, file: null },
        ],
      },
      {
        candidate: "test",
        metric: "correct",
        kind: "fail-to-pass",
        cases: 5,
        keys: ["fees-00002"],
        rows: [{ row: 3, file: "b.csv" }],
      },
      { candidate: "test", metric: "correct", kind: "error-appeared", cases: 0, keys: [], rows: [] },
    ],
    behaviour: [
      {
        candidate: "test",
        changed: true,
        baseline: "prod",
        state: "changed",
        reason: "its texts differ from the baseline more than the baseline from itself",
        moved: [],
        differ: 0,
        beyond: 0,
        byChance: 0,
        of: cases,
        otherwise: null,
        canAskTwice: false,
        measured: "Behaviour: its texts differ from the baseline more than the baseline from itself.",
        kinds: Object.fromEntries(kinds.map(([kind, share]) => [kind, Math.round(cases * share)])),
      },
    ],
    members: [
      {
        candidate: "test",
        path: "references",
        about: "a list in prod, null in test",
        cases: 31,
        noise: 0,
        of: 120,
        p: 0.0001,
      },
    ],
    places: [],
    slices: topics.map((value, index) => ({
      candidate: "test",
      metric: "correct",
      tag: "topic",
      value,
      cases: Math.round(cases / topics.length),
      baseline: 0.8,
      now: 0.78 - index * 0.03,
      difference: -0.02 - index * 0.03,
      interval: interval(-0.08 - index * 0.03, 0.04 - index * 0.03),
      p: index > 2 ? 0.01 : 0.4,
      mark: index > 2 ? "worse" : null,
      and: null,
      worse: 2,
      better: 0,
    })),
    judges: [],
    possiblyPaidTwice: { cases: 0, judges: 0 },
    past: Array.from({ length: 9 }, (_, index) => ({
      batch: `help-desk-2026111${index}`,
      at: Date.UTC(2026, 10, 12 + index, 5, 12),
      day: `2026-11-${12 + index}`,
      time: null,
      verdict: "pass",
      word: "pass",
      changes: index === 4 ? ["configuration of test"] : [],
      otherCases: false,
      noticed: [],
      scores: {
        prod: { correct: { value: 0.8 + Math.sin(index) / 50, interval: interval(0.76, 0.85) } },
        test: { correct: { value: 0.79 - index / 150, interval: interval(0.72, 0.84) } },
      },
    })),
    alarms: [],
    cautions: [],
    notes: ["One run of the baseline for each case: how much it varies by itself is not known."],
    cases,
    tags: {
      language: Object.keys(languages).map((value) => ({ value, cases: Math.round(cases / 4) })),
      topic: topics.map((value) => ({ value, cases: Math.round(cases / 5) })),
    },
  };
}
