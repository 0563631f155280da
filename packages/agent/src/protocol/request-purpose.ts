/** What a request to a model is for. */
export const requestPurposes = ["turn", "summary", "memory", "opinion", "gate", "judge", "plan"] as const;
export type RequestPurpose = (typeof requestPurposes)[number];
