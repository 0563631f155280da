import { lastLines } from "../../attach/spools.ts";
import { statusLine } from "../../attach/status-line.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { buildMark } from "../../hook/build-mark.ts";
import { readSettings, settingsKey } from "../../hook/hook-settings.ts";
import { sessionFiles } from "../../hook/session-files.ts";
import { type Io, write } from "../../io.ts";

const MAX_BYTES = 200_000;

/** Reads what Claude Code says about its session from stdin, and prints one line. */
export async function statusLineCommand(io: Io): Promise<number> {
  const input = await readInput(io);
  const home = resolveHome(io.env);
  const session = textField(input, "session_id");
  const spool = session === undefined ? undefined : sessionFiles(home, "claude-code", session).spool;
  const lines = spool === undefined ? [] : lastLines({ file: spool }, MAX_BYTES);
  const source = { cwd: textField(input, "cwd") ?? io.cwd, env: io.env, build: buildMark() };
  const { problem } = readSettings(home, settingsKey(home, source)) ?? {}; // as the hooks have stored it
  await write(io.stdout, `${statusLine(input, lines, { now: Date.now(), problem })}\n`);
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

function textField(input: unknown, name: "session_id" | "cwd"): string | undefined {
  const value = (input as Readonly<Record<string, unknown>> | null | undefined)?.[name]; // checked here
  return typeof value === "string" ? value : undefined;
}
