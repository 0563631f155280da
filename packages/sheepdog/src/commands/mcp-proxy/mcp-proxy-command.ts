import type { GuardianEvent, Policy } from "@sheepdog/guardian";
import { proxyStdio } from "@sheepdog/integrations/mcp-proxy";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { hookSettings } from "../../hook/compile-settings.ts";
import { type Io, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { readServer } from "./read-server.ts";

/** The options of `sheepdog mcp-proxy`. */
export interface McpProxyOptions {
  readonly observe?: boolean;
  readonly url?: string;
  readonly header?: readonly string[];
}

/**
 * Starts a server, and passes messages between it and the host on stdin and stdout. Everything else goes to stderr,
 * which hosts show in their logs. Returns the exit code of the server.
 */
export async function mcpProxyCommand(
  command: readonly string[],
  { observe = false, url, header = [] }: McpProxyOptions,
  io: Io,
): Promise<number> {
  const server = readServer(command, { url, header, env: io.env });
  if (typeof server === "string") {
    await writeMessage(io, plainText(server));
    return exitCode.usage;
  }
  const tell = (sentence: string) => void writeMessage(io, plainText(sentence)).catch(() => {});
  const policy = await configuredPolicy(io, tell);
  const host = { input: process.stdin, output: process.stdout };
  const guard = {
    policy: observe ? ({ ...policy, mode: "observe" } as const) : policy,
    onEvent(event: GuardianEvent) {
      const sentence = eventSentence(event);
      if (sentence !== undefined) tell(sentence);
    },
  };
  if (server.type === "http") {
    const { proxyHttp } = await import("./proxy-http.ts");
    return proxyHttp(server, { host, guard, tell, onInterrupt: io.onInterrupt });
  }
  const result = await proxyStdio({
    command: server.command,
    args: server.args,
    cwd: io.cwd,
    env: { ...io.env },
    host,
    guard,
    onSignal: (listener) => io.onInterrupt(listener),
  });
  if (result.ok) return result.exitCode;
  await writeMessage(io, plainText(result.problem));
  return exitCode.usage;
}

/** A wrong configuration must not cost the user the server. */
async function configuredPolicy(io: Io, tell: (sentence: string) => void): Promise<Policy> {
  const { policy, problem } = await hookSettings(resolveHome(io.env), io);
  if (problem !== undefined) tell(problem);
  return policy;
}

/** What the guardian did, in one line; undefined for an event that is not for people. */
function eventSentence(event: GuardianEvent): string | undefined {
  switch (event.type) {
    case "intervention": {
      const { level, isApplied, message } = event.intervention;
      return `${isApplied ? level : `would have been a ${level}`}: ${message}`;
    }
    case "recovered":
      return "the agent has recovered";
    case "detector-off":
      return `the detector ${event.detector} failed and is off`;
    default:
      return undefined;
  }
}
