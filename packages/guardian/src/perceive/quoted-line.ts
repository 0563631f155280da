import { type HeaderRule, headerRules, lineRules, NOISE, PLAIN_LINE, STDERR_BONUS } from "./error-lines.ts";
import { headAndTail } from "./scan.ts";

/** Characters that are read at each end of a long result: errors stand at its head or at its end. */
const WINDOW = 8_192;
/** Characters of a line that are compared with the rules. */
const MAX_LINE = 400;

/** The line of a failed result that says what went wrong: the one with the highest score. Of equal ones, the first. */
export function quotedLine(result: string): string | undefined {
  const text = headAndTail(result, WINDOW).replace(colours, "");
  const trimmed = text.trimStart();
  if (trimmed.startsWith("{") || trimmed.startsWith("[{")) return quoteFromJson(text) ?? bestLine(text);
  return bestLine(text);
}

/** Escape sequences for colours on a terminal. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]{0,20}[A-Za-z]`, "g");

/** Fields of a JSON error, the most specific first. */
const messageFields = ["message", "detail", "error_description", "msg", "error", "reason", "title"];

/** The message of a JSON error, or the line of the output that a JSON result carries. */
function quoteFromJson(json: string): string | undefined {
  const stdout = jsonField(json, "stdout") ?? jsonField(json, "output");
  const stderr = jsonField(json, "stderr");
  if (stdout === undefined && stderr === undefined) return messageOf(json);
  return stderr?.trim() ? bestLine(`${stdout ?? ""}\n[stderr]\n${stderr}`) : bestLine(stdout ?? "");
}

function messageOf(json: string): string | undefined {
  for (const field of messageFields) {
    const message = jsonField(json, field);
    if (message?.trim()) return bestLine(message);
  }
  return undefined;
}

/** The text of the first field of this name; the JSON may be cut off. */
function jsonField(json: string, field: string): string | undefined {
  const text = new RegExp(`"${field}"\\s{0,8}:\\s{0,8}"((?:[^"\\\\]|\\\\.)*)`).exec(json)?.[1];
  return text?.replace(/\\(.)/g, (_, escaped: string) => ({ n: "\n", r: "\n", t: "\t" })[escaped] ?? escaped);
}

interface ScoredLine {
  readonly line: string;
  readonly score: number;
  readonly takesLast?: true | undefined;
}

function bestLine(text: string): string | undefined {
  let best: ScoredLine | undefined;
  for (const scored of scoreLines(text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== "")))
    if (best === undefined || scored.score > best.score || (scored.score === best.score && scored.takesLast))
      best = scored;
  return best && (isJson.test(best.line) ? (messageOf(best.line) ?? best.line) : best.line);
}

const isJson = /^\s{0,80}[{[]"?/;

function scoreLines(lines: readonly string[]): readonly ScoredLine[] {
  let header: HeaderRule | undefined; // waits for the line it announces
  let isStderr = false;
  return lines.map((line) => {
    const start = line.slice(0, MAX_LINE);
    const label = streamLabel.exec(start)?.[1];
    if (label !== undefined) isStderr = /err/i.test(label);
    const announcement = header?.announces.test(start) ? header : undefined;
    if (announcement !== undefined) header = undefined;
    header = headerRules.find(({ pattern }) => pattern.test(start)) ?? header;
    const { score, takesLast } = announcement === undefined ? scoreOf(start) : announced(announcement);
    return { line, takesLast, score: isStderr && score > NOISE ? score + STDERR_BONUS : score };
  });
}

/** A line of its own that names the stream of the lines below it. */
const streamLabel = /^\W{0,3}(stdout|stderr|standard (?:output|error))\W{0,4}$/i;

type Score = Omit<ScoredLine, "line">;

/** The newest failure is the one that ended the program. */
function announced({ score }: HeaderRule): Score {
  return { score, takesLast: true };
}

/** Of lines that nothing is known about, and of lines that say nothing, the last is the most likely. */
function scoreOf(line: string): Score {
  const { score, takesLast } = lineRules.find(({ pattern }) => pattern.test(line)) ?? { score: PLAIN_LINE };
  return { score, takesLast: takesLast ?? (score <= PLAIN_LINE || undefined) };
}
