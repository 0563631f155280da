import type { Finding } from "../finding.ts";
import type { Sight } from "../sight.ts";

/** A function of what is in sight; keeps nothing of its own. The ladder turns its count into levels. */
export type Detector = (sight: Sight) => Finding | undefined;
