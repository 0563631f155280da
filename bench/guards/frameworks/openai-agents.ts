import {
  createOpenAIAgentsGuard,
  guardModelInput,
  guardTools,
} from "../../../packages/integrations/dist/openai-agents/index.js";
import { loadSdk, scriptedModel } from "../../../packages/integrations/test/openai-agents/sdk.ts";
import { toolDescription, toolName } from "../../loop/conversation.ts";
import { expectTurns, type Framework, talkOf } from "../framework.ts";

/** `run`, not streamed, without tracing. */
export const openaiAgents: Framework = {
  name: "@openai/agents 0.20.0",
  async load() {
    const sdk = await loadSdk();
    return {
      async run(turnCount, isGuarded) {
        const { turns, prompt } = talkOf(turnCount);
        let calls = 0;
        const read = sdk.tool({
          name: toolName,
          description: toolDescription,
          parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
          strict: false,
          execute: async () => turns[calls++]?.result ?? "",
        });
        const model = scriptedModel(sdk, [...turns.map(({ path }) => [{ tool: toolName, args: { path } }]), "Done."]);
        const agent = new sdk.Agent({ name: "bench", model, tools: isGuarded ? guardTools([read]) : [read] });
        const options = { maxTurns: turnCount + 2 };
        if (isGuarded)
          await createOpenAIAgentsGuard().run(() =>
            sdk.run(agent, prompt, { ...options, callModelInputFilter: guardModelInput }),
          );
        else await sdk.run(agent, prompt, options);
        expectTurns(calls, turnCount);
      },
    };
  },
};
