import { createHash } from "node:crypto";
import { hookShape } from "../hook-shape.ts";

/** What Codex calls the settings of its command line. */
const source = "/<session-flags>/config.toml";

/**
 * Options of Codex that attach our hooks for one run. Codex runs a hook only if its user trusts it, which it remembers
 * as a hash of the hook. The user has started `watch` for these hooks, so that they, and no others, are trusted here.
 */
export function codexOverrides(command: string): readonly string[] {
  const { events, handler } = hookShape("codex", command);
  const hooks = events.map((event) => [event, handler(event)] as const);
  const states = hooks.map(
    ([event, hook]) => `${toml(`${source}:${snakeCase(event)}:0:0`)}={trusted_hash=${toml(trustedHash(event, hook))}}`,
  );
  return [
    ...hooks.flatMap(([event, hook]) => ["-c", `hooks.${event}=[{hooks=[${inlineTable(hook)}]}]`]),
    ...["-c", `hooks.state={${states.join(",")}}`],
  ];
}

/** The hash by which Codex knows a hook: of its canonical JSON, with defaults filled in. */
function trustedHash(event: string, hook: Readonly<Record<string, unknown>>): string {
  const identity = { event_name: snakeCase(event), hooks: [sorted({ async: false, ...hook })] };
  return `sha256:${createHash("sha256").update(JSON.stringify(identity)).digest("hex")}`;
}

function sorted(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** `PreToolUse` as `pre_tool_use`. */
function snakeCase(event: string): string {
  return event.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
}

function inlineTable(object: Readonly<Record<string, unknown>>): string {
  return `{${Object.entries(object)
    .map(([key, value]) => `${key}=${toml(value)}`)
    .join(",")}}`;
}

/** A string or a number, which TOML writes like JSON. */
function toml(value: unknown): string {
  return JSON.stringify(value);
}
