import { untilAborted } from "../../async/until-aborted.ts";
import type { Message } from "../../protocol/messages.ts";
import { escapeTags } from "../data-tags.ts";
import { keepWithin } from "../message-selection.ts";
import { isNote, isSummary, notedCount, summarizedCount, summaryMessage } from "../omission-notes.ts";
import { shortenText } from "../shortened-message.ts";
import { compact } from "./compact.ts";
import { slidingWindow } from "./sliding-window.ts";
import type { Crowded, Summarize } from "./strategy.ts";

/** What came of it; `problem` says why there is no summary. */
export interface Summarized {
  readonly messages: readonly Message[];
  readonly problem?: string;
}

/** A summary takes up at most this share of the room that is aimed at, but is left enough for a sentence. */
const summaryShare = 0.15;
const leastSummaryTokens = 100;

/** Replaces the older messages by a summary, into which an earlier one goes as well; compacts where none can be had. */
export async function summarize(crowded: Crowded, ask: Summarize, signal: AbortSignal): Promise<Summarized> {
  const { messages, aim, limit, minTail, counter } = crowded;
  const summaryTokens = Math.max(leastSummaryTokens, Math.floor(aim * summaryShare));
  const room = { aim: aim - summaryTokens, limit: limit - summaryTokens, minTail, counter };
  const { kept, leftOut, gap } = keepWithin(
    messages.filter((message) => !isSummary(message) && !isNote(message)),
    room,
  );
  const first = leftOut[0];
  if (first === undefined) return { messages: compact(crowded) };

  const old = messages.filter(isSummary);
  const count = leftOut.length + notedCount(messages) + old.reduce((sum, message) => sum + summarizedCount(message), 0);
  // The request for the summary has to fit into the context, too.
  const asked = slidingWindow({
    messages: leftOut,
    aim: limit - 2 * summaryTokens,
    limit: limit - 2 * summaryTokens,
    minTail: 0,
    counter,
  });
  try {
    const text = (await untilAborted(ask([...old, ...asked], signal), signal)).trim();
    if (text === "") return { messages: compact(crowded), problem: "The summary was empty." };
    const frame = counter.countMessage(summaryMessage("", count, first));
    const summary = summaryMessage(shortenText(escapeTags(text), summaryTokens - frame, counter), count, first);
    return { messages: [...kept.slice(0, gap), summary, ...kept.slice(gap)] };
  } catch (error) {
    return {
      messages: compact(crowded),
      problem: `No summary could be had: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
