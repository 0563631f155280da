import type { Open } from "../contestant.ts";
import { system } from "../conversation.ts";
import { scriptedModel } from "../scripted-model.ts";

/** The least a loop can do: a list of messages, a stream read to its end, the call executed, its result added. It watches nothing and survives nothing. */
export const openBare: Open = async () => async (conversation, meter) => {
  const model = scriptedModel(conversation, meter);
  const results = new Map(conversation.turns.map(({ path, result }) => [path, result]));
  const tools = { read_file: ({ path }: { readonly path: string }) => results.get(path) ?? "" };
  const messages: unknown[] = [
    { role: "system", content: system },
    { role: "user", content: [{ type: "text", text: conversation.prompt }] },
  ];
  let characters = 0;
  let calls = 0;
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
      return { characters, calls, kept: messages };
    }
    const toolName = "read_file";
    messages.push({
      role: "assistant",
      content: [
        { type: "text", text },
        { type: "tool-call", toolName, ...call },
      ],
    });
    const value = await tools[toolName](call.input);
    messages.push({
      role: "tool",
      content: [{ type: "tool-result", toolCallId: call.toolCallId, toolName, output: { type: "text", value } }],
    });
    calls += 1;
  }
};
