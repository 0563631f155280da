import { createPrices } from "@sheepdog/records";
import { isLoopback } from "../../compose/provider/find-ollama.ts";
import type { Answers } from "./answers.ts";

/** Whether the price of a model is known. `free`: it runs on this machine. */
export type PriceStatus = "known" | "unknown" | "free";

const localProviders: ReadonlySet<string> = new Set(["ollama", "lmstudio", "vllm"]);

/** Finds out whether a budget can be enforced for a model. */
export async function findPriceStatus(model: Answers["model"]): Promise<PriceStatus> {
  if (model === undefined) return "known";
  const { provider, modelId, baseUrl } = model;
  if (localProviders.has(provider) && (baseUrl === undefined || isLoopback(baseUrl))) return "free";
  const prices = await createPrices();
  const maxPrice = prices.maxPrice({
    provider: provider.replace(/^openai-chat$/, "openai"),
    model: modelId,
    at: Date.now(),
    input: 1_000,
    maxOutput: 1_000,
  });
  return maxPrice === null ? "unknown" : "known";
}
