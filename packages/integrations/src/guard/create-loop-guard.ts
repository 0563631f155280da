import { createGuardian, type Guardian } from "@sheepdog/guardian";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import type { GuardOptions, RequestUsage } from "./guard-options.ts";
import type { GuardState, LoopGuard } from "./loop-guard.ts";
import { type Notice, noticeOf } from "./notice.ts";

/** Creates the guard of one run. Wrong options throw; nothing that a model or a tool returns does. */
export function createLoopGuard(options: GuardOptions = {}): LoopGuard {
  const saved = readState(options.state);
  const guardian = guardianFor(options, saved);
  const spent = saved !== undefined && isSameRun(saved, options.run) ? saved : undefined;
  const totals = {
    tokens: spent?.tokens ?? 0,
    costNanoUsd: spent?.costNanoUsd ?? 0,
    isPriced: spent?.isPriced ?? true,
  };
  let notices: readonly Notice[] = saved?.notices ?? [];
  let isTurnOpen = saved?.isTurnOpen ?? false;

  return {
    guardian,
    get stop() {
      return guardian.stop;
    },
    beforeCall(call) {
      isTurnOpen = true;
      return guardian.beforeCall(call);
    },
    afterCall: (id, result) => guardian.afterCall(id, result),
    beforeRequest() {
      if (isTurnOpen) notices = [...notices, ...guardian.endTurn().map(noticeOf)];
      isTurnOpen = false;
      return notices;
    },
    confirm(confirmed) {
      const ids = new Set(confirmed.map(({ id }) => id));
      notices = notices.filter(({ id }) => !ids.has(id));
    },
    usage(usage) {
      isTurnOpen = true;
      totals.tokens += wholeNumber(usage.inputTokens) + wholeNumber(usage.outputTokens);
      const costNanoUsd = priceOf(usage, options);
      if (costNanoUsd === null) totals.isPriced = false;
      else totals.costNanoUsd += costNanoUsd;
      const { tokens, isPriced } = totals;
      guardian.observe({ type: "usage", used: { "run-tokens": tokens, "run-cost": totals.costNanoUsd }, isPriced });
    },
    reply(text) {
      isTurnOpen = true;
      guardian.message(text);
    },
    userMessage: () => guardian.userMessage("person"),
    snapshot: () => ({ version: 1, guardian: guardian.snapshot(), notices, isTurnOpen, ...totals }),
  };
}

function guardianFor(options: GuardOptions, saved: GuardState | undefined): Guardian {
  const { policy = {}, mode, attended, run, tools, redact = redactSecrets, words, onEvent, now } = options;
  return createGuardian({
    // The loop of a framework asks no second model, and would only refuse later.
    policy: { ...policy, secondOpinion: "off", ...(mode === undefined ? {} : { mode }) },
    redact,
    ...(saved === undefined ? {} : { state: saved.guardian }),
    ...(attended === undefined ? {} : { attended }),
    ...(run === undefined ? {} : { run }),
    ...(tools === undefined ? {} : { tools }),
    ...(words === undefined ? {} : { words }),
    ...(onEvent === undefined ? {} : { emit: onEvent }),
    ...(now === undefined ? {} : { now }),
  });
}

/** A saved state; undefined if it is none of this version. The guardian checks its own part. */
function readState(state: unknown): GuardState | undefined {
  if (typeof state !== "object" || state === null) return undefined;
  const { version, notices } = state as Partial<GuardState>; // checked here
  if (version !== 1 || !Array.isArray(notices)) return undefined;
  return state as GuardState; // written by `snapshot`
}

/** Whether the state is of this run; without a name the run of the state continues. */
function isSameRun({ guardian }: GuardState, run: string | undefined): boolean {
  if (run === undefined || typeof guardian !== "object" || guardian === null) return true;
  return "run" in guardian && guardian.run === run;
}

/** The price of a request; null if it is unknown, also where the program's function fails. */
function priceOf(usage: RequestUsage, { price }: GuardOptions): number | null {
  try {
    const nanoUsd = price?.(usage) ?? null;
    return Number.isFinite(nanoUsd) ? nanoUsd : null;
  } catch {
    return null; // must not end the run
  }
}

/** Frameworks state unknown numbers as NaN or leave them out. */
function wholeNumber(value: RequestUsage["inputTokens"] | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
