import { lastLines } from "../../attach/spools.ts";
import { statusLine } from "../../attach/status-line.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { sessionFiles } from "../../hook/session-files.ts";
import { type Io, write } from "../../io.ts";

const MAX_BYTES = 200_000;

/** Reads what Claude Code says about its session from stdin, and prints one line. */
export async function statusLineCommand(io: Io): Promise<number> {
  const input = await readInput(io);
  const session = sessionOf(input);
  const spool = session === undefined ? undefined : sessionFiles(resolveHome(io.env), "claude-code", session).spool;
  const lines = spool === undefined ? [] : lastLines({ file: spool }, MAX_BYTES);
  await write(io.stdout, `${statusLine(input, lines, Date.now())}\n`);
  return exitCode.done;
}

/** Undefined for what is no JSON: the line is still printed. */
async function readInput({ stdin }: Io): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

function sessionOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("session_id" in input)) return undefined;
  return typeof input.session_id === "string" ? input.session_id : undefined;
}
