import { clock } from "../../../format/times.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Markdown } from "../../../parts/markdown.tsx";
import type { LiveState } from "../model/live-overlay.ts";
import { Output } from "./call-output.tsx";
import { kindIcons } from "./call-status.tsx";

/** What happens at this moment: the text that streams, and the calls that run with the end of their output. */
export function NowRows({ live, isWaitingForUser }: { readonly live: LiveState; readonly isWaitingForUser: boolean }) {
  const { text, thinking, writingCallTo, calls } = live;
  const isQuiet = text === "" && calls.length === 0;
  return (
    <ol class="story now" aria-label="Now">
      {text !== "" && (
        <li class="ev">
          <time>now</time>
          <span class="dot">
            <Icon name="text" />
          </span>
          <div>
            <div class="head">
              <b>Agent</b>
              <i class="pulse" />
            </div>
            <Markdown text={text} />
          </div>
        </li>
      )}
      {calls.map((call) => (
        <li class="ev" key={call.callId}>
          <time>{clock(call.at)}</time>
          <span class="dot">
            <Icon name={kindIcons[call.kind]} />
          </span>
          <div>
            <div class="head">
              <code class="cut">{call.text}</code>
              {call.status === null ? <i class="pulse" /> : <span class="faint">{call.status}</span>}
            </div>
            {call.output !== "" && (
              <Output text={call.output.split("\n").slice(-12).join("\n")} error="" label="Output so far" />
            )}
          </div>
        </li>
      ))}
      {isQuiet && (
        <li class="ev">
          <time>now</time>
          <span class="dot">
            <i class="pulse" />
          </span>
          <div>
            <div class="head faint">{isWaitingForUser ? "Waits for you." : quietWords(writingCallTo, thinking)}</div>
          </div>
        </li>
      )}
    </ol>
  );
}

function quietWords(writingCallTo: LiveState["writingCallTo"], thinking: string): string {
  if (writingCallTo !== null) return `Writes a call to ${writingCallTo}.`;
  return thinking === "" ? "Waits for the model." : "Thinks.";
}
