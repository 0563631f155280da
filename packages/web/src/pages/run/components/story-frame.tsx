import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "../../../parts/icon.tsx";
import { Anchor } from "./anchor.tsx";
import { useRunClock } from "./run-clock.ts";

interface StoryFrameProps {
  readonly rowKey: string;
  readonly seq: number;
  readonly at: number;
  readonly icon: IconName;
  /** The level that colours the dot. */
  readonly level?: string | undefined;
  readonly isSelected: boolean;
  readonly what: string;
  /** The first line; a fold has a summary in place of it. */
  readonly head?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A row of the story: its time, its glyph, its first line and what belongs to it. */
export function StoryFrame({ rowKey, seq, at, icon, level, isSelected, what, head, children }: StoryFrameProps) {
  const timeOf = useRunClock();
  return (
    <li
      class={`ev${isSelected ? " sel" : ""}`}
      id={`e${seq}`}
      data-key={rowKey}
      aria-current={isSelected ? "true" : undefined}
    >
      <time dateTime={new Date(at).toISOString()}>{timeOf(at)}</time>
      <span class={`dot${level === undefined ? "" : ` l ${level}`}`}>
        <Icon name={icon} />
      </span>
      <div>
        {head === undefined ? (
          <Anchor seq={seq} what={what} />
        ) : (
          <div class="head" data-time={timeOf(at) ?? ""}>
            {head}
            <Anchor seq={seq} what={what} />
          </div>
        )}
        {children}
      </div>
    </li>
  );
}
