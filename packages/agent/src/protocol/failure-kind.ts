/** What kind of problem made a request to a model fail. */
export type FailureKind =
  | "auth"
  | "not-found"
  | "rate-limit"
  | "overloaded"
  | "context-too-long"
  | "network"
  | "timeout"
  | "bad-response"
  | "cancelled"
  /** Not sent: the budget does not cover it. */
  | "budget"
  | "unknown";
