export { BRIEF_CALLS, type Brief, type BriefCall, type BriefInput, opinionBrief } from "./brief.ts";
export { dataBlock, shortened } from "./data-block.ts";
export { type Opinion, readOpinion } from "./read-opinion.ts";
