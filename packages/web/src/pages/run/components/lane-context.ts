import type { RunDetail } from "../../../contract/index.ts";
import type { Axis } from "../model/axis.ts";
import type { RunModel } from "../model/run-model.ts";

/** What every lane is drawn from. `version` changes with the model. */
export interface LaneContext {
  readonly detail: RunDetail;
  readonly model: RunModel;
  readonly version: number;
  readonly axis: Axis;
  /** The width of the lanes in pixels. */
  readonly width: number;
  /** The end of what happened: the end of the run, or now. */
  readonly now: number;
  readonly selectedSeq: number | null;
}
