import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A history on disk. */
export interface History {
  readonly files: number;
  readonly bytes: number;
}

/** Sessions of this many bytes at most; every fortieth is one of the largest. */
const SESSION_BYTES = [200_000, 1_500_000, 600_000, 4_000_000, 900_000] as const;
const LARGE_SESSION_BYTES = 30_000_000;

/**
 * Writes sessions as Claude Code records them below `<home>/.claude/projects`: thoughts, texts, edits, reads and
 * commands with results of 200 bytes to 30 kB, each result twice, as the agent does. Every fifteenth session is
 * resumed in a second file; in every sixth the agent runs in circles for a while.
 */
export function writeHistory(home: string, bytes: number): History {
  let files = 0;
  let written = 0;
  for (let index = 0; written < bytes; index += 1) {
    const folder = join(home, ".claude/projects", `-srv-project-${index % 12}`);
    mkdirSync(folder, { recursive: true });
    const size = index % 40 === 39 ? LARGE_SESSION_BYTES : (SESSION_BYTES[index % SESSION_BYTES.length] ?? 0);
    const copies = index % 15 === 14 ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      written += writeSession(folder, { index, copy, bytes: Math.min(size, bytes) });
      files += 1;
    }
  }
  return { files, bytes: written };
}

interface Session {
  readonly index: number;
  readonly copy: number;
  readonly bytes: number;
}

function writeSession(folder: string, { index, copy, bytes }: Session): number {
  const sessionId = `5e551011-0000-4000-800${copy}-${String(index).padStart(12, "0")}`;
  const path = join(folder, `${sessionId}.jsonl`);
  const file = openSync(path, "w");
  const random = randomNumbers(index + 1); // both copies of a session have the same requests
  let at = Date.UTC(2026, 9, 1) + index * 3_600_000;
  let written = 0;
  let line = 0;
  const write = (entry: object) => {
    const uuid = `${sessionId}-${line}`;
    const parentUuid = line === 0 ? null : `${sessionId}-${line - 1}`;
    line += 1;
    at += 4_000;
    const frame = {
      ...{ parentUuid, isSidechain: false, userType: "external", cwd: `/srv/project-${index % 12}`, sessionId },
      ...{ version: "2.1.240", gitBranch: "main", uuid, timestamp: new Date(at).toISOString() },
    };
    written += writeSync(file, `${JSON.stringify({ ...frame, ...entry })}\n`);
  };
  write({ type: "user", message: { role: "user", content: `Repair the tests of part ${index}.` } });
  for (let turn = 0; written < bytes; turn += 1) writeTurn({ index, turn, random, write });
  closeSync(file);
  utimesSync(path, at / 1_000, at / 1_000);
  return written;
}

interface Turn {
  readonly index: number;
  readonly turn: number;
  readonly random: () => number;
  readonly write: (entry: object) => void;
}

function writeTurn({ index, turn, random, write }: Turn): void {
  const isLoop = index % 6 === 5 && turn >= 20 && turn < 32;
  const id = `${index}_${turn}`;
  const usage = {
    ...{ input_tokens: 12, cache_creation_input_tokens: 900, cache_read_input_tokens: 20_000 + turn * 40 },
    ...{ output_tokens: 180, service_tier: "standard" },
  };
  const reply = (content: object) => ({
    type: "assistant",
    requestId: `req_${id}`,
    message: {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model: "claude-sonnet-4-5-20250929",
      usage,
      content,
    },
  });
  const tool = toolOf(turn, isLoop);
  const toolUseId = `toolu_${id}`;
  if (turn % 3 === 0) write(reply([{ type: "thinking", thinking: sourceText(random, 600), signature: "c2ln" }]));
  write(reply([{ type: "text", text: `I look at part ${turn} of the module.` }]));
  write(reply([{ type: "tool_use", id: toolUseId, name: tool.name, input: tool.input(random) }]));
  const result = isLoop ? "FAIL src/part.test.ts: expected 3, got 4" : sourceText(random, 200 + 30_000 * random() ** 4);
  write({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: toolUseId, content: result }] },
    toolUseResult: { stdout: result, stderr: "", interrupted: false, isImage: false },
  });
}

interface Tool {
  readonly name: string;
  readonly input: (random: () => number) => object;
}

function toolOf(turn: number, isLoop: boolean): Tool {
  if (isLoop) return { name: "Bash", input: () => ({ command: "npm test", description: "Runs the tests" }) };
  const path = `/srv/src/part-${turn}.ts`;
  const tools: readonly Tool[] = [
    { name: "Read", input: () => ({ file_path: path }) },
    { name: "Bash", input: () => ({ command: `grep -rn "part${turn}" src`, description: "Searches" }) },
    {
      name: "Edit",
      input: (random) => ({
        file_path: path,
        old_string: sourceText(random, 500),
        new_string: sourceText(random, 700),
      }),
    },
  ];
  return tools[turn % tools.length] as Tool; // in bounds
}

const words =
  'const value return import function export if (isOpen) await result.items => { } \n\t"name": 0x1f; // é'.split(" ");

function sourceText(random: () => number, chars: number): string {
  const parts: string[] = [];
  for (let length = 0; length < chars; ) {
    const word = words[Math.floor(random() * words.length)] ?? "";
    parts.push(word);
    length += word.length + 1;
  }
  return parts.join(" ");
}

/** The same numbers from 0 to 1 for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
