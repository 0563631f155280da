import type { Home } from "../home.ts";
import type { Io } from "../io.ts";
import { type AttachableAgent, type Scope, settingsFileOf } from "./agents.ts";
import { observeMark, writeHookScript } from "./hook-script.ts";
import { setMark } from "./mark.ts";
import { hashOfText, type Receipt, readReceipts, removeBackup, saveBackup, writeReceipt } from "./receipts.ts";
import { type SettingsEditor, settingsEditor } from "./settings-editor.ts";
import { readOnlyProblem, readSettingsFile, reasonOf, replaceSettings } from "./settings-file.ts";
import { statusLineOwner } from "./status-line-setting.ts";

/** What shall be attached. */
export interface AttachRequest {
  readonly agent: AttachableAgent;
  readonly scope: Scope;
  readonly observe: boolean;
  /** Claude Code only: also our status line. */
  readonly statusLine: boolean;
}

/** The change of one settings file. */
export interface AttachPlan {
  readonly request: AttachRequest;
  readonly file: string;
  readonly target: string;
  readonly before: string | undefined;
  readonly after: string;
  /** The user's own status line is left alone. */
  readonly isStatusLineKept: boolean;
}

/** A plan, or a sentence. */
export type AttachPlanResult =
  | { readonly ok: true; readonly plan: AttachPlan }
  | { readonly ok: false; readonly problem: string };

/** Says what would be changed. Writes nothing. */
export async function planAttach(request: AttachRequest, home: Home, io: Io): Promise<AttachPlanResult> {
  const { agent, scope } = request;
  const file = settingsFileOf(agent, scope, io);
  if (file === undefined) return { ok: false, problem: `${agent.label} has no settings of your own in a project` };
  if (scope !== "user" && file === settingsFileOf(agent, "user", io))
    return { ok: false, problem: `${file} has your settings for all projects; leave out --${scope}` };
  const read = await readSettingsFile(file);
  if (!read.ok) return { ok: false, problem: `${file} ${read.problem}` };
  const edited = editorOf(request, home).add(read.text);
  if (!edited.ok) return { ok: false, problem: `${file} ${edited.problem}` };
  if (read.isReadOnly && edited.text !== read.text) return { ok: false, problem: `${file} ${readOnlyProblem}` };
  const isStatusLineKept = request.statusLine && statusLineOwner(edited.text) === "user";
  const { target, text: before } = read;
  return { ok: true, plan: { request, file, target, before, after: edited.text, isStatusLineKept } };
}

/** Writes what was planned, from the text that the file has by then. Returns a sentence if it cannot be done. */
export async function applyAttach(
  { request, file, target }: AttachPlan,
  home: Home,
  io: Io,
): Promise<string | undefined> {
  const { agent, scope, observe } = request;
  const editor = editorOf(request, home);
  try {
    await writeHookScript(home, io.env);
    await setMark(observeMark(home, agent.id), observe);
    const earlier = readReceipts(home).find((receipt) => receipt.target === target);
    let problem: string | undefined;
    let written: string | undefined;
    const change = (text: string | undefined): string | undefined => {
      const edited = editor.add(text);
      problem = edited.ok ? undefined : `${file} ${edited.problem}`;
      written = edited.ok && edited.text !== text ? edited.text : undefined;
      return written;
    };
    const { before, folders } = await replaceSettings(target, change, scope === "project" ? 0o644 : 0o600);
    if (problem !== undefined || written === undefined) return problem;
    const receipt = { agent: agent.id, scope, file, target, written: hashOfText(written), folders, at: Date.now() };
    await writeReceipt(home, target, await withBackup(receipt, { before, earlier, editor }, home));
    return undefined;
  } catch (error) {
    return `${file} cannot be changed: ${reasonOf(error)}`;
  }
}

function editorOf({ agent, scope, statusLine }: AttachRequest, home: Home): SettingsEditor {
  return settingsEditor({ agent: agent.id, scope, statusLine }, home);
}

/**
 * Adds a copy of the text from before, which never has anything of Sheepdog in it. Where an attached file is attached
 * anew, the copy from the first time is the one to restore; if somebody else has changed the file since, the receipt
 * stays as it is, so that `detach` takes our hooks out and keeps the change.
 */
async function withBackup(
  receipt: Omit<Receipt, "backup">,
  { before, earlier, editor }: AttachedText,
  home: Home,
): Promise<Receipt> {
  const isAttached = before !== undefined && editor.isIn(before);
  if (isAttached && earlier !== undefined) {
    if (hashOfText(before) !== earlier.written) return earlier;
    return { ...receipt, backup: earlier.backup, folders: earlier.folders };
  }
  if (earlier?.backup != null) await removeBackup(home, earlier.backup);
  const text = isAttached ? withoutOurs(before, editor) : before;
  const backup = text === undefined ? null : await saveBackup(home, receipt.agent, text, receipt.at);
  return { ...receipt, backup };
}

interface AttachedText {
  readonly before: string | undefined;
  readonly earlier: Receipt | undefined;
  readonly editor: SettingsEditor;
}

/** The text without Sheepdog, as of settings that were copied from elsewhere; undefined if nothing is left. */
function withoutOurs(text: string, editor: SettingsEditor): string | undefined {
  const removed = editor.remove(text, undefined);
  return removed.ok && removed.text !== "" ? removed.text : undefined;
}
