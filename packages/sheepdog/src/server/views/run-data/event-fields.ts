import type { AgentEvent } from "@sheepdog/agent";
import type { Limit, LimitName, Policy, ToolKind } from "@sheepdog/guardian";

/** What a run says about itself when it starts, as far as its version did. */
export interface StartFields {
  readonly limits: Policy["limits"];
  readonly mode: string | undefined;
  readonly preset: string | undefined;
  readonly isAttended: boolean | undefined;
  readonly maxContextTokens: number | undefined;
  readonly model: string | undefined;
}

/** Reads the start of a run; runs of earlier versions have fewer fields. */
export function startFields(event: Extract<AgentEvent, { type: "RunStarted" }>): StartFields {
  const fields = event as Readonly<Record<string, unknown>>; // each field is checked
  const limits = typeof fields["limits"] === "object" && fields["limits"] !== null ? fields["limits"] : {};
  return {
    limits: Object.fromEntries(Object.entries(limits).filter(([, limit]) => isLimitValue(limit))),
    mode: textOf(fields["mode"]),
    preset: textOf(fields["preset"]),
    isAttended: typeof fields["isAttended"] === "boolean" ? fields["isAttended"] : undefined,
    maxContextTokens: numberOf(fields["maxContextTokens"]),
    model: textOf(fields["model"]),
  };
}

/** When the run continues without an answer to an approval or a question. */
export function answerByOf(event: AgentEvent): number | undefined {
  return numberOf((event as Readonly<Record<string, unknown>>)["answerBy"]);
}

/** The text of a reply; runs of earlier versions have it in their messages only. */
export function replyTextOf(event: Extract<AgentEvent, { type: "StreamEnd" }>): string | undefined {
  return textOf((event as Readonly<Record<string, unknown>>)["text"]);
}

/** What kind of tool was called, if the event says so. */
export function kindOf(event: Extract<AgentEvent, { type: "ToolStart" }>): ToolKind | undefined {
  return textOf((event as Readonly<Record<string, unknown>>)["kind"]) as ToolKind | undefined; // only compared
}

/** The value of a limit that stops, in its own unit; undefined if there is none. */
export function stopOf(limits: Policy["limits"], name: LimitName): number | undefined {
  const stop = limits[name]?.stop;
  return stop === undefined || stop <= 0 ? undefined : stop;
}

function isLimitValue(value: unknown): value is Limit {
  return typeof value === "object" && value !== null && numberOf((value as Limit).stop ?? 0) !== undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
