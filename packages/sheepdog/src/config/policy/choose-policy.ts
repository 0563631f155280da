import { closestName, type Policy } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { readRegularFile } from "@sheepdog/records/files";
import { configSetting, configSettingNames } from "./config-setting.ts";
import { overlayPolicy } from "./overlay-policy.ts";
import { findLimitDisorder, findRungDisorder } from "./policy-order.ts";

/** A policy, or sentences about its problems. */
export type ChosenPolicy =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Takes a preset by name, or overlays a JSON file on the default policy; then overlays each `key=value`. */
export async function choosePolicy(
  nameOrFile: string | undefined,
  settings: readonly string[] = [],
): Promise<ChosenPolicy> {
  const problems: string[] = [];
  let policy = await readPolicy(nameOrFile ?? "default", problems);
  for (const setting of settings) policy = withSetting(policy, setting, problems);
  if (problems.length === 0) problems.push(...findRungDisorder(policy), ...findLimitDisorder(policy));
  return problems.length === 0 ? { ok: true, policy } : { ok: false, problems };
}

async function readPolicy(nameOrFile: string, problems: string[]): Promise<Policy> {
  const presetsByName: Readonly<Record<string, Policy>> = presets;
  const preset = Object.hasOwn(presetsByName, nameOrFile) ? presetsByName[nameOrFile] : undefined;
  if (preset !== undefined) return preset;
  try {
    const partial: unknown = JSON.parse(readRegularFile(nameOrFile));
    return overlay(presets.default, partial, { origin: `--policy ${nameOrFile}`, problems });
  } catch (error) {
    problems.push(`--policy ${nameOrFile}: ${describeError(error, nameOrFile, Object.keys(presets))}`);
    return presets.default;
  }
}

function describeError(error: unknown, nameOrFile: string, presetNames: readonly string[]): string {
  if (error instanceof SyntaxError) return `this file is not JSON (${error.message})`;
  if (!isMissing(error)) return `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
  const near = closestName(nameOrFile, presetNames);
  const hint = near === undefined ? `presets are ${presetNames.join(", ")}` : `did you mean "${near}"?`;
  return `there is no preset and no file with this name; ${hint}`;
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
  const name = setting.slice(0, equals).trim();
  const value = readValue(setting.slice(equals + 1).trim());
  const configured = configSetting(name)?.(policy, value);
  if (typeof configured === "string") problems.push(`--set ${setting}: ${configured}`);
  if (configured !== undefined) return typeof configured === "string" ? policy : configured;
  const near = name.includes(".") ? undefined : closestName(name, [...Object.keys(policy), ...configSettingNames]);
  if (near !== undefined && configSettingNames.includes(near)) {
    problems.push(`--set ${setting}: there is no key "${name}"; did you mean "${near}"?`);
    return policy;
  }
  const partial = name.split(".").reduceRight<unknown>((inner, key) => ({ [key.trim()]: inner }), value);
  return overlay(policy, partial, { origin: `--set ${setting}`, problems });
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a word without quotes
  }
}

/** Overlays a partial policy, and names the origin in front of each problem. */
function overlay(
  policy: Policy,
  partial: unknown,
  { origin, problems }: { readonly origin: string; readonly problems: string[] },
): Policy {
  const overlayProblems: string[] = [];
  const result = overlayPolicy(policy, partial, overlayProblems);
  problems.push(...overlayProblems.map((problem) => `${origin}: ${problem}`));
  return result;
}
