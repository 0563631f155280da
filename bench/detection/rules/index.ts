import { aar } from "./aar.ts";
import { cline } from "./cline.ts";
import { crush } from "./crush.ts";
import { deerFlow } from "./deer-flow.ts";
import { geminiCli } from "./gemini-cli.ts";
import { hermesAgent } from "./hermes-agent.ts";
import { llmRb } from "./llm-rb.ts";
import { openclaw } from "./openclaw.ts";
import { opencode, opencodeGenerous } from "./opencode.ts";
import { openHands } from "./openhands.ts";
import { qwenCode, qwenCodeAll } from "./qwen-code.ts";
import { rooCode } from "./roo-code.ts";
import type { Rule } from "./rule.ts";
import { ryvos, ryvosReflexion } from "./ryvos.ts";
import { toolGuardrails } from "./tool-guardrails.ts";

/** The rules of other systems. A new rule is one file and one line here. */
export const rules: readonly Rule[] = [
  deerFlow,
  llmRb,
  hermesAgent,
  toolGuardrails,
  qwenCodeAll,
  qwenCode,
  ryvos,
  ryvosReflexion,
  cline,
  opencodeGenerous,
  opencode,
  openHands,
  rooCode,
  aar,
  geminiCli,
  crush,
  openclaw,
];
