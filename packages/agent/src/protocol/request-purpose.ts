/** What a request to a model is for. */
export const requestPurposes = ["turn", "summary", "memory", "opinion"] as const;
export type RequestPurpose = (typeof requestPurposes)[number];
