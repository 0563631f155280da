import type { Load } from "../contestant.ts";
import { system, toolName } from "../conversation.ts";
import { scriptedModel } from "../scripted-model.ts";
import { createReadTool } from "./read-tool.ts";

/** The floor: a list of messages, a stream read to its end, a call executed, its result added. Nothing is saved. */
export const loadBareLoop: Load = async () => async (conversation, meter) => {
  const model = scriptedModel(conversation, meter);
  const { execute, calls } = createReadTool(conversation);
  const messages: unknown[] = [
    { role: "system", content: system },
    { role: "user", content: [{ type: "text", text: conversation.prompt }] },
  ];
  let characters = 0;
  for (;;) {
    const { stream } = await model.doStream({ prompt: messages });
    const reader = stream.getReader();
    let text = "";
    let call: { readonly toolCallId: unknown; readonly input: { readonly path: string } } | undefined;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (part.value.type === "text-delta") {
        text += String(part.value["delta"]);
        characters += String(part.value["delta"]).length;
      }
      if (part.value.type === "tool-call")
        call = { toolCallId: part.value["toolCallId"], input: JSON.parse(String(part.value["input"])) };
    }
    if (call === undefined) {
      messages.push({ role: "assistant", content: [{ type: "text", text }] });
      return { characters, calls: calls(), retained: messages };
    }
    const toolCall = { type: "tool-call", toolName, ...call };
    messages.push({ role: "assistant", content: [{ type: "text", text }, toolCall] });
    const value = await execute(call.input);
    const output = { type: "text", value };
    messages.push({ role: "tool", content: [{ type: "tool-result", toolCallId: call.toolCallId, toolName, output }] });
  }
};
