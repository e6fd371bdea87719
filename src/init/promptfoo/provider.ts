import type { JsonObject } from "../../lib/json.ts";
import type { ConfigFolder } from "./folder.ts";
import type { LeftOut } from "./left-out.ts";
import type { Placed } from "./place.ts";

/** A provider as a deployment and a target of a suite. */
export interface AskedProvider {
  name: string;
  /** A name for its deployment, such as that of the service. */
  service: string;
  deployment: JsonObject;
  target: JsonObject;
  /** It speaks chat completions, so that it can judge too. */
  isChat: boolean;
  /** The prompts that it is asked with, by their names; null: all. */
  prompts: string[] | null;
  /** Variables of the tests that its request has beside the prompt. */
  variables: string[];
}

/** The provider that gives its prompt back: its answers are known without asking. */
export interface EchoProvider {
  name: string;
  echo: true;
  prompts: string[] | null;
}

/** A provider as promptfoo takes it: a text, `{id, config}`, or a name with its settings. */
export interface NamedProvider {
  id: string;
  label: string | null;
  config: Placed;
  prompts: string[] | null;
  place: string;
}

/** Everything that providers are read with. */
export interface ProviderReading {
  folder: ConfigFolder;
  left: LeftOut;
  /** `env` of the configuration. */
  env: JsonObject;
}

/** `{{ env.NAME }}` as a variable of the environment. */
export const withVariables = (text: string): string => text.replaceAll(/\{\{\s*env\.(\w+)\s*\}\}/g, "${$1}");

/** Names of headers that hold a secret. */
export const secretHeader = /^(?:authorization|cookie)$|api[-_]?key|token|secret|password|session/i;
