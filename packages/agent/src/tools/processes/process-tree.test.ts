import { expect, test } from "vitest";
import type { RunningProcess } from "./process-table.ts";
import { createTreeSearch } from "./process-tree.ts";

const id = { leader: 100, mark: { text: "mark-of-the-command", lockLimit: 4711 } };

/** A process of another program, unless the given fields say otherwise. */
function made(fields: Partial<RunningProcess> & { readonly pid: number }): RunningProcess {
  return { parent: 2, group: 2, session: 2, name: "x", startedAt: "1", environment: "", limits: "", ...fields };
}

/** Searches each of the tables in turn. Returns the process ids. */
function search(...tables: readonly (readonly RunningProcess[])[]): readonly (readonly number[])[] {
  const remaining = [...tables];
  const findTree = createTreeSearch(id, () => remaining.shift() ?? []);
  return tables.map(() => findTree().map(({ pid }) => pid));
}

test("a process belongs to the tree by its group, session, parent, environment or limits", () => {
  const table = [
    made({ pid: 100 }),
    made({ pid: 101, group: 100 }),
    made({ pid: 102, session: 100 }),
    made({ pid: 103, parent: 101 }),
    made({ pid: 104, environment: `SHEEPDOG_CALL=${id.mark.text}` }),
    made({ pid: 105, limits: `Max file locks ${id.mark.lockLimit} ${id.mark.lockLimit} locks` }),
    made({ pid: 106 }),
  ];
  expect(search(table)).toEqual([[100, 101, 102, 104, 105, 103]]);
});

test("what was found once stays in the tree, and so does what it starts", () => {
  const first = [made({ pid: 100 }), made({ pid: 103, parent: 100 })];
  const orphaned = [made({ pid: 103, parent: 1 }), made({ pid: 107, parent: 103 })];
  expect(search(first, orphaned)).toEqual([
    [100, 103],
    [103, 107],
  ]);
});

test("another process with the same number does not belong to the tree", () => {
  expect(search([made({ pid: 103, parent: 100 }), made({ pid: 100 })], [made({ pid: 103, startedAt: "2" })])).toEqual([
    [100, 103],
    [],
  ]);
});

test("the marks of a process of others are read once", () => {
  const reads: string[] = [];
  const stranger = (startedAt: string): RunningProcess => ({
    ...made({ pid: 106, startedAt }),
    get environment() {
      reads.push(`environment ${startedAt}`);
      return "";
    },
    get limits() {
      reads.push(`limits ${startedAt}`);
      return "";
    },
  });
  search([stranger("1")], [stranger("1")], [stranger("2")], [stranger("2")]);
  expect(reads).toEqual(["environment 1", "limits 1", "environment 2", "limits 2"]);
});
