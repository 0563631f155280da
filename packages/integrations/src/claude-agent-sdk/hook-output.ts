import type { Stop } from "@sheepdog/guardian";
import { missingNotices, type Notice } from "../guard/notice.ts";
import { capped } from "../hooks/contracts/claude-code-words.ts";

/** What a hook returns; a part of the SDK's `HookJSONOutput`. */
export interface HookOutput {
  readonly continue?: false;
  /** For the user: why the run ended. */
  readonly stopReason?: string;
  readonly hookSpecificOutput?:
    | {
        readonly hookEventName: "PreToolUse";
        readonly permissionDecision: "deny";
        readonly permissionDecisionReason: string;
      }
    | { readonly hookEventName: "PostToolBatch"; readonly additionalContext: string };
}

/** Refuses a call; the message goes to the model in place of the result. */
export function denial(message: string): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: capped(message),
    },
  };
}

/** Tells the model the notices, before its next request. */
export function context(notices: readonly Notice[]): HookOutput {
  const text = missingNotices(notices, []);
  if (text === undefined) return {};
  return { hookSpecificOutput: { hookEventName: "PostToolBatch", additionalContext: capped(text) } };
}

/** Ends the run, or in a subagent the subagent. */
export function ending({ message }: Stop): HookOutput {
  return { continue: false, stopReason: capped(message) };
}
