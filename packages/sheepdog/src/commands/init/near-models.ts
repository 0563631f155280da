import { closestName } from "@sheepdog/guardian";
import { listedModels } from "@sheepdog/records";
import type { Answers } from "./answers.ts";

/**
 * A sentence about a model name that its provider does not list, with the nearest listed names; undefined if the name
 * is listed, or the provider has no list.
 */
export async function unlistedModelNote(model: Answers["model"]): Promise<string | undefined> {
  if (model === undefined) return undefined;
  const { provider, modelId } = model;
  const listed = await listedModels(provider.replace(/^openai-chat$/, "openai"));
  if (listed.length === 0 || listed.some((id) => isVersionOf(modelId, id))) return undefined;
  const near = nearNames(modelId, listed);
  const hint = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
  return `"${modelId}" is not a known model of ${provider}.${hint}`;
}

/** Whether an id is a listed one, perhaps with a date or a suffix. */
function isVersionOf(modelId: string, listedId: string): boolean {
  const [id, listed] = [modelId.toLowerCase(), listedId.toLowerCase()];
  return id === listed || /^[-@:]/.test(id.startsWith(listed) ? id.slice(listed.length) : "");
}

const MAX_NAMES = 3;

function nearNames(modelId: string, listed: readonly string[]): readonly string[] {
  const names: string[] = [];
  while (names.length < MAX_NAMES) {
    const near = closestName(
      modelId,
      listed.filter((id) => !names.includes(id)),
    );
    if (near === undefined) break;
    names.push(near);
  }
  return names;
}
