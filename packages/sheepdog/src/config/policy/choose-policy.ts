import { readFile } from "node:fs/promises";
import type { Policy } from "@sheepdog/guardian";
import { closestName } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { fallingLimits } from "./check-limit-order.ts";
import { fallingRungs } from "./check-rung-order.ts";
import { overlayPolicy } from "./overlay-policy.ts";

/** The policy that was asked for, or sentences about why it cannot be had. */
export type ChosenPolicy =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly string[] };

/** A preset by its name, or a JSON file laid over the default; then each `key=value` laid over that. */
export async function choosePolicy(asked: string | undefined, settings: readonly string[] = []): Promise<ChosenPolicy> {
  const problems: string[] = [];
  let policy = await named(asked ?? "default", problems);
  for (const setting of settings) policy = withSetting(policy, setting, problems);
  if (problems.length === 0) problems.push(...fallingRungs(policy), ...fallingLimits(policy));
  return problems.length === 0 ? { ok: true, policy } : { ok: false, problems };
}

async function named(asked: string, problems: string[]): Promise<Policy> {
  const all: Readonly<Record<string, Policy>> = presets;
  const preset = Object.hasOwn(all, asked) ? all[asked] : undefined;
  if (preset !== undefined) return preset;
  try {
    const partial: unknown = JSON.parse(await readFile(asked, "utf8"));
    return within(`--policy ${asked}`, problems, (found) => overlayPolicy(presets.default, partial, found));
  } catch (error) {
    problems.push(`--policy ${asked}: ${whyNot(error, asked, Object.keys(presets))}`);
    return presets.default;
  }
}

function whyNot(error: unknown, asked: string, names: readonly string[]): string {
  if (error instanceof SyntaxError) return `this file is not JSON (${error.message})`;
  if (!isMissing(error)) return `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
  const near = closestName(asked, names);
  return `there is no preset and no file of this name; ${near === undefined ? `presets are ${names.join(", ")}` : `did you mean "${near}"?`}`;
}

function isMissing(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT";
}

/** `detectors.doom-loop.hint=4` is the partial policy `{ detectors: { "doom-loop": { hint: 4 } } }`. */
function withSetting(policy: Policy, setting: string, problems: string[]): Policy {
  const equals = setting.indexOf("=");
  if (equals < 1) {
    problems.push(`--set ${setting}: it must be key=value, e.g. detectors.doom-loop.hint=4`);
    return policy;
  }
  const partial = setting
    .slice(0, equals)
    .split(".")
    .reduceRight<unknown>((inner, key) => ({ [key.trim()]: inner }), settingValue(setting.slice(equals + 1).trim()));
  return within(`--set ${setting}`, problems, (found) => overlayPolicy(policy, partial, found));
}

function settingValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a bare word
  }
}

/** Puts the name of where a problem lies in front of it. */
function within(origin: string, problems: string[], act: (found: string[]) => Policy): Policy {
  const found: string[] = [];
  const policy = act(found);
  problems.push(...found.map((problem) => `${origin}: ${problem}`));
  return policy;
}
