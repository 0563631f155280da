import { defaultPolicy } from "./default-policy.ts";
import type { Policy } from "./policy.ts";
import {
  type AarSettings,
  aarPolicy,
  llmRbPolicy,
  type RyvosSettings,
  ryvosPolicy,
  type ToolGuardrailsSettings,
  toolGuardrailsPolicy,
} from "./seed-policies.ts";

/** For unattended work with side effects: every rung comes one step earlier. */
export const strictPolicy: Policy = {
  ...defaultPolicy,
  name: "strict",
  attendedScale: 1,
  detectors: {
    "side-effect-repeat": { hint: 2, block: 3, halt: 4 },
    "failing-call": { hint: 2, warn: 3, block: 4, halt: 6 },
    cycle: { hint: 2, warn: 3, block: 4, halt: 5 },
    "doom-loop": { hint: 2, warn: 3, block: 4, halt: 6 },
    "failing-tool": { hint: 3, warn: 5, halt: 8 },
    "no-progress": { hint: 3, warn: 5, halt: 8 },
    "same-call": { hint: 15, warn: 20, halt: 30 },
    "failing-run": { warn: 6, halt: 10 },
    denial: { halt: 4 },
    chant: { hint: 1, halt: 2 },
    "refused-answers": { warn: 2, halt: 4 },
    monologue: { hint: 2, warn: 3, halt: 4 },
    stall: { hint: 1, halt: 2 },
    spawn: { block: 1, halt: 3 },
    "stuck-child": { hint: 1, warn: 2, halt: 3 },
    compaction: { warn: 2, halt: 3 },
  },
};

/** All detectors are off; limits still apply. */
export const offPolicy: Policy = { ...defaultPolicy, name: "off", detectors: {} };

/** The policies with a name. */
export const presets: Readonly<
  Record<"default" | "strict" | "off" | "ryvos" | "aar" | "llm-rb" | "tool-guardrails", Policy>
> = {
  default: defaultPolicy,
  strict: strictPolicy,
  off: offPolicy,
  ryvos: ryvosPolicy(),
  aar: aarPolicy(),
  "llm-rb": llmRbPolicy(),
  "tool-guardrails": toolGuardrailsPolicy(),
};

export {
  type AarSettings,
  aarPolicy,
  defaultPolicy,
  llmRbPolicy,
  type RyvosSettings,
  ryvosPolicy,
  type ToolGuardrailsSettings,
  toolGuardrailsPolicy,
};
