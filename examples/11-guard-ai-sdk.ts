/** The guardian in an agent of the AI SDK: one call around the settings. The model is the SDK's own mock. */
import { createAiSdkGuard } from "@sheepdog/integrations/ai-sdk";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";

// A model that runs the same failing test again and again, whatever it reads.
let requests = 0;
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const said = JSON.stringify(prompt.at(-1)?.content).match(/id=.{2}(e\d+\/\w+)/);
    console.log(`request ${++requests}${said === null ? "" : `, after the notice ${said[1]}`}`);
    return {
      content: [
        { type: "tool-call", toolCallId: `call_${requests}`, toolName: "bash", input: '{"command":"npm test"}' },
      ],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage: {
        inputTokens: { total: 900, noCache: 900, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 30, text: 30, reasoning: 0 },
      },
      warnings: [],
    };
  },
});
const bash = tool({
  description: "Runs a command",
  inputSchema: jsonSchema<{ command: string }>({ type: "object", properties: { command: { type: "string" } } }),
  execute: async ({ command }): Promise<string> => {
    throw new Error(`${command}: Cannot find module './sum.js'`);
  },
});

const guard = createAiSdkGuard();
const { steps } = await generateText(
  guard.settings({ model, tools: { bash }, stopWhen: stepCountIs(50), prompt: "Make the tests pass." }),
);

const refused = steps.flatMap(({ content }) => content.filter((part) => part.type === "tool-error"));
console.log(String(refused.at(-1)?.error));
console.log(`${steps.length} steps of 50, ${guard.snapshot().tokens} tokens: ${guard.stop?.reason}`);
console.log(guard.stop?.message);
