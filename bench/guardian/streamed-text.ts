import { createGuardian } from "../../packages/guardian/dist/index.js";
import { type Contestant, runRounds } from "../measure/rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import { geminiCliOnText } from "./gemini-cli.ts";
import { sourceText } from "./text.ts";
import { createWriter, type Writer } from "./writer.ts";

/** Streams of text, cut into deltas. A goal is a share of the peer's cost, where the peer inspects the whole text. */
const streams: readonly Stream[] = [
  { what: "prose", deltaSize: 5, deltas: 1_200, text: prose, goal: 0.02 },
  { what: "prose", deltaSize: 20, deltas: 600, text: prose, goal: 0.02 },
  { what: "prose, code and lists", deltaSize: 5, deltas: 1_200, text: mixed },
];

interface Stream {
  readonly what: string;
  /** Average number of characters. */
  readonly deltaSize: number;
  /** Number of deltas a round. */
  readonly deltas: number;
  readonly text: (writer: Writer) => string;
  readonly goal?: number;
}

/** Absolute cost of inspecting a stream. */
export interface StreamCost {
  readonly what: string;
  readonly deltaSize: number;
  readonly microsPerDelta: number;
  readonly nanosPerCharacter: number;
}

/** The cost of inspecting streamed text for repetition, on text that does not repeat itself. */
export async function streamRows(): Promise<{ readonly rows: readonly Row[]; readonly costs: readonly StreamCost[] }> {
  const measured = [];
  for (const stream of streams) measured.push(await measureStream(stream));
  return { rows: measured.map(({ row }) => row), costs: measured.map(({ cost }) => cost) };
}

async function measureStream(stream: Stream): Promise<{ readonly row: Row; readonly cost: StreamCost }> {
  const { what, deltaSize, deltas, text, goal } = stream;
  const peer = await geminiCliOnText();
  const nextDeltas = deltasOf(text, deltaSize);
  const times = runRounds({
    contestants: [guardianOnText(), ...(peer === undefined ? [] : [peer])],
    warmUps: 6,
    rounds: 24,
    batch: () => nextDeltas(deltas),
  });
  const microsPerDelta = times.micros("guardian");
  const title = `guardian, ${what} in deltas of ${deltaSize}`;
  return {
    row:
      peer === undefined
        ? missing(title, "gemini-cli", "not installed")
        : row(title, "gemini-cli", times.ratio("guardian", "gemini-cli"), goal),
    cost: { what, deltaSize, microsPerDelta, nanosPerCharacter: (microsPerDelta / deltaSize) * 1_000 },
  };
}

/** A guardian that inspects one endless stream. */
function guardianOnText(): Contestant<string> {
  let at = Date.UTC(2026, 0, 1);
  const guardian = createGuardian({ now: () => (at += 20) });
  return {
    name: "guardian",
    run(batch) {
      for (const text of batch) {
        if (guardian.delta("text", text).length > 0)
          throw new Error("Expected no intervention on text that does not repeat itself.");
      }
    },
  };
}

/** Cuts endless text into deltas of half to one and a half times the size. Each is a flat string, as from a network. */
function deltasOf(text: (writer: Writer) => string, deltaSize: number): (count: number) => readonly string[] {
  const writer = createWriter(deltaSize);
  let rest = "";
  return (count) =>
    Array.from({ length: count }, () => {
      const size = Math.round(deltaSize / 2) + writer.below(deltaSize + 1);
      while (rest.length < size) rest += text(writer);
      const delta = Buffer.from(rest.slice(0, size)).toString();
      rest = rest.slice(size);
      return delta;
    });
}

/** A paragraph without the characters at which the peer stops to inspect text. */
function prose({ word, below }: Writer): string {
  const sentences = Array.from(
    { length: 4 + below(4) },
    () => `${Array.from({ length: 6 + below(12) }, word).join(" ")}, ${word()} ${word()}.`,
  );
  return `${sentences.join(" ")} `;
}

/** Text like the answer of a coding model. */
function mixed(writer: Writer): string {
  const { word, below } = writer;
  const list = Array.from({ length: 3 + below(5) }, () => `- ${word()} ${word()} the ${word()}\n`).join("");
  return `${prose(writer)}\n\n${list}\n${prose(writer)}\n\n\`\`\`ts\n${sourceText(writer, 600)}\`\`\`\n\n`;
}
