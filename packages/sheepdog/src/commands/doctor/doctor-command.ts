import { exitCode } from "../../exit-code.ts";
import { type Io, write } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { type CheckContext, createCheckContext } from "./check-context.ts";
import { findingLines, verdictLine } from "./finding-lines.ts";
import { type CheckResult, runChecks } from "./run-checks.ts";

/** The options of `sheepdog doctor`. */
export interface DoctorOptions {
  readonly json?: boolean;
  readonly online?: boolean;
}

/** Looks at everything that has to be in order, and says what is not. */
export async function doctorCommand(
  { json = false, online = false }: DoctorOptions,
  io: Io,
  world: CheckContext = createCheckContext(io, { isOnline: online }),
): Promise<number> {
  const look = { style: styleFor(io.stdout, io.env), width: columnsOf(io.stdout, io.env) };
  const found: CheckResult[] = [];
  for await (const each of runChecks(world)) {
    if (!json) await write(io.stdout, findingLines(each, found.at(-1), look));
    found.push(each);
  }
  const isWell = found.every(({ status }) => status !== "fail");
  await write(
    io.stdout,
    json ? `${jsonText({ schemaVersion: 1, ok: isWell, checks: found })}\n` : verdictLine(found, look),
  );
  return isWell ? exitCode.done : exitCode.usage;
}
