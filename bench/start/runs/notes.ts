import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedTurn, WireRequest } from "../../../packages/agent/dist/testing/index.js";

/** Turns of a complete run: one call in each but the last, which answers. */
export const turnCount = 25;

export const prompt = "Read every note in this folder and say when you have read them all.";

export const answer = "I have read all the notes.";

const noteCount = turnCount - 1;

/** An agent's tool that reads a file. */
export interface ReadTool {
  readonly tool: string;
  input(path: string): unknown;
}

/** Creates a workspace of small files that all differ. */
export function writeNotes(workspace: string): void {
  mkdirSync(workspace, { recursive: true });
  for (let note = 1; note <= noteCount; note += 1) writeFileSync(noteFile(workspace, note), `${noteText(note)}\n`);
}

/** The model of one run: asks for each note once, then answers. */
export interface NoteReader {
  reply(request: WireRequest): ScriptedTurn;
  /** Throws unless the agent has made every request and every call. */
  check(): void;
  /** Requests that declare no tool that reads a file, such as one for a title. */
  otherRequests(): number;
}

/** Creates the model that asks for every note of a workspace with the given tool. */
export function createNoteReader(workspace: string, read: ReadTool): NoteReader {
  let turns = 0;
  let others = 0;
  let lastRequest = "";
  return {
    reply(request) {
      if (!toolNames(request.body).includes(read.tool)) {
        others += 1;
        return { text: "Notes" };
      }
      turns += 1;
      lastRequest = request.text;
      if (turns > noteCount) return { text: answer };
      const path = noteFile(workspace, turns);
      return { text: `Note ${turns} is next.`, calls: [{ tool: read.tool, input: read.input(path) }] };
    },
    check() {
      const notes = Array.from({ length: noteCount }, (_, index) => noteText(index + 1));
      const results = notes.filter((note) => lastRequest.includes(note)).length;
      if (turns !== turnCount || results !== noteCount)
        throw new Error(
          `Expected ${turnCount} requests and ${noteCount} results; got ${turns} and ${results}` +
            ` beside ${others} requests without ${read.tool}`,
        );
    },
    otherRequests: () => others,
  };
}

function noteFile(workspace: string, note: number): string {
  return join(workspace, `note-${note}.txt`);
}

function noteText(note: number): string {
  return `Shelf ${note} has ${note * 37} planks and ${note * 11} nails.`;
}

/** The names of the tools that a request declares, in any wire format. */
function toolNames(body: Readonly<Record<string, unknown>>): readonly string[] {
  const tools = Array.isArray(body["tools"]) ? (body["tools"] as readonly DeclaredTool[]) : []; // as the formats say
  return tools.flatMap(
    ({ name, function: chatTool, functionDeclarations }) =>
      functionDeclarations?.map((declared) => declared.name) ?? [name ?? chatTool?.name ?? ""],
  );
}

interface Named {
  readonly name: string;
}

interface DeclaredTool extends Partial<Named> {
  readonly function?: Named;
  readonly functionDeclarations?: readonly Named[];
}
