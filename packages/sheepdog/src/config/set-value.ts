import { basename } from "node:path";
import type { Io } from "../io.ts";
import { plainText } from "../render/terminal/plain-text.ts";
import { appendTable } from "./append-table.ts";
import { completeConfig } from "./complete-config.ts";
import { dottedKey, readDottedKey } from "./dotted-key.ts";
import { type Edit, editFile } from "./edit-file.ts";
import { editToml } from "./edit-toml.ts";
import { textLayer } from "./file-layer.ts";
import { flagLayer } from "./flag-layer.ts";
import { projectFileName } from "./load-config.ts";
import { createMergedSettings, mergeSetting } from "./merged-settings.ts";
import { parseToml, tomlHas } from "./parse-toml.ts";
import { readConfigFile } from "./read-config-file.ts";
import { contentHash, type FileChange } from "./trust.ts";
import { expandVariables, hasVariables } from "./variables.ts";

/** The change of a file, or why it was not changed. */
export type SetResult =
  | { readonly ok: true; readonly change: FileChange }
  | { readonly ok: false; readonly problems: readonly string[] };

/** A value to set; undefined removes the key. */
interface Change {
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * Sets a key in a configuration file, which is created if it is missing; comments stay. A text may stand for a number
 * or another type. Writes nothing that cannot be read again, and nothing into a file that is already invalid.
 */
export async function setValue(
  file: string,
  key: string,
  value: unknown,
  env: Io["env"] = process.env,
): Promise<SetResult> {
  if (typeof value === "string" && hasVariables(value))
    return changeFile(file, [{ path: readDottedKey(key) ?? [key], value }], env);
  return setFlagValues(file, { [key]: value }, env);
}

/** Sets several keys, or none of them. */
export async function setValues(
  file: string,
  values: Readonly<Record<string, number>>,
  env: Io["env"] = process.env,
): Promise<SetResult> {
  return setFlagValues(file, values, env);
}

/** Sets the keys of a table, such as that of an MCP server, or none of them. Earlier keys of the table are removed. */
export async function setTable(
  file: string,
  path: readonly string[],
  table: Readonly<Record<string, unknown>>,
  env: Io["env"] = process.env,
): Promise<SetResult> {
  const settings = flattened(path, table).map(
    ({ path: key, value }): PathEdit => [key, (text) => editToml(text, key, value)],
  );
  const clear: PathEdit = [path, (text) => (tomlHas(text, path) ? editToml(text, path, undefined) : text)];
  return editConfigFile(file, (toml) => changedText(toml, file, clear, ...settings), env);
}

/** Single values and lists, with their paths. */
function flattened(path: readonly string[], table: Readonly<Record<string, unknown>>): readonly Change[] {
  return Object.entries(table).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? flattened([...path, name], { ...value })
      : [{ path: [...path, name], value }],
  );
}

/** Removes a key from a configuration file. The value of a lower layer then applies. */
export async function unsetValue(file: string, key: string, env: Io["env"] = process.env): Promise<SetResult> {
  const path = readDottedKey(key);
  if (path === undefined)
    return { ok: false, problems: [`${JSON.stringify(key)} is not a key; write one such as agent.max_turns`] };
  return changeFile(file, [{ path, value: undefined }], env);
}

async function setFlagValues(
  file: string,
  values: Readonly<Record<string, unknown>>,
  env: Io["env"],
): Promise<SetResult> {
  const { settings, problems } = flagLayer(values);
  return problems.length > 0 ? { ok: false, problems: problems.map(plainText) } : changeFile(file, settings, env);
}

/** Adds a table to a list of tables, such as `security.rules`. */
export async function addTable(
  file: string,
  path: readonly string[],
  table: Readonly<Record<string, unknown>>,
  env: Io["env"] = process.env,
): Promise<SetResult> {
  return editConfigFile(file, (toml) => changedText(toml, file, [path, (text) => appendTable(text, path, table)]), env);
}

async function changeFile(file: string, changes: readonly Change[], env: Io["env"]): Promise<SetResult> {
  const edits = changes.map(({ path, value }): PathEdit => [path, (text) => editToml(text, path, value)]);
  return editConfigFile(file, (toml) => changedText(toml, file, ...edits), env);
}

async function editConfigFile(file: string, change: (toml: string) => ChangedText, env: Io["env"]): Promise<SetResult> {
  const current = await readConfigFile(file);
  if (!current.ok && !current.isMissing) return { ok: false, problems: [`${file}:${current.at}: ${current.why}`] };
  const isProject = basename(file) === projectFileName;
  let problems: readonly string[] = [];
  let hashes: FileChange = { from: undefined, to: "" };
  const edit: Edit = (content) => {
    const changed = change(new TextDecoder().decode(content));
    problems = changed.ok ? findProblems(changed.text, { file, isProject, env }) : changed.problems;
    if (!changed.ok || problems.length > 0) return undefined;
    hashes = { from: content === undefined ? undefined : contentHash(content), to: contentHash(changed.text) };
    return changed.text;
  };
  try {
    await editFile(file, edit, isProject ? 0o644 : 0o600);
  } catch (error) {
    problems = [`${file} cannot be written (${error instanceof Error ? error.message : String(error)})`];
  }
  return problems.length === 0 ? { ok: true, change: hashes } : { ok: false, problems: problems.map(plainText) };
}

type ChangedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly string[] };

/** A key, and the edit that changes its value. */
type PathEdit = readonly [path: readonly string[], edit: (toml: string) => string | undefined];

function changedText(toml: string, file: string, ...edits: readonly PathEdit[]): ChangedText {
  const parsed = parseToml(toml);
  if (!parsed.ok) return { ok: false, problems: [`${file}:${parsed.at}: ${parsed.why}`] };
  let text = toml;
  for (const [path, edit] of edits) {
    const edited = edit(text);
    if (edited === undefined)
      return { ok: false, problems: [`${dottedKey(path)} cannot be changed in ${file} automatically; edit the file`] };
    text = edited;
  }
  return { ok: true, text };
}

/** The problems of a file with this text, taken by itself. */
function findProblems(
  text: string,
  { file, isProject, env }: { readonly file: string; readonly isProject: boolean; readonly env: Io["env"] },
): readonly string[] {
  const variables = (value: string) => expandVariables(value, env);
  const { settings, problems } = textLayer(text, { file, name: file, isProject, variables });
  if (problems.length > 0) return problems;
  const merged = createMergedSettings();
  for (const setting of settings) mergeSetting(merged, setting);
  const completed = completeConfig(merged);
  return completed.ok ? [] : completed.problems;
}
