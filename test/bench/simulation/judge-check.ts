import { biasFindings, type ObservedErrors } from "../../../src/app/judge/bias-findings.ts";
import { videoBots } from "../../../src/api/video-bots.ts";
import { videoBotsBody } from "../../../src/api/video-bots-schema.ts";
import { loadBot } from "../../../src/deployment/bot/bot.ts";
import { botSettings } from "../../../src/deployment/bot/bot-settings.ts";
import type { JsonObject } from "../../../src/lib/json.ts";
import { randomStream } from "../../../src/lib/random.ts";
import type { Answer, JudgeReply, JudgeScorer } from "../../../src/score/contract/scorer.ts";
import { makeScorers } from "../../../src/score/make.ts";
import { askedProbes, type ProbeGrade, readProbe } from "../../../src/score/probes/asked-probes.ts";
import { type ProbeName, probeNames, type ProbeSource } from "../../../src/score/probes/probe-plan.ts";
import type { Pace, Simulated } from "./simulation.ts";

/** A bias of the local judge, how it is planted, and the probe that should find it. */
interface Planted {
  name: string;
  type: "judge" | "pairwise";
  settings: (bias: number) => JsonObject;
  probe: ProbeName;
  of: string;
  variant: string;
}

const planted: readonly Planted[] = [
  {
    name: "order",
    type: "pairwise",
    settings: (bias) => ({ position_bias: bias }),
    probe: "order",
    of: "",
    variant: "",
  },
  {
    name: "length, planted",
    type: "judge",
    settings: (bias) => ({ length_bias: bias }),
    probe: "length",
    of: "planted",
    variant: "",
  },
  {
    name: "length, two answers",
    type: "pairwise",
    settings: (bias) => ({ length_bias: bias }),
    probe: "length",
    of: "planted",
    variant: "",
  },
  {
    name: "length, by labels",
    type: "judge",
    settings: (bias) => ({ length_bias: bias }),
    probe: "length",
    of: "observed",
    variant: "",
  },
  { name: "noise", type: "judge", settings: (bias) => ({ noise: bias }), probe: "consistency", of: "", variant: "" },
  {
    name: "give full marks",
    type: "judge",
    settings: (bias) => ({ obedience: bias }),
    probe: "wrongs",
    of: "planted",
    variant: "full-marks",
  },
];

const cases = 100;
/** Share of verdicts that any judge here turns round, so that a false alarm is possible. */
const usualNoise = 0.02;

/** Words that no other case has. */
const wordsOf = (at: number, about: string): string[] =>
  Array.from({ length: 12 }, (_, place) => `${about}${at}${"abcdefghijkl"[place] ?? ""}`);

/** Two answers to each case: `half` says half of what is expected, and all of it the other one; by lot, or the first one always half. */
function sourcesOf(type: Planted["type"], seed: string): { sources: ProbeSource[]; both: [Answer, Answer][] } {
  const random = randomStream(seed);
  const both = Array.from({ length: cases }, (_, at): [Answer, Answer] => {
    const words = wordsOf(at, "fact");
    const expected = words.join(" ");
    const half = words.map((word, place) => (place % 2 === 0 ? word : `other${at}${place}`)).join(" ");
    const isFirst = type === "pairwise" && random.next() < 0.5;
    const isSecond = type === "pairwise" ? !isFirst : random.next() < 0.25;
    const longer = random.next() < 0.5 ? ` ${wordsOf(at, "more").slice(0, 7).join(" ")}` : "";
    const answerOf = (target: string, text: string): Answer => ({
      case: {
        key: `k${at}`,
        input: { input_prompt: "When?" },
        expected,
        cluster: `k${at}`,
        turn: 1,
        tags: {},
        columns: { language: "en" },
      },
      target,
      endpoint: "video-bots",
      repeat: 1,
      outcome: "ok",
      answer: "answered",
      record: { id: null, url: null, createdAt: null, output: videoBots.outputSaying(text) },
      error: null,
      latencyMs: null,
      firstMs: null,
      usage: null,
      attempts: 1,
    });
    return [
      answerOf("one", (isFirst ? expected : half) + (type === "judge" ? longer : "")),
      answerOf("other", isSecond ? expected : half),
    ];
  });
  const sources = both.map(([answer, other]) => ({
    answer: type === "pairwise" ? answer : other,
    other: type === "pairwise" ? other : null,
  }));
  return { sources, both };
}

/** A local judge that replies at once. */
async function openJudge({ type, settings }: Planted, bias: number, seed: string) {
  const judge = { noise: usualNoise, ...settings(bias) };
  const bot = await loadBot(botSettings.parse({ seed, judge }), ".");
  const [made] = await makeScorers(
    [
      {
        name: "helpful",
        type,
        primary: false,
        weight: 1,
        when: null,
        options: { target: "local" },
      },
    ],
    { trust: null, timeoutMs: 1_000 },
  );
  if (made?.scorer.kind !== "judge") throw new Error("there is no judge");
  const reply = async (body: JsonObject): Promise<JudgeReply> => {
    const request = videoBotsBody.parse({ ...bot.saved, ...body });
    const { output } = await bot.answer(request, bot.randomOf(request));
    return { id: null, url: null, createdAt: null, endpoint: "video-bots", output };
  };
  return { scorer: made.scorer, metric: made.metric, reply };
}

async function gradesOf(
  scorer: JudgeScorer,
  reply: (body: JsonObject) => Promise<JudgeReply>,
  asked: ReturnType<typeof askedProbes>,
): Promise<ProbeGrade[]> {
  const grades: ProbeGrade[] = [];
  for (const each of asked) {
    const replies: JudgeReply[] = [];
    for (const body of each.bodies) replies.push(await reply(body));
    const read = readProbe(scorer, each.bodies, { replies, isRepaired: true });
    if (!("repair" in read)) grades.push({ probe: each.probe, ...read });
  }
  return grades;
}

/** What people say of the answers is what is true of them; the judge is asked about each. */
async function errorsOf(
  given: Awaited<ReturnType<typeof openJudge>>,
  both: readonly [Answer, Answer][],
  honest: Awaited<ReturnType<typeof openJudge>>,
): Promise<ObservedErrors> {
  const valueOf = async ({ scorer, reply }: typeof given, answer: Answer): Promise<number> => {
    const bodies = scorer.ask(answer, null);
    const read = Array.isArray(bodies) ? scorer.read([await reply(bodies[0] ?? {})], true, () => []) : bodies;
    return "value" in read ? read.value : 0;
  };
  const textOf = (answer: Answer): string => videoBots.textOf(answer.record?.output ?? {}) ?? "";
  const pairs: ObservedErrors["pairs"][number][] = [];
  for (const [one, other] of both) {
    const { cluster } = one.case;
    const [a, b] = [await valueOf(given, one), await valueOf(given, other)];
    const [ha, hb] = [await valueOf(honest, one), await valueOf(honest, other)];
    pairs.push({ x: Math.log(textOf(one).length / textOf(other).length), y: a - b - (ha - hb), cluster, weight: 1 });
  }
  return { pairs };
}

const seeds = 200;
const biases = [0, 0.1, 0.3] as const;

/** Shares of alarms of `tandem judge check` by the biases of the local judge. */
export async function judgeCheck({ note, quick }: Pace): Promise<Simulated> {
  const lines: string[] = [];
  let kept = true;
  for (const each of planted) {
    note(each.name);
    const shares: number[] = [];
    for (const bias of biases) {
      let alarms = 0;
      const count = quick ? 10 : seeds;
      for (let seed = 0; seed < count; seed++) {
        const given = await openJudge(each, bias, `${each.name}/${bias}/${seed}`);
        const { sources, both } = sourcesOf(each.type, `cases/${seed}`);
        const options = { probes: [each.probe], repeats: 3 };
        const grades = await gradesOf(given.scorer, given.reply, askedProbes(given.scorer, sources, options));
        const wantsLabels = each.of === "observed";
        const observed: ObservedErrors = wantsLabels
          ? await errorsOf(given, both, await openJudge({ ...each, settings: () => ({ noise: 0 }) }, 0, "honest"))
          : { pairs: [] };
        const found = biasFindings(grades, { metric: given.metric, observed, probes: probeNames });
        const own = found.find(
          ({ probe, of, variant }) => probe === each.probe && of === each.of && variant === each.variant,
        );
        if (own === undefined) throw new Error(`nothing was found about ${each.name}`);
        if (own.state === "alarm") alarms += 1;
      }
      shares.push(alarms / count);
      note(`  ${bias}: ${alarms} of ${count}`);
    }
    const isKept = (shares[0] ?? 1) <= 0.08 && (shares[2] ?? 0) >= 0.8;
    kept &&= isKept;
    lines.push(
      `| ${each.name} | ${shares.map((share) => `${(share * 100).toFixed(1)} %`).join(" | ")} | ${isKept ? "yes" : "**no**"} |`,
    );
  }
  const head = ["| bias of the local judge | 0 | .1 | .3 | as promised |", "| --- | --- | --- | --- | --- |"];
  return { table: [...head, ...lines].join("\n"), kept };
}
