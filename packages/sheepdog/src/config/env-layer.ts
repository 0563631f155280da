import { closestName } from "@sheepdog/guardian";
import type { Io } from "../io.ts";
import { allKeys, configShape, type Shape } from "./config-shape.ts";
import { type Layer, readLayer } from "./read-layer.ts";

const prefix = "SHEEPDOG_";

/**
 * Not configuration keys: the home folder, the call that started this process, its depth under `mcp-server`, and
 * that hooks only observe.
 */
const otherVariables: readonly string[] = [
  ...["SHEEPDOG_HOME", "SHEEPDOG_CALL", "SHEEPDOG_MCP_DEPTH", "SHEEPDOG_OBSERVE"],
];

/** The layer of the environment: `SHEEPDOG_AGENT__MAX_TURNS` is `agent.max_turns`. Empty variables are ignored. */
export function envLayer(env: Io["env"]): Layer {
  const layers = Object.entries(env)
    .filter(([name, text]) => name.startsWith(prefix) && !otherVariables.includes(name) && text)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => variableLayer(name, text));
  return { settings: layers.flatMap(({ settings }) => settings), problems: layers.flatMap(({ problems }) => problems) };
}

function variableLayer(name: string, text: unknown): Layer {
  const path = pathOf(name.slice(prefix.length).split("__"), configShape);
  if (path === undefined) return { settings: [], problems: [unknownVariable(name)] };
  const table = path.reduceRight((inner, part) => ({ [part]: inner }), text);
  return readLayer(table, { originOf: () => ({ env: name }), locationOf: () => name, variables: "none", isText: true });
}

/**
 * The path that the parts of a variable's name stand for: in capitals, with `_` for `-`. Keys below a table of
 * arbitrary names have no variable.
 */
function pathOf([part, ...rest]: readonly string[], shape: Shape): readonly string[] | undefined {
  if (part === undefined) return [];
  const [name, inner] = keysOf(shape).find(([key]) => variablePart(key) === part) ?? [];
  const below = inner === undefined ? undefined : pathOf(rest, inner);
  return name === undefined || below === undefined ? undefined : [name, ...below];
}

function keysOf(shape: Shape): readonly (readonly [string, Shape])[] {
  if (shape.kind === "either") return keysOf(shape.or);
  if (shape.kind === "named") return (shape.names ?? []).map((name) => [name, shape.each] as const);
  return shape.kind === "section" ? [...shape.keys] : [];
}

/** A part of a key, as written in the name of a variable. */
function variablePart(part: string): string {
  return part.toUpperCase().replaceAll("-", "_");
}

function unknownVariable(name: string): string {
  const names = [...allKeys.values()].map(({ path }) => prefix + path.map(variablePart).join("__"));
  const near = closestName(name, names);
  const hint = near === undefined ? "see all keys with: sheepdog config show" : `did you mean ${near}?`;
  return `${name}: there is no such key; ${hint}`;
}
