import type { CandidateSummary } from "../compare/candidate-summary.ts";
import { counted, number } from "./quantity.ts";
import { change, pWords } from "./verdict-words.ts";
import { visible } from "./visible.ts";

/** ` (34 beyond noise, 12 within it)`; empty where no noise was measured. */
export function changeList({ changes }: CandidateSummary): string {
  const parts = [
    [changes.changed, "beyond noise"],
    [changes["within-noise"], "within it"],
  ].flatMap(([cases, words]) => (typeof cases === "number" && cases > 0 ? `${number(cases)} ${words}` : []));
  return parts.length === 0 ? "" : `; with all runs ${parts.join(", ")}`;
}

/** What else there is to say of a candidate, each as a title and a text. */
export function moreRows(candidate: CandidateSummary): string[][] {
  return [
    ...flipRow(candidate),
    ...sliceRow(candidate),
    ...driftRow(candidate),
    ...latencyRow(candidate),
    ...unpairedRow(candidate),
  ];
}

const flipWords = {
  "pass-to-fail": "pass to fail",
  "fail-to-pass": "fail to pass",
  "newly-flaky": "newly flaky",
  "newly-stable": "newly stable",
  "error-appeared": "error appeared",
  "error-gone": "error gone",
} as const;

function flipRow({ flips }: CandidateSummary): string[][] {
  const parts = flips.lists
    .filter(({ cases }) => cases > 0)
    .map(({ kind, cases }) => `${number(cases)} ${flipWords[kind]}`);
  return parts.length === 0 ? [] : [["turned over", parts.join(", ")]];
}

const mostSlices = 4;

/** Where it got worse, beyond what so many slices show by chance. */
function sliceRow({ slices, metrics }: CandidateSummary): string[][] {
  const worse = slices.filter(({ adjusted, difference }) => (adjusted ?? 1) <= 0.05 && (difference ?? 0) < 0);
  if (worse.length === 0) return [];
  const named = worse.slice(0, mostSlices).map(({ tag, value, difference, metric, of, adjusted }) => {
    const about = metrics.find((each) => each.metric === metric && each.of === of);
    const by = about === undefined ? "" : ` ${change(difference ?? 0, about)}`;
    return `${visible(`${tag}=${value} ${metric}`)}${by} (${pWords(adjusted ?? 1)})`;
  });
  return [["worse in", `${named.join(", ")}${worse.length > mostSlices ? ", ..." : ""}`]];
}

function driftRow({ drift }: CandidateSummary): string[][] {
  if (drift === null) return [];
  const { members, appeared, vanished, types } = drift;
  const parts = [
    ...(members.baseline === members.candidate ? [] : [`${members.baseline} members against ${members.candidate}`]),
    ...(appeared.length === 0 ? [] : [`new: ${appeared.map(visible).join(", ")}`]),
    ...(vanished.length === 0 ? [] : [`gone: ${vanished.map(visible).join(", ")}`]),
    ...types.map(({ path, baseline, candidate }) => `${visible(path)}: ${baseline} -> ${candidate}`),
  ];
  return parts.length === 0 ? [] : [["output built", parts.join("; ")]];
}

function latencyRow({ latency }: CandidateSummary): string[][] {
  if (latency === null || latency.interval === null || (latency.p ?? 1) > 0.05) return [];
  const { ratio, interval, p } = latency;
  const range = `95 % interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}, ${pWords(p ?? 1)}`;
  return [["takes", `${ratio.toFixed(2)} times as long (${range})`]];
}

function unpairedRow({ pairing, baseline, candidate }: CandidateSummary): string[][] {
  const { onlyBaseline, onlyCandidate, inputDiffers } = pairing;
  const parts = [
    [onlyBaseline.cases, `only in ${visible(baseline)}`],
    [onlyCandidate.cases, `only in ${visible(candidate)}`],
    [inputDiffers.cases, "with another input"],
  ].flatMap(([cases, words]) => (typeof cases === "number" && cases > 0 ? `${counted(cases, "case")} ${words}` : []));
  return parts.length === 0 ? [] : [["not compared", parts.join(", ")]];
}
