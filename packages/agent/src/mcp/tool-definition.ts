import { createHash } from "node:crypto";
import { isRecord } from "../protocol/json.ts";
import { canonicalJson } from "./canonical-json.ts";
import { mcpLimits } from "./limits.ts";

/** What a server says about one of its tools, read once and within bounds. */
export interface McpToolDefinition {
  /** The name on the server. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: ToolAnnotations;
  /** SHA-256 of everything that the model or the gate uses of it. */
  readonly sha256: string;
}

/** Claims of the server about a tool. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export type ReadDefinition =
  | { readonly ok: true; readonly definition: McpToolDefinition }
  | { readonly ok: false; readonly problem: string };

/** Reads an entry of `tools/list`. A definition that cannot be used is a sentence. */
export function readToolDefinition(entry: unknown): ReadDefinition {
  if (!isRecord(entry) || typeof entry["name"] !== "string" || entry["name"] === "" || entry["name"] === "__proto__")
    return { ok: false, problem: "a tool without a name" };
  const { name } = entry;
  const shown = JSON.stringify(name.slice(0, 80));
  if (name.length > 256) return { ok: false, problem: `the tool ${shown} has a name of ${name.length} characters` };
  const description = typeof entry["description"] === "string" ? entry["description"] : "";
  const schema = entry["inputSchema"] ?? { type: "object" };
  if (!isRecord(schema)) return { ok: false, problem: `the schema of ${shown} is not an object` };
  if (depthOf(schema) > mcpLimits.schemaDepth) return { ok: false, problem: `the schema of ${shown} is too deep` };
  if (JSON.stringify(schema).length > mcpLimits.schemaChars)
    return { ok: false, problem: `the schema of ${shown} is too long` };
  const names = isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const badName = names.find((each) => !isArgumentName(each));
  if (badName !== undefined) return { ok: false, problem: `${shown} has an argument whose name models do not accept` };
  const annotations = readAnnotations(entry["annotations"]);
  const sha256 = createHash("sha256")
    .update(canonicalJson({ name, description, inputSchema: schema, annotations }))
    .digest("hex");
  return { ok: true, definition: { name, description, inputSchema: schema, annotations, sha256 } };
}

/** Whether models accept an argument of this name. */
export function isArgumentName(name: string): boolean {
  return /^[\w.-]{1,64}$/.test(name);
}

function readAnnotations(value: unknown): ToolAnnotations {
  if (!isRecord(value)) return {};
  const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;
  return Object.fromEntries(hints.flatMap((hint) => (typeof value[hint] === "boolean" ? [[hint, value[hint]]] : [])));
}

/** Stops at the bound, so that a hostile depth costs nothing. */
function depthOf(value: unknown, bound: number = mcpLimits.schemaDepth + 1): number {
  if (typeof value !== "object" || value === null || bound === 0) return 0;
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, bound - 1));
  return deepest + 1;
}
