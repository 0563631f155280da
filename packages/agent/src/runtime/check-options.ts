import { isAbsolute } from "node:path";
import { createGuardian } from "@sheepdog/guardian";
import { isRecord } from "../protocol/json.ts";
import { checkLimits, completeSettings } from "../protocol/settings.ts";
import type { Stores } from "../stores/stores.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { defaultRunPolicy } from "./policy-limits.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

/** Throws a sentence for options that cannot work: options also come from JavaScript, without type checks. */
export function checkOptions(options: RuntimeOptions): void {
  if (!isRecord(options)) throw new TypeError(`Expected options with at least one model, got ${shown(options)}.`);
  checkModels(options.models);
  for (const [name, kind] of Object.entries(kinds)) {
    const value: unknown = options[name as keyof RuntimeOptions]; // a key of `kinds`
    if (value !== undefined && !kind.holds(value))
      throw new TypeError(`Expected the option \`${name}\` to be ${kind.words}, got ${shown(value)}.`);
  }
  createToolRegistry(options.tools ?? []);
  for (const guard of options.guards ?? [])
    if (typeof guard?.call !== "function")
      throw new TypeError(`Expected each guard to have a function \`call\`, got ${shown(guard)}.`);
  completeSettings(options.settings);
  createGuardian({ policy: options.policy ?? defaultRunPolicy }); // throws for a policy that cannot work
  checkLimits(options.policy ?? defaultRunPolicy);
}

function checkModels(models: unknown): void {
  if (!Array.isArray(models) || models.length === 0)
    throw new TypeError("Expected options with at least one model in `models`, got none.");
  for (const [index, model] of models.entries())
    if (!isModel(model))
      throw new TypeError(
        `Expected \`models[${index}]\` to be a model of the AI SDK, with \`modelId\` and \`doStream\`, ` +
          `got ${shown(model)}.`,
      );
}

interface Kind {
  readonly words: string;
  holds(value: unknown): boolean;
}

const list: Kind = { words: "a list", holds: Array.isArray };
const truth: Kind = { words: "true or false", holds: (value) => typeof value === "boolean" };
const fn: Kind = { words: "a function", holds: (value) => typeof value === "function" };
const withFunctions = (...names: readonly string[]): Kind => ({
  words: `an object with the ${names.length === 1 ? "function" : "functions"} ${names.join(", ")}`,
  holds: (value) => isRecord(value) && names.every((name) => typeof value[name] === "function"),
});

const storeNames = ["sessions", "costs", "events", "memory", "audit", "lessons"] as const satisfies (keyof Stores)[];

const kinds: Readonly<Partial<Record<keyof RuntimeOptions, Kind>>> = {
  tools: list,
  changingTools: fn,
  guards: list,
  subagents: truth,
  attended: truth,
  workspace: { words: "an absolute path", holds: (value) => typeof value === "string" && isAbsolute(value) },
  system: { words: "text", holds: (value) => typeof value === "string" },
  settings: { words: "an object", holds: isRecord },
  policy: { words: "a policy, with `limits`", holds: (value) => isRecord(value) && isRecord(value["limits"]) },
  secondOpinionModel: { words: "a model of the AI SDK", holds: isModel },
  judgeModel: { words: "a model of the AI SDK", holds: isModel },
  directorModel: { words: "a model of the AI SDK", holds: isModel },
  nodeModels: {
    words: "an object with models of the AI SDK",
    holds: (value) => isRecord(value) && Object.values(value).every(isModel),
  },
  checks: {
    words: "an object with functions",
    holds: (value) => isRecord(value) && Object.values(value).every(fn.holds),
  },
  gate: withFunctions("decide"),
  judge: withFunctions("evaluate"),
  approve: fn,
  askAboutRun: fn,
  answerTimeoutMs: {
    words: "a number above 0",
    holds: (value) => typeof value === "number" && Number.isFinite(value) && value > 0,
  },
  price: fn,
  clock: withFunctions("now", "sleep", "after", "every", "random", "newId"),
  stores: {
    words: `stores with ${storeNames.map((name) => `\`${name}\``).join(", ")}`,
    holds: (value) => isRecord(value) && storeNames.every((name) => isRecord(value[name])),
  },
  log: {
    words: "a folder `dir` and a `level` of 1, 2 or 3",
    holds: (value) =>
      isRecord(value) && typeof value["dir"] === "string" && [1, 2, 3].some((level) => level === value["level"]),
  },
};

/** A model may return whole replies only. */
function isModel(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value["modelId"] === "string" &&
    (typeof value["doStream"] === "function" || typeof value["doGenerate"] === "function")
  );
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (Array.isArray(value)) return "a list";
  return value === null || typeof value !== "object" ? String(value) : "another object";
}
