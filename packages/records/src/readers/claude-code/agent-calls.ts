import { objectField, optional, textField, tokensField } from "../fields.ts";
import type { ChildRun } from "../step-list.ts";
import { type Subagent, subagentId } from "./subagents.ts";
import type { Thread } from "./thread.ts";

/** The subagent of a call, as the structured copy of its result names it. */
export function childOfResult(details: unknown, session: string | undefined): ChildRun | undefined {
  const { agentId, totalTokens } = objectField(details);
  const agent = textField(agentId);
  if (agent === undefined) return undefined;
  return { child: subagentId(session, agent), ...optional("childTokens", tokensField(totalTokens)) };
}

/** Connects calls with the subagents of older versions, whose lines name no call, by the prompt. */
export function connectByPrompt(main: Thread, subagents: readonly Subagent[]): void {
  const waiting = new Map<string, Subagent[]>();
  for (const subagent of subagents) {
    const { firstPrompt } = subagent.thread;
    if (firstPrompt === undefined || subagent.call !== undefined) continue;
    const others = waiting.get(firstPrompt);
    if (others === undefined) waiting.set(firstPrompt, [subagent]);
    else others.push(subagent);
  }
  if (waiting.size === 0) return;
  for (const { id, prompt } of main.promptCalls) {
    const subagent = waiting.get(prompt)?.shift();
    if (subagent !== undefined) main.connect(id, { child: subagent.id });
  }
}

/** The end of a subagent in the background. */
export interface TaskNotification {
  readonly call: string;
  readonly child: ChildRun;
}

/** Reads the text of a `<task-notification>` about a subagent; undefined for any other text. */
export function taskNotification(text: unknown, session: string | undefined): TaskNotification | undefined {
  if (typeof text !== "string" || !text.startsWith("<task-notification>")) return undefined;
  const call = /<tool-use-id>([^<]{1,200})<\/tool-use-id>/.exec(text)?.[1];
  const agent = /<task-id>([^<]{1,200})<\/task-id>/.exec(text)?.[1];
  const tokens = /<total_tokens>(\d{1,12})<\/total_tokens>/.exec(text)?.[1];
  if (call === undefined || agent === undefined || tokens === undefined) return undefined; // about a command
  return {
    call: call.trim(),
    child: { child: subagentId(session, agent.trim()), ...optional("childTokens", tokensField(Number(tokens))) },
  };
}
