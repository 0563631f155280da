import { baselineName, baselineRoot, importBuilt, oursName, ownRoot } from "../measure/baseline.ts";
import { type Contestant, runRounds } from "../measure/rounds.ts";
import { type Row, row } from "../measure/row.ts";
import { logText, sourceText } from "./text.ts";
import { createWriter, type Writer } from "./writer.ts";

const resultLength = 100_000;

/** The exports that redact secrets in a text: the name of today, and an earlier one. */
interface RecordsExports {
  readonly redactSecrets?: (text: string) => string;
  readonly maskSecrets?: (text: string) => string;
}

/** The cost of redacting a tool result of 100 kB against the other build; no rows without one. */
export async function redactionRows(): Promise<readonly Row[]> {
  if (baselineRoot === undefined) return [];
  const contestants = [await redactor(oursName, ownRoot), await redactor(baselineName, baselineRoot)];
  const writer = createWriter(11);
  return [
    { title: "without secrets", text: resultText },
    { title: "with secrets", text: textWithSecrets },
  ].map(({ title, text }) => {
    const times = runRounds({
      contestants,
      warmUps: 6,
      rounds: 30,
      batch: () => Array.from({ length: 4 }, () => Buffer.from(text(writer)).toString()), // flat strings
    });
    return row(`redacting 100 kB ${title}`, baselineName, times.ratio(oursName, baselineName), 2);
  });
}

async function redactor(name: string, root: string): Promise<Contestant<string>> {
  const { redactSecrets, maskSecrets } = await importBuilt<RecordsExports>(root, "records");
  const redact = redactSecrets ?? maskSecrets;
  if (redact === undefined) throw new Error(`Expected ${name} to export redactSecrets.`);
  return {
    name,
    run(batch) {
      for (const text of batch) {
        if (redact(text).length === 0) throw new Error("Expected text after redaction.");
      }
    },
  };
}

function resultText(writer: Writer): string {
  return sourceText(writer, resultLength / 2) + logText(writer, resultLength / 2);
}

function textWithSecrets(writer: Writer): string {
  const lines = resultText(writer).split("\n");
  return lines
    .map((line, index) => (index % 100 === 0 ? `${line} api_key=sk-${writer.id()}${writer.id()}` : line))
    .join("\n");
}
