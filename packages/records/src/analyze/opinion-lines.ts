import type { Verdict } from "@sheepdog/guardian";
import type { Opinion } from "@sheepdog/guardian/opinion";
import { asObject, asText, MalformedField } from "../trajectory/json-fields.ts";

/** The answer to a question, with the id of the question. */
export interface OpinionLine extends Opinion {
  readonly id: string;
}

/** A line that holds no opinion, counted from 1. */
export interface BadOpinionLine {
  readonly line: number;
  /** What is wrong, and what would be right. */
  readonly why: string;
}

/** Answers by the id of their question, and the lines that hold none. */
export interface ParsedOpinions {
  readonly opinions: ReadonlyMap<string, Opinion>;
  readonly badLines: readonly BadOpinionLine[];
}

const verdicts: readonly Verdict[] = ["stuck", "working", "unsure"];

/** Parses JSONL of opinions. Of two answers to the same question, the later one counts. Ignores other fields. */
export function parseOpinions(text: string): ParsedOpinions {
  const opinions = new Map<string, Opinion>();
  const badLines: BadOpinionLine[] = [];
  for (const [index, line] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    if (line.trim() === "") continue;
    try {
      const { id, ...opinion } = parseLine(line);
      opinions.set(id, opinion);
    } catch (error) {
      if (!(error instanceof MalformedField)) throw error;
      badLines.push({ line: index + 1, why: error.message });
    }
  }
  return { opinions, badLines };
}

/** Formats an answer as one line, newline included. */
export function opinionLine(opinion: OpinionLine): string {
  return `${JSON.stringify(opinion)}\n`;
}

function parseLine(line: string): OpinionLine {
  const fields = asObject(parseJson(line), "this line");
  const id = asText(fields["id"], "id");
  if (id === undefined)
    throw new MalformedField("id is missing; it must be the id of a question, as --briefs writes it");
  const verdict = verdicts.find((name) => name === fields["verdict"]);
  if (verdict === undefined) throw new MalformedField(`verdict is ${shown(fields["verdict"])}; ${expectedVerdict}`);
  const advice = asText(fields["advice"], "advice");
  return { id, verdict, ...(advice === undefined ? {} : { advice }) };
}

const expectedVerdict = 'it must be "stuck", "working" or "unsure"';

function shown(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value).slice(0, 40);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new MalformedField('this is not JSON; a line must be like {"id": "…", "verdict": "stuck", "advice": "…"}');
  }
}
