import { parseObject } from "./explain-command.ts";
import type { PlannedCall } from "./open-gate.ts";

/** A line of a file with expected decisions. */
export interface Expectation {
  readonly line: number;
  readonly call: PlannedCall;
  readonly decision: "allow" | "ask" | "deny";
}

export type ReadExpectations =
  | { readonly ok: true; readonly expectations: readonly Expectation[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads lines such as `deny: git push`, or JSON lines with `decision` and `command`, or with `decision`, `tool` and
 * `input`. Empty lines, and lines that start with `#`, are left out.
 */
export function readExpectations(text: string, file: string): ReadExpectations {
  const lines = text.split(/\r?\n/).map((content, index) => ({ content: content.trim(), line: index + 1 }));
  const used = lines.filter(({ content }) => content !== "" && !content.startsWith("#"));
  const read = used.map(({ content, line }) => ({ line, expected: readLine(content) }));
  const expectations = read.flatMap(({ line, expected }) => (expected === undefined ? [] : [{ line, ...expected }]));
  if (expectations.length === read.length) return { ok: true, expectations };
  const problems = read.flatMap(({ line, expected }) =>
    expected === undefined
      ? [`${file}:${line}: expected "allow: …", "ask: …" or "deny: …", or a JSON object with decision and command`]
      : [],
  );
  return { ok: false, problems };
}

function readLine(content: string): Omit<Expectation, "line"> | undefined {
  if (content.startsWith("{")) return readObject(parseObject(content) ?? {});
  const [, word = "", command = ""] = /^(\w+):\s*(.+)$/.exec(content) ?? [];
  const decision = decisionIn(word);
  return decision === undefined ? undefined : { call: { tool: "bash", input: { command } }, decision };
}

function readObject({
  decision: word,
  command,
  tool = "bash",
  input = { command },
}: Readonly<Record<string, unknown>>) {
  const decision = decisionIn(word);
  const isCall = typeof tool === "string" && typeof input === "object" && input !== null;
  const hasArguments = isCall && Object.values(input).some((value) => value !== undefined);
  return decision === undefined || !hasArguments ? undefined : { call: { tool, input: { ...input } }, decision };
}

function decisionIn(word: unknown): Expectation["decision"] | undefined {
  return (["allow", "ask", "deny"] as const).find((decision) => decision === word);
}
