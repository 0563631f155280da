import { resolve } from "node:path";
import type { ExplainedDecision } from "@sheepdog/agent";
import { readRegularFile } from "@sheepdog/records/files";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { type Expectation, readExpectations } from "./expectations.ts";
import { openGate } from "./open-gate.ts";

export interface TestOptions {
  readonly unattended?: true;
  readonly json?: true;
}

/** Compares decisions with a file of expected ones. Exits with 5 if one differs. */
export async function testCommand(file: string, { unattended, json }: TestOptions, io: Io): Promise<number> {
  const read = await readFileOrProblem(resolve(io.cwd, file));
  const parsed =
    typeof read === "string" ? { ok: false as const, problems: [read] } : readExpectations(read.text, file);
  if (!parsed.ok) {
    for (const problem of parsed.problems.slice(0, MAX_PROBLEMS)) await writeMessage(io, plainText(problem));
    return exitCode.usage;
  }
  const explain = await openGate(io, { attended: unattended !== true });
  if (explain === undefined) return exitCode.usage;
  const checked = parsed.expectations.map((expectation) => ({ expectation, decided: explain(expectation.call) }));
  const mismatches = checked.filter(({ expectation, decided }) => expectation.decision !== decided.decision);
  const total = counted(checked.length, "call");
  const summary = `${total}, ${mismatches.length === 0 ? "all as expected" : `${mismatches.length} not as expected`}.`;
  const document = { schemaVersion: 1, total: checked.length, mismatches: mismatches.map(mismatchDocument) };
  const lines = [...mismatches.map((mismatch) => mismatchLine(mismatch, file)), summary];
  await write(io.stdout, json ? `${jsonText(document)}\n` : `${lines.join("\n")}\n`);
  return mismatches.length === 0 ? exitCode.done : exitCode.findings;
}

const MAX_PROBLEMS = 20;

interface Mismatch {
  readonly expectation: Expectation;
  readonly decided: ExplainedDecision;
}

function mismatchLine({ expectation: { line, decision, call }, decided }: Mismatch, file: string): string {
  const { command = JSON.stringify(call.input) } = call.input;
  return plainText(
    `${file}:${line}: expected ${decision}, got ${decided.decision} (T${decided.tier}): ${command}. ${decided.reason}`,
  );
}

function mismatchDocument({ expectation: { line, decision, call }, decided }: Mismatch): unknown {
  const { decision: got, tier, reason } = decided;
  return { line, ...call, expected: decision, decision: got, tier, reason };
}

async function readFileOrProblem(path: string): Promise<{ readonly text: string } | string> {
  try {
    return { text: readRegularFile(path) };
  } catch (error) {
    return `${path} cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}
