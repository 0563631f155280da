import { baselineName, baselineRoot, oursName, ownRoot } from "../../measure/baseline.ts";
import type { Load } from "../contestant.ts";
import { loadAi } from "./ai.ts";
import { loadBareLoop } from "./bare-loop.ts";
import { loadLangchainAgent } from "./langchain.ts";
import { loadOpenaiAgents } from "./openai-agents.ts";
import { loadPi } from "./pi-agent-core.ts";
import { loadRuntime } from "./runtime.ts";

export const bare = "bare loop";
export const ours: string = oursName;
/** undefined unless `BENCH_BASELINE` names another build. */
export const baseline: string | undefined = baselineRoot === undefined ? undefined : baselineName;
export const ai = "ai 6.0.326";
export const pi = "pi-agent-core 0.73.1";

/** The peers that Sheepdog is compared with. */
const peerLoads: Readonly<Record<string, Load>> = {
  [ai]: loadAi,
  "langchain 1.5.14": loadLangchainAgent,
  "@openai/agents 0.20.0": loadOpenaiAgents,
  [pi]: loadPi,
};

/** All contestants. No code of a contestant is imported before it is loaded. */
export const contestants: Readonly<Record<string, Load>> = {
  [bare]: loadBareLoop,
  [ours]: inMemory(ownRoot),
  ...(baselineRoot === undefined ? {} : { [baselineName]: inMemory(baselineRoot) }),
  ...peerLoads,
};

export const peers: readonly string[] = Object.keys(peerLoads);

function inMemory(root: string): Load {
  return async () => (await loadRuntime(root))({ kind: "read" });
}
