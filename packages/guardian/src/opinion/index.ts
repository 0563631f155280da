export { BRIEF_CALLS, type Brief, type BriefCall, type BriefInput, opinionBrief } from "./brief.ts";
export { type Opinion, readOpinion } from "./read-opinion.ts";
