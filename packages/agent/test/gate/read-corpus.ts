import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A command of the corpus and what the gate should decide about it; `corpus/README.md` explains the files. */
export interface CorpusLine {
  /** `everyday/git.txt:12` */
  readonly place: string;
  readonly command: string;
  readonly expected: Expectation;
}

export type Expectation = "allow" | "ask" | "deny" | "T0" | "T1" | "T2" | "T3" | "T4";

const expectation = "allow|ask|deny|T[0-4]";
const directive = new RegExp(`^#! (${expectation})$`);
const override = new RegExp(`^(.*?) +=> (${expectation})$`);

/** The lines of all files in a folder of the corpus. */
export function readCorpus(folder: "dangerous" | "everyday"): readonly CorpusLine[] {
  const path = join(import.meta.dirname, "corpus", folder);
  return readdirSync(path)
    .sort()
    .flatMap((file) => parseCorpus(`${folder}/${file}`, readFileSync(join(path, file), "utf8")));
}

/** The commands in the text of a file. */
export function parseCorpus(file: string, text: string): readonly CorpusLine[] {
  let expected: Expectation | undefined;
  return text.split("\n").flatMap((line, index) => {
    const place = `${file}:${index + 1}`;
    const [, fileExpectation] = directive.exec(line) ?? [];
    if (fileExpectation !== undefined) expected = fileExpectation as Expectation; // the pattern allows no other text
    if (line === "" || line.startsWith("# ") || line.startsWith("#!")) return [];
    const [, command = line, ownExpectation = expected] = override.exec(line) ?? [];
    if (ownExpectation === undefined) throw new Error(`Expected a line such as "#! deny" before ${place}.`);
    return [{ place, command: withoutEscapes(command), expected: ownExpectation as Expectation }]; // as above
  });
}

/** True when a decision with this tier is what a line expects. */
export function isAsExpected(expected: Expectation, { tier, decision }: { tier: number; decision: string }): boolean {
  if (expected === "allow") return decision === "allow";
  if (expected === "ask" || expected === "deny") return decision !== "allow";
  return expected === `T${tier}` && (tier < 3 || decision !== "allow");
}

/** Replaces `\n`, `\r`, `\xHH`, `\uHHHH`, `\u{H}` and `\\`; any other backslash stays. */
function withoutEscapes(text: string): string {
  const escapes = /\\(?:(n)|(r)|(\\)|x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]+)\})/gi;
  return text.replaceAll(escapes, (_, newline, carriageReturn, backslash, ...codes: (string | undefined)[]) => {
    if (newline !== undefined) return "\n";
    if (carriageReturn !== undefined) return "\r";
    if (backslash !== undefined) return "\\";
    return String.fromCodePoint(Number.parseInt(codes.slice(0, 3).find((code) => code !== undefined) ?? "", 16));
  });
}
