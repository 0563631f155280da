import { type CheckContext, createCheckContext } from "../../doctor/check-context.ts";
import { type CheckResult, runChecks } from "../../doctor/run-checks.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { findingLines, summaryLine } from "./finding-lines.ts";

/** The options of `sheepdog doctor`. */
export interface DoctorOptions {
  readonly json?: boolean;
  readonly online?: boolean;
}

/** Runs all checks and prints their findings. Exits with 2 if one fails. */
export async function doctorCommand(
  { json = false, online = false }: DoctorOptions,
  io: Io,
  context: CheckContext = createCheckContext(io, { isOnline: online }),
): Promise<number> {
  const format = { style: styleFor(io.stdout, io.env), width: columnsOf(io.stdout, io.env), env: io.env };
  const results: CheckResult[] = [];
  for await (const result of runChecks(context)) {
    if (!json) await write(io.stdout, findingLines(result, results.at(-1), format));
    results.push(result);
  }
  const isOk = results.every(({ status }) => status !== "fail");
  await write(
    io.stdout,
    json ? `${jsonText({ schemaVersion: 1, ok: isOk, checks: results })}\n` : summaryLine(results, format),
  );
  return isOk ? exitCode.done : exitCode.usage;
}
