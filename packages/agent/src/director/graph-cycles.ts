/** The parts of a graph that cannot be put into an order. */
export interface GraphCycles {
  /** Nodes that wait for each other, one list for each cycle found. */
  readonly cycles: readonly (readonly string[])[];
  /** Nodes outside the cycles that can only start after one. */
  readonly unreachable: readonly string[];
}

interface Edge {
  readonly from: string;
  readonly to: string;
}

/** Finds what is left after all nodes that can be ordered are removed. Each node is reported once. */
export function findCycles(ids: readonly string[], edges: readonly Edge[]): GraphCycles {
  const stuck = withoutOrder(ids, edges);
  const inCycles = new Set<string>();
  const cycles = [...stuck].flatMap((id) => {
    if (inCycles.has(id)) return [];
    const cycle = shortestCycle(id, edges, stuck);
    for (const each of cycle) inCycles.add(each);
    return cycle.length === 0 ? [] : [cycle];
  });
  return { cycles, unreachable: [...stuck].filter((id) => !inCycles.has(id)) };
}

/** Removes nodes that wait for nothing, again and again; returns the others. */
function withoutOrder(ids: readonly string[], edges: readonly Edge[]): ReadonlySet<string> {
  const left = new Set(ids);
  for (;;) {
    const free = [...left].filter((id) => !edges.some(({ from, to }) => to === id && left.has(from)));
    if (free.length === 0) return left;
    for (const id of free) left.delete(id);
  }
}

/** The shortest way from a node back to itself; empty if there is none. */
function shortestCycle(start: string, edges: readonly Edge[], within: ReadonlySet<string>): readonly string[] {
  const paths: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (const path of paths) {
    const last = path.at(-1);
    for (const { from, to } of edges) {
      if (from !== last || !within.has(to)) continue;
      if (to === start) return path;
      if (seen.has(to)) continue;
      seen.add(to);
      paths.push([...path, to]);
    }
  }
  return [];
}
