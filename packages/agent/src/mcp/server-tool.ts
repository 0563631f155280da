import type { ToolKind } from "@sheepdog/guardian";
import { z } from "zod";
import { compactOutput } from "../tools/compact-output.ts";
import type { Tool, ToolOutcome } from "../tools/tool.ts";
import { argumentsSchema } from "./check-arguments.ts";
import { type McpConnection, ServerEndedError } from "./connection.ts";
import { globText } from "./glob-text.ts";
import { modelDescription, modelSchema } from "./model-text.ts";
import { resultText } from "./result-text.ts";
import type { McpServerConfig } from "./server-config.ts";
import type { McpToolDefinition } from "./tool-definition.ts";
import { toolName } from "./tool-name.ts";

/** The longest time a timer can wait. The runtime ends a call earlier, by its signal. */
const NO_TIMEOUT = 2_147_483_647;

export interface ServerToolOptions {
  readonly config: McpServerConfig;
  readonly connection: McpConnection;
  /** Whether the definition is still the approved one. */
  readonly isApproved: () => boolean;
}

/** What is known about the effect of a tool, and whether only its server says so. */
type ToolClaims = Pick<Tool, "kind" | "isKindClaimed" | "isDestructive" | "isIdempotent">;

/** The tool of a server as the runtime calls it. */
export function serverTool(
  { name, description, inputSchema, annotations }: McpToolDefinition,
  { config, connection, isApproved }: ServerToolOptions,
): Tool {
  const ownName = toolName(config.name, name);
  const jsonSchema = modelSchema(inputSchema);
  const { callTimeoutMs, maxOutputTokens } = config;
  return {
    name: ownName,
    description: modelDescription(config.name, description),
    input: argumentsSchema(jsonSchema),
    jsonSchema,
    origin: "external",
    ...claimsOf(name, annotations, config),
    ...(callTimeoutMs === undefined ? {} : { timeoutMs: callTimeoutMs }),
    async run(input, { signal, progress }) {
      try {
        const result = await connection.use(async (client) => {
          // Checked here: a server that was started again has listed its tools again.
          if (!isApproved()) return undefined;
          return client.request({ method: "tools/call", params: { name, arguments: input } }, z.looseObject({}), {
            signal,
            timeout: callTimeoutMs ?? NO_TIMEOUT,
            onprogress: (step) => progress(progressText(step)),
          });
        }, signal);
        if (result === undefined) return changedOutcome(ownName, config.name);
        const text = resultText(result);
        return {
          status: result["isError"] === true ? "error" : "ok",
          content: maxOutputTokens === undefined ? text : compactOutput(text, maxOutputTokens),
        };
      } catch (error) {
        return isLate(error, signal) ? lateOutcome(ownName, callTimeoutMs) : failedOutcome(ownName, error);
      }
    },
  } satisfies Tool<Readonly<Record<string, unknown>>> as Tool; // its schema makes sure that it gets an object
}

/** The user's word about a tool, else the server's claims. */
function claimsOf(
  name: string,
  { readOnlyHint, destructiveHint, idempotentHint }: McpToolDefinition["annotations"],
  { kinds = {}, trustsAnnotations = false }: McpServerConfig,
): ToolClaims {
  const declared = Object.entries(kinds).find(([glob]) => globText(glob, name))?.[1];
  if (declared !== undefined) return { kind: declared };
  const kind: ToolKind | undefined =
    readOnlyHint === true ? "read" : destructiveHint === true || readOnlyHint === false ? "mutate" : undefined;
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(trustsAnnotations ? {} : { isKindClaimed: true }),
    ...(destructiveHint === true && readOnlyHint !== true ? { isDestructive: true } : {}),
    ...(trustsAnnotations && (idempotentHint === true || readOnlyHint === true) ? { isIdempotent: true } : {}),
  };
}

function changedOutcome(tool: string, server: string): ToolOutcome {
  return {
    status: "error",
    content:
      `Not run: the server changed the definition of ${tool} after the user had approved it. The user can look at ` +
      `the change with: sheepdog mcp approve ${server}. Work without this tool.`,
  };
}

/**
 * The limit of the SDK and that of the runtime are the same: either can be first. The SDK gives a call that was
 * cancelled the same code.
 */
function isLate(error: unknown, { aborted, reason }: AbortSignal): boolean {
  if (aborted) return reason instanceof Error && reason.message === "the time is up";
  return error instanceof Error && "code" in error && error.code === "REQUEST_TIMEOUT";
}

function lateOutcome(tool: string, timeoutMs: number | undefined): ToolOutcome {
  const limit = timeoutMs === undefined ? "in time" : `within ${timeoutMs / 1_000} s (timeout_secs)`;
  return {
    status: "timeout",
    content:
      `Outcome unknown: ${tool} gave no answer ${limit}, so the call may have been executed completely, in part or ` +
      "not at all. Check what it did before you make it again.",
  };
}

function failedOutcome(tool: string, error: unknown): ToolOutcome {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ServerEndedError)
    return {
      status: "interrupted",
      content:
        `Outcome unknown: the server ended while ${tool} was running (${message}), so the call may have been ` +
        "executed completely, in part or not at all. Check what it did before you make it again.",
    };
  return { status: "error", content: `${tool} failed: ${message}` };
}

function progressText({ progress, total, message }: ProgressStep): string {
  const share = total === undefined ? String(progress) : `${progress}/${total}`;
  return `${message === undefined ? share : `${share} ${message.slice(0, 500)}`}\n`;
}

interface ProgressStep {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}
