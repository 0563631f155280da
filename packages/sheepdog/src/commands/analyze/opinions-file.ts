import type { Opinion } from "@sheepdog/guardian/opinion";
import { type BadOpinionLine, type OpinionLine, opinionLine, parseOpinions } from "@sheepdog/records";
import { appendLines, readRegularFile } from "@sheepdog/records/files";

/** The answers of a file, or sentences about what is wrong with it. */
export type ReadOpinions =
  | { readonly ok: true; readonly opinions: ReadonlyMap<string, Opinion> }
  | { readonly ok: false; readonly problems: readonly string[] };

const MAX_SHOWN = 10;

/** Reads a file of opinions. */
export async function readOpinionsFile(file: string): Promise<ReadOpinions> {
  let text: string;
  try {
    text = readRegularFile(file);
  } catch (error) {
    return { ok: false, problems: [`${file}: ${isMissing(error) ? "there is no such file" : messageOf(error)}`] };
  }
  const { opinions, badLines } = parseOpinions(text);
  return badLines.length === 0 ? { ok: true, opinions } : { ok: false, problems: lineProblems(file, badLines) };
}

/** The same; no answers if there is no such file. */
export async function readSavedOpinions(file: string): Promise<ReadOpinions> {
  try {
    readRegularFile(file);
  } catch (error) {
    if (isMissing(error)) return { ok: true, opinions: new Map() };
  }
  return readOpinionsFile(file);
}

/** A sentence if a file cannot be written. Answers that cannot be saved must not be paid for. */
export async function findWriteProblem(file: string): Promise<string | undefined> {
  try {
    appendLines(file, "");
    return undefined;
  } catch (error) {
    return `the answers cannot be saved: ${messageOf(error)}`;
  }
}

/** Adds an answer to a file. Only this user can read a new file: advice may quote the recording. */
export async function saveOpinion(file: string, opinion: OpinionLine): Promise<void> {
  appendLines(file, opinionLine(opinion));
}

function lineProblems(file: string, badLines: readonly BadOpinionLine[]): readonly string[] {
  const shown = badLines.slice(0, MAX_SHOWN).map(({ line, why }) => `${file}:${line}: ${why}`);
  const more = badLines.length - shown.length;
  return more === 0 ? shown : [...shown, `${file}: and ${more} more bad lines`];
}

function isMissing(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
