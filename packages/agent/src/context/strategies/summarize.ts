import { untilAborted } from "../../async/until-aborted.ts";
import { escapeTags } from "../../protocol/outside-text.ts";
import { selectMessages } from "../message-selection.ts";
import { countOmitted, countSummarized, createSummary, isOmissionNote, isSummary } from "../omission-notes.ts";
import { shortenText } from "../shortened-message.ts";
import { compact } from "./compact.ts";
import { slidingWindow } from "./sliding-window.ts";
import type { CompactionInput, CompactionResult, Summarize } from "./strategy.ts";

/** A summary takes at most this share of the target, but has room for a sentence. */
const summaryShare = 0.15;
const minSummaryTokens = 100;

/** Replaces older messages and earlier summaries by a new summary. Compacts if there is no summary. */
export async function summarize(
  input: CompactionInput,
  askForSummary: Summarize,
  signal: AbortSignal,
): Promise<CompactionResult> {
  const { messages, target, limit, minTail, counter, runStartedAt } = input;
  const maxSummaryTokens = Math.max(minSummaryTokens, Math.floor(target * summaryShare));
  const { kept, leftOut, gap } = selectMessages(
    messages.filter((message) => !isSummary(message) && !isOmissionNote(message)),
    { target: target - maxSummaryTokens, limit: limit - maxSummaryTokens, minTail, counter, runStartedAt },
  );
  const [firstOmitted] = leftOut;
  if (firstOmitted === undefined) return { messages: compact(input) };

  const count = leftOut.length + countOmitted(messages) + countSummarized(messages);
  // The request for the summary must fit into the context too.
  const room = limit - 2 * maxSummaryTokens;
  const source = slidingWindow({
    messages: leftOut,
    target: room,
    limit: room,
    minTail: 0,
    counter,
    arePromptsCuttable: true,
  });
  try {
    const answer = askForSummary([...messages.filter(isSummary), ...source], signal);
    const text = (await untilAborted(answer, signal)).trim();
    if (text === "") return { messages: compact(input), problem: "The summary was empty." };
    const overhead = counter.countMessage(createSummary("", count, firstOmitted));
    const short = shortenText(escapeTags(text), maxSummaryTokens - overhead, counter);
    return { messages: [...kept.slice(0, gap), createSummary(short, count, firstOmitted), ...kept.slice(gap)] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { messages: compact(input), problem: `The messages could not be summarized: ${reason}` };
  }
}
