import { createPrices } from "@sheepdog/records";
import { isLoopback } from "../../compose/provider/find-ollama.ts";
import type { Answers } from "./answers.ts";

/** What is known of a model's price; `free`: it runs on this machine. */
export type PriceStatus = "known" | "unknown" | "free";

const onThisMachine: ReadonlySet<string> = new Set(["ollama", "lmstudio", "vllm"]);

/** Whether limits of money can hold for a model. */
export async function findPriceStatus(model: Answers["model"]): Promise<PriceStatus> {
  if (model === undefined) return "known";
  const { provider, modelId, baseUrl } = model;
  if (onThisMachine.has(provider) && (baseUrl === undefined || isLoopback(baseUrl))) return "free";
  const prices = await createPrices();
  const worst = prices.maxPrice({
    provider: provider.replace(/^openai-chat$/, "openai"),
    model: modelId,
    at: Date.now(),
    input: 1_000,
    maxOutput: 1_000,
  });
  return worst === null ? "unknown" : "known";
}
