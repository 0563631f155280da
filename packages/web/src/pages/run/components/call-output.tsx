import { useState } from "preact/hooks";
import { load } from "../../../api/client.ts";
import type { WholeCall } from "../../../contract/index.ts";
import { visibleText } from "../../../format/visible-text.ts";
import { type Call, commandOf, pathOf } from "../model/call.ts";
import { errorLine } from "../model/error-line.ts";
import { DiffView } from "./diff-view.tsx";

const MAX_LINES = 40;

/** The input and the result of a call, in part; the rest is loaded on demand. */
export function CallOutput({ call, runId }: { readonly call: Call; readonly runId: string }) {
  const [whole, setWhole] = useState<WholeCall | { readonly problem: string } | undefined>(undefined);
  const [isLong, setLong] = useState(false);
  const loaded = whole !== undefined && "callId" in whole ? whole : undefined;
  const content = stripTag(loaded?.content ?? call.content);
  const lines = content.split("\n");
  const shown = isLong ? content : lines.slice(0, MAX_LINES).join("\n");
  const input = inputText(loaded?.input ?? call.input);
  const diff = loaded?.diff?.lines ?? call.diff?.lines;
  const canGrow = call.isCut || call.diff?.isCut === true;
  const showAll = () => {
    setLong(true);
    if (!canGrow || whole !== undefined) return;
    load("call", { params: { id: runId, callId: call.callId } }).then(setWhole, (error: unknown) =>
      setWhole({ problem: error instanceof Error ? error.message : String(error) }),
    );
  };
  return (
    <>
      {input !== "" && <Output text={input} error="" label="Input" />}
      {diff !== undefined && <DiffView lines={diff} />}
      {shown.trim() !== "" && <Output text={shown} error={call.isFailed ? errorLine(shown) : ""} label="Result" />}
      {(lines.length > MAX_LINES || canGrow) && !isLong && (
        <button type="button" class="btn quiet small" onClick={showAll}>
          Show all
        </button>
      )}
      {whole !== undefined && "problem" in whole && (
        <p class="bad">The whole call could not be loaded: {whole.problem}</p>
      )}
    </>
  );
}

/** Text of a tool, with the line that says what went wrong in its colour. */
export function Output({
  text,
  error,
  label,
}: {
  readonly text: string;
  readonly error: string;
  readonly label: string;
}) {
  const lines = visibleText(text).replace(/\n+$/, "").split("\n");
  const errorAt = error === "" ? -1 : lines.findLastIndex((line) => line.trim() === visibleText(error));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region can take the focus
    <pre class="out" tabIndex={0} title={label}>
      {errorAt < 0 ? (
        lines.join("\n")
      ) : (
        <>
          {lines.slice(0, errorAt).map((line) => `${line}\n`)}
          <span class="err">{lines[errorAt]}</span>
          {lines.slice(errorAt + 1).map((line) => `\n${line}`)}
        </>
      )}
    </pre>
  );
}

/** What the first line of a row does not show: a command of several lines, or arguments besides the path. */
function inputText(input: unknown): string {
  const command = commandOf(input);
  if (command !== undefined) return command.includes("\n") || command.length > 110 ? command : "";
  if (typeof input !== "object" || input === null) return typeof input === "string" ? input : "";
  const isPathOnly = pathOf(input) !== undefined && Object.keys(input).length === 1;
  return isPathOnly ? "" : JSON.stringify(input, null, 2);
}

/** The text of others in a result, without the sentence and the tag that mark it as data for the model. */
function stripTag(content: string): string {
  return content.replace(/^The text between the data tags[^\n]*\n<data source="[^"]*">\n([\s\S]*)\n<\/data>/, "$1");
}
