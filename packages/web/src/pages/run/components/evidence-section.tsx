import { useMemo } from "preact/hooks";
import type { InterventionView } from "../../../contract/index.ts";
import { type Call, commandOf } from "../model/call.ts";
import { errorLine } from "../model/error-line.ts";
import type { RunModel } from "../model/run-model.ts";
import { markDifferences, type Segment } from "../model/text-tokens.ts";
import { timeText } from "../model/time-text.ts";

/** Lines of each call; the beginning and the end say the most. */
const HEAD_LINES = 4;
const TAIL_LINES = 8;

/** Two of the calls behind an intervention, side by side, with what differs marked. */
export function EvidenceSection({ view, model }: { readonly view: InterventionView; readonly model: RunModel }) {
  const calls = view.callIds.map((callId) => model.callById.get(callId)).filter((call) => call !== undefined);
  const [first] = calls;
  const last = calls.at(-1);
  const marked = useMemo(
    () => (first === undefined || last === undefined ? undefined : markDifferences(callLines(first), callLines(last))),
    [first, last],
  );
  if (first === undefined || last === undefined || marked === undefined) return null;
  const isOne = first === last;
  const hasDifference =
    marked[0].some(({ isDifferent }) => isDifferent) || marked[1].some(({ isDifferent }) => isDifferent);
  return (
    <section>
      <h3>
        Evidence{" "}
        <span class="faint">
          {isOne ? "1 call" : `2 of ${calls.length} calls`}
          {!isOne &&
            (hasDifference ? (
              <>
                ; <mark>marked</mark> is what differs
              </>
            ) : (
              "; nothing differs"
            ))}
        </span>
      </h3>
      <div class={`side${isOne ? " one" : ""}`}>
        <Side call={first} segments={marked[0]} />
        {!isOne && <Side call={last} segments={marked[1]} />}
      </div>
    </section>
  );
}

function Side({ call, segments }: { readonly call: Call; readonly segments: readonly Segment[] }) {
  const error = call.isFailed ? errorLine(call.content) : "";
  return (
    <div>
      <h4>
        <a href={`#e${call.seq}`}>Call {call.number}</a>
        <span class="num">{timeText(call.at, true)}</span>
      </h4>
      <pre>{segments.map(({ text, isDifferent }) => (isDifferent ? <mark>{text}</mark> : withError(text, error)))}</pre>
    </div>
  );
}

/** The line with the error in its colour. */
function withError(text: string, error: string) {
  const at = error === "" ? -1 : text.indexOf(error);
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <span class="err">{error}</span>
      {text.slice(at + error.length)}
    </>
  );
}

function callLines(call: Call): string {
  const command = commandOf(call.input);
  const head = command === undefined ? call.text : `$ ${command.split("\n").slice(0, 3).join("\n")}`;
  const lines = call.content.replace(/\n+$/, "").split("\n");
  const isShort = lines.length <= HEAD_LINES + TAIL_LINES + 1;
  const shown = isShort
    ? lines
    : [...lines.slice(0, HEAD_LINES), `… ${lines.length - HEAD_LINES - TAIL_LINES} lines`, ...lines.slice(-TAIL_LINES)];
  return [head, ...shown.map((line) => (line.length > 400 ? `${line.slice(0, 400)}…` : line))].join("\n");
}
