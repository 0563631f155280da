import type { InterventionView, RunDetail } from "../../../contract/index.ts";
import type { RunModel } from "../model/run-model.ts";

/** What every row of the story knows about the page. */
export interface StoryContext {
  readonly detail: RunDetail;
  readonly model: RunModel;
  /** By the sequence number of their event. */
  readonly interventions: ReadonlyMap<number, InterventionView>;
  readonly selectedSeq: number | null;
  readonly selectedKey: string | null;
  readonly isOpen: (key: string, byDefault: boolean) => boolean;
  readonly setOpen: (key: string, isOpen: boolean) => void;
}
