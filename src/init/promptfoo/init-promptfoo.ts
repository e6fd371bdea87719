import { suiteFileName } from "../../suite/file-name.ts";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import {
  configurationsIn,
  embeddedFolder,
  fromFolder,
  type NewFile,
  schemaFile,
  writeFiles,
  type Written,
} from "../init.ts";
import type { OwnBot } from "../suite-text.ts";
import { codeModule } from "./code.ts";
import type { ConfigFolder } from "./folder.ts";
import { targetsOf } from "./providers.ts";
import { usablePrompts } from "./prompts.ts";
import { type AskedBots, promptfooSuiteText } from "./suite.ts";
import { filledText, type LeftOut, type PromptfooTest, writeTests } from "./tests.ts";
import type { JsonValue } from "../../lib/json.ts";

/** The parts of a suite that is made from promptfoo's files. */
export interface PromptfooInit {
  /** The configuration or the sheet. */
  path: string;
  prompts: readonly string[];
  tests: readonly PromptfooTest[];
  providers: readonly JsonValue[];
  left: LeftOut;
  folder: ConfigFolder;
  /** Folder that the suite is written to. */
  to: string;
  name: string;
  /** Makes the deployment and the target of the user's own bot, by a first call with this prompt; undefined, or left out: none is named. */
  botFor?: (ask: string) => Promise<OwnBot | undefined>;
  /** A folder with saved configurations in `bots/` that are asked; left out: none is named. */
  bots?: string | undefined;
}

/** The files that were written, and what could not be in them. */
export interface MadeFromPromptfoo {
  files: Written[];
  tests: number;
  prompts: number;
  left: string[];
}

/** Writes a suite with a dataset, and a module where there is code. Nothing is overwritten, and no code runs. */
export async function initPromptfoo(given: PromptfooInit): Promise<MadeFromPromptfoo> {
  const { path, to, name, left, folder } = given;
  const variables = [...new Set(given.tests.flatMap(({ vars }) => Object.keys(vars)))];
  const [input, ...others] = await usablePrompts(given.prompts, variables, left);
  if (input === undefined) throw withoutPrompt(path, left.lines);
  const tests = writeTests(given.tests, left);
  const asked = await askedBy(given);
  if (others.length > 0) {
    left.note("further prompts", "a suite sends one; they stand in it as comments, to be run one after the other");
  }
  const dataset = `${name.replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, "-")}.tests.jsonl`;
  const suite = { name, from: fromFolder(to, path), dataset, input, others, tests, asked };
  const files: NewFile[] = [
    {
      path: join(to, suiteFileName),
      about: "the suite: what is sent where",
      text: promptfooSuiteText({ ...suite, left: left.lines }),
    },
    schemaFile(to),
    { path: join(to, dataset), about: "a line for each test, with its checks", text: tests.text },
  ];
  if ("targets" in asked)
    files.push({
      path: join(to, "bots", "bots", "assistant.yaml"),
      about: "a bot that stands in for yours",
      text: standIn,
    });
  if (tests.isJudged) {
    files.push({
      path: join(to, "bots", "bots", "judge.yaml"),
      about: "a judge that stands in for yours",
      text: judge,
    });
  }
  if (tests.code.size > 0) {
    const pathOf = (file: string): string | null => {
      const found = folder.pathOf(file);
      return found === null ? null : `./${fromFolder(to, found)}`;
    };
    const text = codeModule(tests.code, suite.from, { pathOf });
    files.push({ path: join(to, "assertions.mjs"), about: "its javascript: read it before you run", text });
  }
  return { files: await writeFiles(files), tests: tests.rows, prompts: others.length + 1, left: left.lines };
}

/** Who is asked: whom a person names, or else the providers that can be. */
async function askedBy({ botFor, bots, to, prompts, tests, providers, left }: PromptfooInit): Promise<AskedBots> {
  const [first] = tests;
  const own = await botFor?.(filledText(prompts[0] ?? "", first?.vars ?? {}));
  const isNamed = (own ?? bots) !== undefined;
  if (isNamed && providers.length > 0) left.note("its providers", "the bot that is named beside it is asked instead");
  if (own !== undefined) return { own };
  if (bots !== undefined) return { folder: embeddedFolder(to, bots), exampleIds: configurationsIn(bots) };
  return { targets: targetsOf(providers, left) };
}

function withoutPrompt(path: string, left: readonly string[]): AppError {
  const reasons = left.map((line) => `\n  ${line}`).join("");
  return new AppError("PROMPT_NEEDED", `${path} has no prompt that can be sent.${reasons}`, {
    hint: "Give what should be sent with --prompt 'Translate {{input}}', or in a file with --prompt-file prompt.txt.",
  });
}

const standIn = `# A bot that stands in for yours, until you write the address of your own into the suite. It knows nothing.
fallback: I do not know.
seed: tandem
`;

const judge = `# A judge that stands in for yours: it counts the words that an answer shares with what it is shown.
judge: {}
`;
