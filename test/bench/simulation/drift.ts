import { randomStream, type RandomStream } from "../../../src/lib/random.ts";
import { judgeChangedSince, weeklyEvidence, weeklyThreshold } from "../../../src/stats/judged/grade-watch.ts";
import type { Pace, Simulated } from "./simulation.ts";

const weeksOfYear = 52;
/** Weeks that are watched before a change. */
const steadyWeeks = 4;
const mostWeeks = 30;

/** Share of its verdicts that are others by chance, all of them on a fifth of the questions or on all alike. */
interface Noisy {
  noise: number;
  isOnFew: boolean;
}

const judges: readonly Noisy[] = [0, 0.01, 0.03, 0.05, 0.08].flatMap((noise) =>
  (noise === 0 ? [true] : [true, false]).map((isOnFew) => ({ noise, isOnFew })),
);

/** False alarms in a year, and weeks until 6 of 30 changed grades are found in half of the cases. */
const mostFalse = 0.08;
const mostFound = 4;

interface Question {
  usual: number;
  flips: number;
  isChanged: boolean;
}

/** A judge as its check leaves it: 40 answers were asked about three times, and 60 questions are kept. */
function checked({ noise, isOnFew }: Noisy, random: RandomStream) {
  const question = (failing: number): Question => ({
    usual: random.next() < failing ? 0 : 1,
    flips: !isOnFew ? noise : random.next() < 0.2 ? Math.min(0.5, 5 * noise) : 0,
    isChanged: false,
  });
  const ask = ({ usual, flips, isChanged }: Question): number => {
    const now = isChanged ? 1 - usual : usual;
    return random.next() < flips ? 1 - now : now;
  };
  const found = { flips: 0, verdicts: 0 };
  const answers = Array.from({ length: 100 }, (_, place) => ({ own: question(0.15), times: place < 40 ? 3 : 1 }));
  const spoilt = Array.from({ length: 300 }, () => ({ own: question(0.8), times: 1 }));
  const pool = [...answers, ...spoilt].flatMap(({ own, times }) => {
    const grade = ask(own);
    const again = Array.from({ length: times - 1 }, () => ask(own)).filter((each) => each !== grade).length;
    found.flips += again;
    found.verdicts += times - 1;
    return again > 0 ? [] : [{ own, grade }];
  });
  const kept = [1, 0].flatMap((side) => pool.filter(({ grade }) => grade === side).slice(0, 30));
  const first = kept.map(({ grade }) => grade);
  const next = (): number[] => kept.map(({ own }) => ask(own));
  const change = (count: number): void => {
    const failing = kept.filter(({ grade }) => grade === 0).toSorted(() => random.next() - 0.5);
    for (const { own } of failing.slice(0, count)) own.isChanged = true;
  };
  return { first, found, next, change };
}

/** The week of the first alarm; 0: when it was first asked again, before them; Infinity: none. */
function firstAlarm(
  judge: Noisy,
  random: RandomStream,
  { steady = 0, weeks, changed = 0 }: { steady?: number; weeks: number; changed?: number },
): number {
  const { first, found, next, change } = checked(judge, random);
  const asked = [first, next()];
  if (judgeChangedSince({ asked, noise: found, isChecked: true }) !== null) return 0;
  for (let week = 1; week <= steady + weeks; week++) {
    if (week === steady + 1) change(changed);
    asked.push(next());
  }
  const alarms = (weeklyEvidence({ asked, noise: found }) ?? []).map(({ statistics }) =>
    statistics.findIndex((statistic) => statistic >= weeklyThreshold),
  );
  const weeksOfAlarms = alarms.flatMap((place) => (place === -1 ? [] : [place + 1 - steady]));
  return Math.min(Infinity, ...weeksOfAlarms);
}

/** Judges that stay the same for a year of weeks, and judges of which some grades change for good. */
export function drift({ note, quick }: Pace): Simulated {
  const times = quick ? 60 : 1_000;
  const lines = judges.map((judge) => {
    note(`a judge with ${judge.noise * 100} % of noise`);
    const random = randomStream(`drift/${judge.noise}/${judge.isOnFew}`);
    const years = Array.from({ length: times }, () => firstAlarm(judge, random, { weeks: weeksOfYear }));
    const falseShare = years.filter((week) => week < Infinity).length / times;
    const found = [3, 6, 9].map((changed) => {
      const weeks = Array.from({ length: times }, () =>
        firstAlarm(judge, random, { steady: steadyWeeks, weeks: mostWeeks, changed }),
      ).filter((week) => week > 0);
      return weeks.toSorted((one, other) => one - other)[Math.ceil(weeks.length / 2) - 1] ?? Infinity;
    });
    const isLikely = judge.noise <= 0.05;
    const kept =
      falseShare - 1.96 * Math.sqrt((falseShare * (1 - falseShare)) / times) <= mostFalse &&
      (!isLikely || (found[1] ?? Infinity) <= mostFound);
    const cells = [
      `${judge.noise * 100} %${judge.noise === 0 ? "" : judge.isOnFew ? ", on a fifth" : ", on all"}`,
      `${(falseShare * 100).toFixed(1)} %`,
      ...found.map((week) => (week === Infinity ? `more than ${mostWeeks}` : String(week))),
      kept ? "yes" : "**no**",
    ];
    return { line: `| ${cells.join(" | ")} |`, kept };
  });
  const table = [
    "| grades that are others by chance | false alarm in a year | weeks until 3 of 30 changed grades are found, in half of the cases | 6 of 30 | 9 of 30 | as promised |",
    "| --- | --- | --- | --- | --- | --- |",
    ...lines.map(({ line }) => line),
  ];
  return { table: table.join("\n"), kept: lines.every(({ kept }) => kept) };
}
