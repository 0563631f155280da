import type { Home } from "../home.ts";
import type { Io } from "../io.ts";
import { type AttachableAgent, attachableAgents, type Scope, settingsFileOf } from "./agents.ts";
import { hashOfText, type Receipt, readBackup, readReceipts, removeBackup, writeReceipt } from "./receipts.ts";
import { settingsEditor } from "./settings-editor.ts";
import { readOnlyProblem, readSettingsFile, reasonOf, removeSettings, replaceSettings } from "./settings-file.ts";

/** A settings file with Sheepdog in it. */
export interface Attached {
  readonly agent: AttachableAgent;
  readonly scope: Scope;
  readonly file: string;
  readonly target: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly receipt: Receipt | undefined;
}

/** What detaching makes of a file. `text` is undefined if the file goes. */
export interface DetachPlan {
  readonly attached: Attached;
  readonly text: string | undefined;
  /** The file becomes what it was before, byte for byte. */
  readonly isExact: boolean;
}

/** A plan, or a sentence. */
export type DetachPlanResult =
  | { readonly ok: true; readonly plan: DetachPlan }
  | { readonly ok: false; readonly problem: string };

/** All settings files with Sheepdog in them: those of receipts, and those of this user and this folder. */
export async function findAttached(home: Home, io: Pick<Io, "env" | "cwd">): Promise<readonly Attached[]> {
  const receipts = readReceipts(home);
  const places = [
    ...receipts,
    ...attachableAgents.flatMap((agent) =>
      (["user", "project", "local"] as const).flatMap((scope) => {
        const file = settingsFileOf(agent, scope, io);
        return file === undefined ? [] : [{ agent: agent.id, scope, file }];
      }),
    ),
  ];
  const found = new Map<string, Attached>();
  for (const { agent: id, scope, file } of places) {
    const read = await readSettingsFile(file);
    const agent = attachableAgents.find((each) => each.id === id);
    if (agent === undefined || !read.ok || read.text === undefined || found.has(read.target)) continue;
    const { target, text, isReadOnly } = read;
    if (!settingsEditor({ agent: id, scope, statusLine: false }, home).isIn(text)) continue;
    const receipt = receipts.find((each) => each.target === target);
    found.set(target, { agent, scope, file, target, text, isReadOnly, receipt });
  }
  return [...found.values()];
}

/** Says what would be changed. Writes nothing. */
export async function planDetach(attached: Attached, home: Home): Promise<DetachPlanResult> {
  const { agent, scope, file, text, receipt } = attached;
  if (attached.isReadOnly) return { ok: false, problem: `${file} ${readOnlyProblem}` };
  const backup = receipt?.backup == null ? undefined : await readBackup(home, receipt.backup);
  if (receipt !== undefined && hashOfText(text) === receipt.written) {
    if (receipt.backup === null) return { ok: true, plan: { attached, text: undefined, isExact: true } };
    if (backup !== undefined) return { ok: true, plan: { attached, text: backup, isExact: true } };
  }
  const editor = settingsEditor({ agent: agent.id, scope, statusLine: false }, home);
  const removed = editor.remove(text, backup);
  if (!removed.ok) return { ok: false, problem: `${file} ${removed.problem}` };
  const isOurFile = agent.id === "opencode" || receipt?.backup === null;
  const isGone = isOurFile && editor.isBlank(removed.text);
  return { ok: true, plan: { attached, text: isGone ? undefined : removed.text, isExact: false } };
}

/** Writes what was planned. Returns a sentence if it cannot be done. */
export async function applyDetach({ attached, text, isExact }: DetachPlan, home: Home): Promise<string | undefined> {
  const { file, target, receipt } = attached;
  try {
    const current = await readSettingsFile(file);
    if (!current.ok) return `${file} ${current.problem}`;
    if (current.text !== attached.text) return `${file} was changed by another program just now; try again`;
    if (text === undefined) await removeSettings(target, receipt?.folders ?? []);
    else await replaceSettings(target, (now) => (now === attached.text ? text : undefined), 0o600);
    await writeReceipt(home, target, undefined);
    if (isExact && receipt?.backup != null) await removeBackup(home, receipt.backup);
    return undefined;
  } catch (error) {
    return `${file} cannot be changed: ${reasonOf(error)}`;
  }
}
