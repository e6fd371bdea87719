import { expect, test } from "vitest";
import { checkedJudges, promptVersion } from "../../src/app/plan/checked-judges.ts";
import { hashText } from "../../src/lib/hash.ts";
import { scorerSpecs } from "../../src/score/contract/spec.ts";
import { makeScorers } from "../../src/score/make.ts";
import { rubricLanguages } from "../../src/score/rubrics/rubric.ts";
import { readyRubrics, rubricNames } from "../../src/score/rubrics/rubrics.ts";
import type { Target } from "../../src/suite/suite.ts";
import { answered } from "../score/answered.ts";

/** Judges that together are sent every text that is built in. */
const judges = [
  { type: "judge" },
  { type: "judge", rubric: "Is it polite?", verdicts: ["good", "fair", "bad"] },
  {
    type: "judge",
    scale: { min: 1, max: 5 },
    sources: "sources",
    template: "{{ question }} {{ sources }} {{ answer }}",
  },
  { type: "pairwise" },
  { type: "function-judge" },
  ...rubricNames.flatMap((rubric) =>
    rubricLanguages.map((language) => ({ type: readyRubrics[rubric].judgedBy, rubric, language })),
  ),
].map((entry, place) => ({ ...entry, name: `judge ${place}`, target: "grader" }));

test("a change of the built-in prompts makes every judge another one: raise promptVersion with it", async () => {
  const about = { columns: { question: "When?", sources: "From nine." }, expected: "At nine." };
  const answers = [answered("At nine.", about), answered("At ten.", about)] as const;
  const made = await makeScorers(scorerSpecs(judges), { trust: null, timeoutMs: 1_000 });
  const asked = made.map(({ scorer, spec }) => {
    if (scorer.kind !== "judge") throw new Error(`${spec.type} is no judge`);
    const bodies = scorer.ask(...answers);
    const reply = {
      endpoint: "video-bots" as const,
      id: null,
      url: null,
      createdAt: null,
      output: { output_text: ["?"] },
    };
    const again = Array.isArray(bodies)
      ? scorer.read(
          bodies.map(() => reply),
          false,
          () => bodies,
        )
      : null;
    return [bodies, again];
  });
  // Another hash alone would leave checks of before standing for a judge that nobody checked.
  expect({ promptVersion, texts: hashText(JSON.stringify(asked), 16) }).toEqual({
    promptVersion: 1,
    texts: "3c5cc53a8d69d758",
  });
});

test("a measure by embeddings has no opinion, so that nobody is told to try it for biases", () => {
  const [judge, near] = scorerSpecs([
    { name: "helpful", type: "judge", target: "grader" },
    { name: "near", type: "embedding-similarity", target: "vectors" },
  ]);
  const asked = (name: string): Target => ({
    name,
    deployment: "here",
    endpoint: "video-bots",
    exampleId: "x",
    body: {},
  });
  const suite = {
    judges: [asked("grader"), asked("vectors")],
    deployments: [],
    scorers: [judge, near].filter((each) => each !== undefined),
  };
  expect(checkedJudges(null, suite).map(({ scorer }) => scorer)).toEqual(["helpful"]);
});
