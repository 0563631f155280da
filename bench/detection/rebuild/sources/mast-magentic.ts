import { dirname } from "node:path/posix";
import type { Clone } from "../clone.ts";
import { firstCharacters } from "../cut.ts";
import { surferArguments } from "../formats/magentic-one.ts";
import { reportsShellError } from "../formats/shell-error.ts";
import type { Outcome, ParsedStep } from "../parsed-run.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";
import { mastRepository } from "./mast-repository.ts";

/** Magentic-One on questions of GAIA, from the MAST collection: one folder a run, with the log of the console. */
export const mastMagentic: Source = { name: "mast-magentic-gaia", ...mastRepository, readRuns };

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  const blobs = new Map(clone.files("traces/MagenticOne_GAIA").map(({ path, blob }) => [path, blob]));
  for (const [path, blob] of blobs) {
    const folder = dirname(path);
    const runId = folder.split("/").slice(-3).join("/").replace("gaia_validation_", "");
    if (!path.endsWith("/console_log.txt") || !wanted.has(runId)) continue;
    const log = await clone.text(blob);
    if (log === undefined) continue;
    const textOf = async (file: string) => (await clone.text(blobs.get(`${folder}/${file}`))) ?? "";
    yield {
      runId,
      model: "gpt-4o (Magentic-One)",
      task: await textOf("prompt.txt"),
      outcome: outcomeOfLog(log, await textOf("expected_answer.txt")),
      steps: stepsOfLog(log),
    };
  }
}

/** The messages of a log begin with "---------- <agent> ----------". All agents but the orchestrator are calls. */
function stepsOfLog(log: string): readonly ParsedStep[] {
  const [, ...parts] = log.split(/(?<![^\n])---------- (\w+) ----------\n/);
  let instruction = "";
  const steps: ParsedStep[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [agent = "", report = ""] = [parts[index], parts[index + 1]?.trim()];
    if (agent === "MagenticOneOrchestrator") instruction = report;
    else if (agent !== "user") steps.push(toStep(agent, report, instruction));
  }
  return steps;
}

function toStep(agent: string, report: string, instruction: string): ParsedStep {
  const args = surferArguments(agent, report, instruction);
  const call = { name: agent, args, result: report, isError: reportsError(agent, report) };
  return { text: agent === "Assistant" ? report : instruction, calls: [call] };
}

function reportsError(agent: string, report: string): boolean {
  if (agent === "Assistant") return false;
  if (agent !== "ComputerTerminal") return /error/i.test(report.split("\n")[0] ?? "");
  const failedProgram = /(?<![^\n])(?:exitcode: [1-9]|Error|[^\n]*Traceback)/;
  return failedProgram.test(firstCharacters(report, 300)) || reportsShellError(firstCharacters(report, 800));
}

/** Compares the last final answer with the expected one, without case, spaces and punctuation of numbers. */
function outcomeOfLog(log: string, expected: string): Outcome {
  if (expected.trim() === "") return "unknown";
  const answer = Array.from(log.matchAll(/FINAL ANSWER: ([^\n]*)/g)).at(-1)?.[1];
  return answer !== undefined && comparable(answer) === comparable(expected) ? "success" : "fail";
}

function comparable(answer: string): string {
  return answer.toLowerCase().replace(/[\s,$%.]+/g, "");
}
