import type { ComponentChildren } from "preact";
import { Icon } from "../../../parts/icon.tsx";
import type { StoryContext } from "./story-context.ts";

interface FoldProps {
  /** The key of its row. */
  readonly id: string;
  readonly context: StoryContext;
  readonly class?: string;
  readonly isOpenByDefault?: boolean;
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of the story that can be opened. What it has inside is made when it is open. */
export function Fold({ id, context, class: className = "", isOpenByDefault = false, summary, children }: FoldProps) {
  const isOpen = context.isOpen(id, isOpenByDefault);
  return (
    <details class={`fold ${className}`} open={isOpen}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
      <summary
        onClick={(event) => {
          event.preventDefault();
          context.setOpen(id, !isOpen);
        }}
      >
        <Icon name="chev" class="chev" />
        {summary}
      </summary>
      {isOpen && children}
    </details>
  );
}
