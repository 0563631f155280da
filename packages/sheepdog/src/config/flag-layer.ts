import { readDottedKey } from "./dotted-key.ts";
import { type Layer, readLayer } from "./read-layer.ts";

/** Flags as dotted keys of the configuration, e.g. `{ "agent.max_turns": 10 }`: the highest layer. A text may stand for a number and the like, as `--set` has them. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** The layer of the command line. What is undefined was not given. */
export function flagLayer(flags: FlagValues): Layer {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const layers = given.map(([flag, value]): Layer => {
    const path = readDottedKey(flag);
    if (path === undefined)
      return { settings: [], problems: [`${JSON.stringify(flag)} is no key; write one like agent.max_turns`] };
    const table = path.reduceRight((inner: unknown, part) => Object.fromEntries([[part, inner]]), value);
    return readLayer(table, { originOf: () => ({ flag }), placeOf: () => "", variables: "none", isText: true });
  });
  return { settings: layers.flatMap(({ settings }) => settings), problems: layers.flatMap(({ problems }) => problems) };
}
