import { expect, test } from "vitest";
import { appendTable } from "./append-table.ts";

const rule = { tool: "bash", command: "git push *", decision: "allow" };
const append = (toml: string) => appendTable(toml, ["security", "rules"], rule);
const added = '[[security.rules]]\ntool = "bash"\ncommand = "git push *"\ndecision = "allow"\n';

test("a table is added at the end, and everything else stays", () => {
  expect(append("")).toBe(added);
  const toml = '# mine\n[security] # here\npause_before = ["write"]\n\n[[security.rules]]\ntool = "x"\n\n[agent]\n';
  expect(append(toml)).toBe(`${toml}\n${added}`);
  expect(append("[agent]\r\nmax_turns = 3\r\n")).toBe(
    `[agent]\r\nmax_turns = 3\r\n\r\n${added.replaceAll("\n", "\r\n")}`,
  );
});

test("a list in one line gets longer", () => {
  expect(append('[security]\nrules = [{ tool = "x", decision = "deny" }] # mine\n')).toBe(
    '[security]\nrules = [{ tool = "x", decision = "deny" }, ' +
      '{ tool = "bash", command = "git push *", decision = "allow" }] # mine\n',
  );
});

test("what is not a list stays as it is", () => {
  expect(append('[security]\nrules = "none"\n')).toBeUndefined();
});
