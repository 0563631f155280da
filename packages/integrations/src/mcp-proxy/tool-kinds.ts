import { inferKind, type ToolKind } from "@sheepdog/guardian";
import { isObject, type JsonObject } from "./json-rpc.ts";

/** What the server says about its tools, from its answers to `tools/list`. */
export interface ToolKinds {
  /** Reads an answer to `tools/list`. */
  add(response: JsonObject): void;
  kindOf(tool: string, args: unknown): ToolKind;
}

/** A server may list thousands of tools, and list them again. */
const MAX_TOOLS = 10_000;

/** Knows no tool yet. */
export function createToolKinds(): ToolKinds {
  const annotations = new Map<string, JsonObject>();
  return {
    add({ result }) {
      const tools = isObject(result) && Array.isArray(result["tools"]) ? result["tools"] : [];
      for (const tool of tools)
        if (isObject(tool) && typeof tool["name"] === "string" && annotations.size < MAX_TOOLS)
          annotations.set(tool["name"], isObject(tool["annotations"]) ? tool["annotations"] : {});
    },
    kindOf(tool, args) {
      const inferred = inferKind(tool, args);
      const { readOnlyHint, destructiveHint } = annotations.get(tool) ?? {};
      if (readOnlyHint === true) return inferred === "poll" || inferred === "wait" ? inferred : "read"; // both read
      return readOnlyHint === false || destructiveHint === true ? "mutate" : inferred;
    },
  };
}
