import { createGuardian } from "../../packages/guardian/dist/index.js";
import { emptyStream, inspectStream } from "../../packages/guardian/src/detect/stream-repetition.ts";
import { type Contestant, runRounds } from "../measure/rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import { geminiCliListening } from "./gemini-cli.ts";
import { sourceText } from "./text.ts";
import { createWriter, type Writer } from "./writer.ts";

/** What is streamed, in deltas of about so many characters; the most the guardian may cost of what the peer costs, where the peer looks at all of it. */
const streams = [
  { what: "prose", deltaSize: 5, deltas: 1_200, text: prose, goal: 0.02 },
  { what: "prose", deltaSize: 20, deltas: 600, text: prose, goal: 0.02 },
  { what: "prose, code and lists", deltaSize: 5, deltas: 1_200, text: mixed },
] as const;

/** What listening to a stream costs; absolute, so only a rough idea. */
export interface Listening {
  readonly what: string;
  readonly deltaSize: number;
  readonly microsPerDelta: number;
  readonly nanosPerCharacter: number;
}

/** What it costs to listen for a text that repeats itself, in text that does not. */
export async function chantRows(): Promise<{
  readonly rows: readonly Row[];
  readonly listening: readonly Listening[];
}> {
  const rows: Row[] = [];
  const listening: Listening[] = [];
  for (const { what, deltaSize, deltas, text, ...held } of streams) {
    const peer = await geminiCliListening();
    const stream = deltasOf(text, deltaSize);
    const taken = runRounds({
      contestants: [guarded(), detector(), ...(peer === undefined ? [] : [peer])],
      warmUps: 6,
      rounds: 24,
      batch: () => stream(deltas),
    });
    const microsPerDelta = taken.micros("guardian");
    listening.push({ what, deltaSize, microsPerDelta, nanosPerCharacter: (microsPerDelta / deltaSize) * 1_000 });
    const streamed = `${what} in deltas of ${deltaSize}`;
    rows.push(
      peer === undefined
        ? missing(`guardian, ${streamed}`, "gemini-cli", "not installed")
        : row(
            `guardian, ${streamed}`,
            "gemini-cli",
            taken.ratio("guardian", "gemini-cli"),
            "goal" in held ? held.goal : undefined,
          ),
      row(`guardian, ${streamed}`, "its detector alone", taken.ratio("guardian", "detector")),
    );
  }
  return { rows, listening };
}

/** The whole guardian in one endless stream. */
function guarded(): Contestant<string> {
  let at = Date.UTC(2026, 0, 1);
  const guardian = createGuardian({ now: () => (at += 20) });
  return {
    name: "guardian",
    run(batch) {
      for (const text of batch) {
        if (guardian.delta("text", text).length > 0)
          throw new Error("Expected nothing to be said about text that does not repeat itself.");
      }
    },
  };
}

/** Only the inspection of the stream. */
function detector(): Contestant<string> {
  let stream = emptyStream;
  return {
    name: "detector",
    run(batch) {
      for (const text of batch) {
        const inspected = inspectStream(stream, text);
        if (inspected.chant !== undefined) throw new Error("Expected no chant in text that does not repeat itself.");
        stream = inspected.stream;
      }
    },
  };
}

/** Cuts endless text into deltas, each between half and one and a half times the size, in strings of their own as they come off a wire. */
function deltasOf(text: (writer: Writer) => string, deltaSize: number): (count: number) => readonly string[] {
  const writer = createWriter(deltaSize);
  let left = "";
  return (count) =>
    Array.from({ length: count }, () => {
      const size = Math.round(deltaSize / 2) + writer.below(deltaSize + 1);
      while (left.length < size) left += text(writer);
      const delta = Buffer.from(left.slice(0, size)).toString();
      left = left.slice(size);
      return delta;
    });
}

/** A paragraph without a sign at which the peer would stop looking. */
function prose({ word, below }: Writer): string {
  const sentences = Array.from(
    { length: 4 + below(4) },
    () => `${Array.from({ length: 6 + below(12) }, word).join(" ")}, ${word()} ${word()}.`,
  );
  return `${sentences.join(" ")} `;
}

/** What an answer of a coding model looks like. */
function mixed(writer: Writer): string {
  const { word, below } = writer;
  const list = Array.from({ length: 3 + below(5) }, () => `- ${word()} ${word()} the ${word()}\n`).join("");
  return `${prose(writer)}\n\n${list}\n${prose(writer)}\n\n\`\`\`ts\n${sourceText(writer, 600)}\`\`\`\n\n`;
}
