import { readDottedKey } from "./dotted-key.ts";
import { type Layer, readLayer } from "./read-layer.ts";

/**
 * Flags by dotted key, e.g. `{ "agent.max_turns": 10 }`: the highest layer. A text may stand for a number or another
 * type, as with `--set`.
 */
export type FlagValues = Readonly<Record<string, unknown>>;

/** The layer of the command line. Undefined values were not given. */
export function flagLayer(flags: FlagValues): Layer {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const layers = given.map(([flag, value]): Layer => {
    const path = readDottedKey(flag);
    if (path === undefined)
      return { settings: [], problems: [`${JSON.stringify(flag)} is not a key; write one such as agent.max_turns`] };
    const table = path.reduceRight((inner: unknown, part) => Object.fromEntries([[part, inner]]), value);
    return readLayer(table, { originOf: () => ({ flag }), locationOf: () => "", variables: "none", isText: true });
  });
  return { settings: layers.flatMap(({ settings }) => settings), problems: layers.flatMap(({ problems }) => problems) };
}
