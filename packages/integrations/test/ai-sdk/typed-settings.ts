/** Settings as programs write them. They are only type-checked, with the types of each version of the AI SDK. */
import { createAiSdkGuard } from "@sheepdog/integrations/ai-sdk";
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  type PrepareStepFunction,
  stepCountIs,
  streamText,
  ToolLoopAgent,
  tool,
} from "ai";

declare const model: LanguageModel;
const inputSchema = jsonSchema<{ path: string }>({ type: "object" });
const tools = { read: tool({ inputSchema, execute: async ({ path }) => path.length }) };
const [guard, prompt] = [createAiSdkGuard(), "Go."];
const stopWhen = stepCountIs(3);

const choose: PrepareStepFunction<typeof tools> = ({ steps }) => ({ activeTools: steps.length > 2 ? [] : ["read"] });
const answer = await generateText(guard.settings({ model, tools, stopWhen, prompt, prepareStep: choose }));
export const lengths: number[] = answer.toolResults.flatMap((result) => (result.dynamic ? [] : [result.output]));

export const stream = streamText(
  guard.settings({
    model: "provider/model",
    tools,
    stopWhen: [stopWhen],
    prompt,
    prepareStep: ({ stepNumber, messages }) => (stepNumber > 1 ? { messages } : undefined),
    onStepFinish: ({ text }) => void text.trim(),
  }),
);

const agent = new ToolLoopAgent(guard.settings({ model, tools, stopWhen, instructions: "Be quick." }));
export const texts: string[] = (await agent.generate({ prompt })).steps.map(({ text }) => text);

const { prepareStep, onStepFinish } = guard;
const pieces = { tools: guard.tools(tools), stopWhen: [stopWhen, guard.stopWhen], prepareStep, onStepFinish };
export const inPieces = await generateText({ model, prompt, ...pieces });
