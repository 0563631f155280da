import { type AttachableAgent, agentNamed, agentNames, type Scope } from "../../attach/agents.ts";
import { type Attached, applyDetach, type DetachPlan, findAttached, planDetach } from "../../attach/detach.ts";
import { observeMark } from "../../attach/hook-script.ts";
import { isBelow } from "../../attach/is-below.ts";
import { setMark } from "../../attach/mark.ts";
import { lostReceipts, type Receipt, writeReceipt } from "../../attach/receipts.ts";
import { settingsDiff } from "../../attach/settings-diff.ts";
import { shownPath } from "../../config/shown-path.ts";
import { exitCode } from "../../exit-code.ts";
import { type Home, resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { styleFor } from "../../render/terminal/style.ts";

/** The options of `sheepdog detach`. */
export interface DetachOptions {
  readonly write?: true;
  readonly project?: true;
  readonly local?: true;
}

/** Shows how settings would be without Sheepdog, and with --write restores them. */
export async function detachCommand(names: readonly string[], options: DetachOptions, io: Io): Promise<number> {
  const unknown = names.find((name) => agentNamed(name) === undefined);
  if (unknown !== undefined) {
    await writeMessage(io, plainText(`there is no agent "${unknown}" to detach from; there are ${agentNames}`));
    return exitCode.usage;
  }
  const home = resolveHome(io.env);
  const chosen = (await findAttached(home, io)).filter((attached) => isMeant(attached, names, options, io));
  const lost = lostReceipts(home).filter((receipt) =>
    isMeant({ ...receipt, agent: { id: receipt.agent } }, names, options, io),
  );
  if (options.write) await forget(lost, { home, io });
  if (chosen.length === 0) {
    if (options.write && lost.length > 0) return exitCode.done;
    await writeMessage(io, "nothing is attached there; see: sheepdog attach status");
    return exitCode.done;
  }
  let code: number = exitCode.done;
  for (const attached of chosen) if (!(await detach(attached, options, { home, io }))) code = exitCode.failed;
  if (options.write) await forgetObserving(chosen, { home, io });
  if (!options.write && code === exitCode.done) await writeMessage(io, "nothing is written; to detach, add --write");
  return code;
}

/** Removes the receipts of files that are gone, as with their project. Their copies are kept. */
async function forget(lost: readonly Receipt[], { home, io }: { readonly home: Home; readonly io: Io }): Promise<void> {
  for (const { file, target } of lost) {
    await writeReceipt(home, target, undefined);
    await write(io.stdout, `Forgotten. ${shownPath(file, io.cwd)} is gone.\n`);
  }
}

/** An agent that is attached nowhere any more begins anew when it is attached again. */
async function forgetObserving(
  detached: readonly Attached[],
  { home, io }: { readonly home: Home; readonly io: Io },
): Promise<void> {
  const left = await findAttached(home, io);
  for (const { agent } of detached)
    if (!left.some((each) => each.agent.id === agent.id)) await setMark(observeMark(home, agent.id), false);
}

function isMeant(
  { agent, scope, file }: Pick<Receipt, "scope" | "file"> & { readonly agent: Pick<AttachableAgent, "id"> },
  names: readonly string[],
  { project, local }: DetachOptions,
  { cwd }: Io,
): boolean {
  const isNamed = names.length === 0 || names.some((name) => agentNamed(name)?.id === agent.id);
  const scopes: readonly Scope[] = [...(project ? ["project" as const] : []), ...(local ? ["local" as const] : [])];
  return isNamed && (scopes.length === 0 || (scopes.includes(scope) && isBelow(file, cwd)));
}

/** Returns false if it cannot be detached. */
async function detach(
  attached: Attached,
  { write: isWritten }: DetachOptions,
  { home, io }: { readonly home: Home; readonly io: Io },
): Promise<boolean> {
  const planned = await planDetach(attached, home);
  const problem = planned.ok && isWritten ? await applyDetach(planned.plan, home) : undefined;
  if (!planned.ok || problem !== undefined) {
    await writeMessage(io, plainText(planned.ok ? (problem ?? "") : planned.problem));
    return false;
  }
  if (!isWritten) await show(planned.plan, io);
  else await write(io.stdout, `Detached. ${placeOf(attached, io)}: ${resultOf(planned.plan)}\n`);
  return true;
}

async function show({ attached, text, isExact }: DetachPlan, io: Io): Promise<void> {
  const style = styleFor(io.stdout, io.env);
  const change = await settingsDiff({ before: attached.text, after: text }, style, io);
  await write(
    io.stdout,
    `${style.bold(placeOf(attached, io))}\n${change}It would be: ${resultOf({ text, isExact })}\n`,
  );
}

function placeOf({ agent, file }: Attached, { cwd }: Io): string {
  return `${agent.label}, ${shownPath(file, cwd)}`;
}

function resultOf({ text, isExact }: Pick<DetachPlan, "text" | "isExact">): string {
  if (text === undefined) return "removed, as there was no such file before.";
  return isExact
    ? "byte for byte what it was before."
    : "without Sheepdog's hooks; what was changed since it was attached stays.";
}
