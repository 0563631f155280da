import {
  createGuardian,
  type OpinionRequest,
  type PlannedCall,
  type RawResult,
  type Verdict,
} from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";

type Attempt = Pick<PlannedCall, "tool" | "args"> & { readonly result: RawResult };

/** A guardian that gets the same second opinion, if there is one, after each turn. */
function guardianWith(verdict?: Verdict) {
  const requests: OpinionRequest[] = [];
  const guardian = createGuardian({
    now: () => 1,
    policy: { secondOpinion: verdict === undefined ? "off" : "before-force" },
    emit: (event) => event.type === "opinion-wanted" && requests.push(event.request),
  });
  const answer = () => {
    for (const { id } of requests.splice(0))
      if (verdict !== undefined) guardian.observe({ type: "opinion", request: id, verdict });
  };
  return { guardian, answer };
}

/** Makes one call a turn until the run ends. Returns what was refused, and every message, in order. */
function attempt(attempts: readonly Attempt[], verdict?: Verdict) {
  const { guardian, answer } = guardianWith(verdict);
  const log: { readonly isRefused: boolean; readonly message: string }[] = [];
  for (const [i, { result, ...call }] of attempts.entries()) {
    if (guardian.stop !== undefined) break;
    const id = `call_${i}`;
    const decision = guardian.beforeCall({ ...call, id });
    if (decision.allow) guardian.afterCall(id, result);
    const [notice] = guardian.endTurn();
    answer();
    log.push({ isRefused: !decision.allow, message: decision.allow ? (notice?.message ?? "") : decision.message });
  }
  const block = log.findIndex(({ message }) => message.includes("From now on"));
  return { log, stop: guardian.stop, blockMessage: log[block]?.message ?? "", afterBlock: log.slice(block + 1) };
}

const error = (content: string): RawResult => ({ status: "error", content });
const ok = (content: string): RawResult => ({ status: "ok", content });
const nouns = [
  "total",
  "amount",
  "sum",
  "price",
  "cost",
  "value",
  "figure",
  "number",
  "result",
  "balance",
  "rest",
  "due",
];

const editVariants: readonly Attempt[] = nouns.map((noun) => ({
  tool: "edit",
  args: {
    path: "src/invoice.ts",
    old: `export function invoiceTotal(lines: Line[]): number { let ${noun} = 0; for (const line of lines) add(line);`,
    new: `export function invoiceTotal(lines: readonly Line[]): number { return lines.map(price).reduce(${noun});`,
  },
  result: error("old was not found in the file"),
}));

const searchVariants: readonly Attempt[] = nouns.map((noun) => ({
  tool: "search_docs",
  args: { query: `how to configure the retry policy of the http client ${noun}` },
  result: ok("No results were found for this query in the documentation."),
}));

const flags = ["-x", "-v", "-q", "--lf", "-s", "-vv", "--ff", "-l", "--sw", "-ra", "-rA", "--co"];
const commandVariants: readonly Attempt[] = flags.map((flag) => ({
  tool: "bash",
  args: { command: `python -m pytest tests/unit/test_cart.py ${flag}` },
  result: error("ModuleNotFoundError: No module named 'shop'"),
}));

const variants = [
  ["an edit with slightly different text", editVariants],
  ["a search in other words", searchVariants],
  ["a command with another flag", commandVariants],
] as const;

describe("what a message says is refused is refused", () => {
  test.each(variants)("%s is not refused by the rules alone", (_, attempts) => {
    const { log, blockMessage, stop } = attempt(attempts);
    expect([log.some(({ isRefused }) => isRefused), blockMessage, stop]).toEqual([false, "", undefined]);
  });

  test.each(variants)("%s, when a second opinion agrees", (_, attempts) => {
    const { blockMessage, afterBlock, stop } = attempt(attempts, "stuck");
    expect(blockMessage).toContain("calls with nearly the same arguments are refused until another call has succeeded");
    expect(afterBlock.length).toBeGreaterThan(0);
    expect(afterBlock.every(({ isRefused }) => isRefused)).toBe(true);
    expect(afterBlock[0]?.message).toMatch(/^Refused by the guardian, not run\. Nearly the same call to /);
    expect(stop).toBeDefined();
  });

  test.each(variants)("%s may be tried again after another call has succeeded, and counts", (_, attempts) => {
    const reads = nouns.map((noun) => ({
      tool: "read",
      args: { path: `docs/${noun}.md` },
      result: ok(`# On ${noun}`),
    }));
    const { afterBlock, stop } = attempt(
      attempts.flatMap((each, i) => [each, ...reads.slice(i, i + 1)]),
      "stuck",
    );
    const tries = afterBlock.filter((__, i) => i % 2 === 1);
    expect(tries.length).toBeGreaterThan(0);
    expect(tries.every(({ isRefused }) => !isRefused)).toBe(true);
    expect(stop).toBeDefined();
  });

  test("the same call in any spelling", () => {
    const spellings = ["make all", "make  all", "make all ", "MAKE all", "make\tall", "make all"];
    const { blockMessage, afterBlock } = attempt(
      [...spellings.slice(0, 1), ...spellings.slice(0, 1), ...spellings.slice(0, 1), ...spellings, ...spellings].map(
        (command) => ({ tool: "bash", args: { command }, result: error("make: *** No rule to make target 'all'.") }),
      ),
    );
    expect(blockMessage).toContain("this call is refused in every spelling");
    expect(afterBlock.every(({ isRefused }) => isRefused)).toBe(true);
  });

  test("a message about one exact call promises nothing about others, and others climb if it is confirmed", () => {
    const run = (command: string): Attempt => ({ tool: "bash", args: { command }, result: error("exit 1: no such x") });
    const calls = [
      ...Array.from({ length: 5 }, () => run("npm test")),
      ...flags.map((flag) => run(`npm test ${flag}`)),
    ];
    expect(attempt(calls).stop).toBeUndefined();
    const { stop } = attempt(calls, "stuck");
    const { blockMessage, afterBlock } = attempt(calls);
    expect(blockMessage).toContain("From now on this call is refused in every spelling");
    expect(blockMessage).not.toContain("nearly the same arguments");
    expect(afterBlock[0]?.isRefused).toBe(false);
    expect(stop?.reason).toBe("tool_failures");
  });

  test("a different call of the same tool is not refused", () => {
    const { afterBlock } = attempt(
      [
        ...editVariants.slice(0, 7),
        { tool: "edit", args: { path: "src/menu.ts", old: "open", new: "close" }, result: ok("The file was changed.") },
      ],
      "stuck",
    );
    expect(afterBlock.map(({ isRefused }) => isRefused)).toEqual([false]);
  });

  test("similar calls of one turn count once", () => {
    const { guardian, answer } = guardianWith("stuck");
    const turn = (attempts: readonly Attempt[], name: string) => {
      const calls = attempts.map(({ tool, args }, i) => ({ tool, args, id: `${name}${i}` }));
      const decisions = guardian.beforeCalls(calls);
      for (const [i, { id }] of calls.entries())
        if (decisions[i]?.allow) guardian.afterCall(id, attempts[i]?.result ?? ok(""));
      guardian.endTurn();
      answer();
      return decisions.map(({ allow }) => allow);
    };
    for (const [i, each] of editVariants.slice(0, 7).entries()) turn([each], `first${i}_`);
    expect(turn(editVariants.slice(7, 11), "batch")).toEqual([false, false, false, false]);
    expect(guardian.stop).toBeUndefined();
  });
});
