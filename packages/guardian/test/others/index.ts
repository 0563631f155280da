import { aar } from "./aar.ts";
import { deerFlow } from "./deer-flow.ts";
import { geminiCli } from "./gemini-cli.ts";
import { hermesAgent } from "./hermes-agent.ts";
import { llmRb } from "./llm-rb.ts";
import { openHands } from "./open-hands.ts";
import { openclaw } from "./openclaw.ts";
import type { OtherProject } from "./other-project.ts";
import { qwenCode } from "./qwen-code.ts";
import { ryvos } from "./ryvos.ts";

/** The projects whose tests were translated, in the order of the document. */
export const otherProjects: readonly OtherProject[] = [
  llmRb,
  aar,
  ryvos,
  geminiCli,
  qwenCode,
  openHands,
  deerFlow,
  hermesAgent,
  openclaw,
];
