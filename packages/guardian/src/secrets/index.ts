export { findSecrets } from "./find-secrets.ts";
export { redactSecrets } from "./redact-secrets.ts";
export type { Span } from "./span.ts";
