import { basename } from "node:path";
import type { Io } from "../io.ts";
import { plainText } from "../render/terminal/plain-text.ts";
import { completeConfig } from "./complete-config.ts";
import { dottedKey, readDottedKey } from "./dotted-key.ts";
import { type Edit, editFile } from "./edit-file.ts";
import { editToml } from "./edit-toml.ts";
import { expand } from "./expand.ts";
import { textLayer } from "./file-layer.ts";
import { flagLayer } from "./flag-layer.ts";
import { projectFileName } from "./load-config.ts";
import { parseToml } from "./parse-toml.ts";
import { readConfigFile } from "./read-config-file.ts";
import { contentHash, type FileChange } from "./trust.ts";
import { emptyWhole, laySetting } from "./whole.ts";

/** Whether a file was changed, or why not. */
export type SetResult =
  | { readonly ok: true; readonly change: FileChange }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Something to set, or to take away where the value is undefined. */
interface Change {
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * Sets a key in a configuration file, which is made where there is none; comments stay. A text may stand for a number and the like. Nothing is written that
 * could not be read again, nor into a file that is broken already.
 */
export async function setValue(
  file: string,
  key: string,
  value: unknown,
  env: Io["env"] = process.env,
): Promise<SetResult> {
  const variables = typeof value === "string" && value.includes("${");
  const { settings, problems } = variables ? { settings: [], problems: [] } : flagLayer({ [key]: value });
  if (problems.length > 0) return { ok: false, problems: problems.map(plainText) };
  const changes = variables ? [{ path: readDottedKey(key) ?? [key], value }] : settings;
  return changeFile(file, changes, env);
}

/** Sets several keys at once, or none of them. */
export async function setValues(
  file: string,
  values: Readonly<Record<string, number>>,
  env: Io["env"] = process.env,
): Promise<SetResult> {
  const { settings, problems } = flagLayer(values);
  return problems.length > 0 ? { ok: false, problems: problems.map(plainText) } : changeFile(file, settings, env);
}

/** Takes a key out of a configuration file; then it is as the layers below have it. */
export async function unsetValue(file: string, key: string, env: Io["env"] = process.env): Promise<SetResult> {
  const path = readDottedKey(key);
  if (path === undefined)
    return { ok: false, problems: [`${JSON.stringify(key)} is no key; write one like agent.max_turns`] };
  return changeFile(file, [{ path, value: undefined }], env);
}

async function changeFile(file: string, changes: readonly Change[], env: Io["env"]): Promise<SetResult> {
  const read = await readConfigFile(file);
  if (!read.ok && !read.isMissing) return { ok: false, problems: [`${file}:${read.at}: ${read.why}`] };
  const isProject = basename(file) === projectFileName;
  let problems: readonly string[] = [];
  let change: FileChange = { from: undefined, to: "" };
  const edit: Edit = (before) => {
    const edited = changed(new TextDecoder().decode(before), changes, file);
    problems = edited.ok ? checked(edited.text, { file, isProject, env }) : edited.problems;
    if (!edited.ok || problems.length > 0) return undefined;
    change = { from: before === undefined ? undefined : contentHash(before), to: contentHash(edited.text) };
    return edited.text;
  };
  try {
    await editFile(file, edit, isProject ? 0o644 : 0o600);
  } catch (error) {
    problems = [`${file} cannot be written (${error instanceof Error ? error.message : String(error)})`];
  }
  return problems.length === 0 ? { ok: true, change } : { ok: false, problems: problems.map(plainText) };
}

type Changed =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly string[] };

function changed(toml: string, changes: readonly Change[], file: string): Changed {
  const parsed = parseToml(toml);
  if (!parsed.ok) return { ok: false, problems: [`${file}:${parsed.at}: ${parsed.why}`] };
  let text = toml;
  for (const { path, value } of changes) {
    const edited = editToml(text, path, value);
    if (edited === undefined)
      return {
        ok: false,
        problems: [`${dottedKey(path)} cannot be changed in ${file} as it is written; change it by hand`],
      };
    text = edited;
  }
  return { ok: true, text };
}

/** What would be wrong with a file of this text, by itself. */
function checked(
  text: string,
  { file, isProject, env }: { readonly file: string; readonly isProject: boolean; readonly env: Io["env"] },
): readonly string[] {
  const { settings, problems } = textLayer(text, {
    file,
    name: file,
    isProject,
    variables: (value) => expand(value, env),
  });
  if (problems.length > 0) return problems;
  const whole = emptyWhole();
  for (const setting of settings) laySetting(whole, setting);
  const completed = completeConfig(whole);
  return completed.ok ? [] : completed.problems;
}
