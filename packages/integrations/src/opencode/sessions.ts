import type { PluginUsage } from "../hooks/plugin-event.ts";
import type { MessageInfo } from "./plugin-input.ts";

/** The sessions that opencode runs at present, with what they have used. */
export interface Sessions {
  /** A subagent works in a session of its own, below that of its parent. */
  created(id: string, parent: string | undefined): void;
  /** The session that the user sees. */
  rootOf(id: string): string;
  isKnown(id: string): boolean;
  /** Takes the figures of a message, which replace earlier ones of the same message. */
  count(message: MessageInfo): void;
  /** The sum of a session with its subagents; undefined if nothing was used. */
  usage(root: string): PluginUsage | undefined;
}

export function createSessions(): Sessions {
  const roots = new Map<string, string>();
  const messages = new Map<string, Map<string, PluginUsage>>();

  const rootOf = (id: string): string => roots.get(id) ?? id;
  return {
    created: (id, parent) => void roots.set(id, parent === undefined ? id : rootOf(parent)),
    rootOf,
    isKnown: (id) => roots.has(id),
    count(message) {
      const usage = usageOf(message);
      if (usage === undefined) return;
      const root = rootOf(message.sessionID);
      const counted = messages.get(root) ?? new Map<string, PluginUsage>();
      messages.set(root, counted.set(message.id, usage));
    },
    usage(root) {
      const all = [...(messages.get(root)?.values() ?? [])];
      return all.length === 0 ? undefined : all.reduce(sum);
    },
  };
}

/** opencode counts cached tokens and thinking apart from the input and the output. */
function usageOf({ role, tokens, cost }: MessageInfo): PluginUsage | undefined {
  if (role !== "assistant" || tokens === undefined) return undefined;
  const { input, output, reasoning, cache } = tokens;
  const inputTokens = input + cache.read + cache.write;
  const outputTokens = output + reasoning;
  if (inputTokens + outputTokens === 0) return undefined;
  return {
    inputTokens,
    cacheReadTokens: cache.read,
    cacheWriteTokens: cache.write,
    outputTokens,
    costUsd: cost ?? 0,
  };
}

function sum(a: PluginUsage, b: PluginUsage): PluginUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}
