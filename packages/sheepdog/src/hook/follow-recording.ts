import type { HookAgent, HookEvent } from "@sheepdog/integrations/hooks";
import {
  type FollowedFormat,
  type FollowedUsage,
  followClaudeCode,
  followCodex,
  followGeminiCli,
  followUsage,
  noUsage,
  readRates,
  type StoredRates,
} from "@sheepdog/records/follow";
import { appendedLines, type ReadBytes } from "./recording-lines.ts";

/** How far a recording was followed: plain JSON, a part of the state of its session. */
interface FollowedRecording {
  readonly bytes: ReadBytes;
  readonly usage: FollowedUsage;
  /** When the first hook of the session came. What was used before is not spent under its eyes. */
  readonly since: number;
}

const formats: Readonly<Partial<Record<HookAgent, FollowedFormat>>> = {
  "claude-code": followClaudeCode,
  codex: followCodex,
  "gemini-cli": followGeminiCli,
};

export interface Followed {
  readonly recording: FollowedRecording;
  readonly newNanoUsd: number;
  /** Models whose prices the settings do not have. */
  readonly unknownModels: readonly string[];
}

/** Agents whose events say what the session has used. */
const reporting: ReadonlySet<HookAgent> = new Set(["opencode"]);

/** Reads what the agent has recorded since the last hook; undefined where no recording is understood. */
export function followRecording(
  saved: unknown,
  event: HookEvent,
  {
    agent,
    at,
    rates,
  }: { readonly agent: HookAgent; readonly at: number; readonly rates: Readonly<Record<string, StoredRates>> },
): Followed | undefined {
  if (reporting.has(agent)) return followReports(readFollowed(saved), event, at);
  const format = formats[agent];
  const previous = readFollowed(saved) ?? { bytes: {}, usage: noUsage, since: at };
  // Other agents tell subagents apart by files that repeat their parent's usage.
  const isFollowed = event.subagent === undefined || agent === "claude-code";
  if (format === undefined || event.recording === undefined || !isFollowed) return undefined;
  const { lines, bytes } = appendedLines(event.recording, previous.bytes);
  const { usage, newNanoUsd, unknownModels } = followUsage(previous.usage, lines, {
    format,
    since: previous.since,
    ratesOf: (model) => (Object.hasOwn(rates, model) ? readRates(rates[model] ?? {}) : undefined),
  });
  return { recording: { bytes, usage, since: previous.since }, newNanoUsd, unknownModels };
}

/** Takes the totals that the agent reports. What a session had used before its first hook is not spent here. */
function followReports(previous: FollowedRecording | undefined, event: HookEvent, at: number): Followed {
  const { usage = noUsage, since } = previous ?? { since: at };
  const { model, usage: reported } = event;
  if (reported === undefined) return { recording: { bytes: {}, usage, since }, newNanoUsd: 0, unknownModels: [] };
  const costNanoUsd = reported.costNanoUsd ?? 0;
  const totals: FollowedUsage = {
    ...usage,
    ...reported,
    costNanoUsd,
    isPriced: reported.costNanoUsd !== null,
    ...(model === undefined ? {} : { model }),
  };
  const newNanoUsd = previous === undefined ? 0 : Math.max(0, costNanoUsd - usage.costNanoUsd);
  return { recording: { bytes: {}, usage: totals, since }, newNanoUsd, unknownModels: [] };
}

function readFollowed(saved: unknown): FollowedRecording | undefined {
  const { bytes, usage, since } = (saved ?? {}) as Partial<FollowedRecording>; // checked here
  const isWhole = typeof bytes === "object" && typeof usage === "object" && typeof since === "number";
  return isWhole ? (saved as FollowedRecording) : undefined; // written by `followRecording`
}
