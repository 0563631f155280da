import { closestName } from "@sheepdog/guardian";
import type { Io } from "../io.ts";
import { type Layer, readLayer } from "./read-layer.ts";
import { allKeys, configShape, type Shape } from "./shape.ts";

const prefix = "SHEEPDOG_";

/** Variables that say something else: where Sheepdog's folder is, and, to what an agent starts, which call started it. */
const notKeys: readonly string[] = ["SHEEPDOG_HOME", "SHEEPDOG_CALL"];

/** The layer of the environment: `SHEEPDOG_AGENT__MAX_TURNS` is `agent.max_turns`. An empty variable is as good as none. */
export function envLayer(env: Io["env"]): Layer {
  const layers = Object.entries(env)
    .filter(([name, text]) => name.startsWith(prefix) && !notKeys.includes(name) && text)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => variableLayer(name, text));
  return { settings: layers.flatMap(({ settings }) => settings), problems: layers.flatMap(({ problems }) => problems) };
}

function variableLayer(name: string, text: unknown): Layer {
  const path = pathOf(name.slice(prefix.length).split("__"), configShape);
  if (path === undefined) return { settings: [], problems: [noSuchVariable(name)] };
  const table = path.reduceRight((inner, part) => ({ [part]: inner }), text);
  return readLayer(table, { originOf: () => ({ env: name }), placeOf: () => name, variables: "none", isText: true });
}

/** The path that the parts of a variable's name stand for: in capitals, and with `_` for `-`. Names that may be anything cannot be said in that way. */
function pathOf([part, ...rest]: readonly string[], shape: Shape): readonly string[] | undefined {
  if (part === undefined) return [];
  const [name, inner] = stepsOf(shape).find(([name]) => variableOf(name) === part) ?? [];
  const below = inner === undefined ? undefined : pathOf(rest, inner);
  return name === undefined || below === undefined ? undefined : [name, ...below];
}

function stepsOf(shape: Shape): readonly (readonly [string, Shape])[] {
  if (shape.kind === "either") return stepsOf(shape.or);
  if (shape.kind === "named") return (shape.names ?? []).map((name) => [name, shape.each] as const);
  return shape.kind === "section" ? [...shape.keys] : [];
}

/** How a part of a key is written in the name of a variable. */
function variableOf(part: string): string {
  return part.toUpperCase().replaceAll("-", "_");
}

function noSuchVariable(name: string): string {
  const names = [...allKeys.values()].map(({ path }) => prefix + path.map(variableOf).join("__"));
  const near = closestName(name, names);
  return `${name}: there is no such key; ${near === undefined ? "the keys are listed by: sheepdog config show" : `did you mean ${near}?`}`;
}
