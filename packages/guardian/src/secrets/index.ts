export { findSecrets } from "./find-secrets.ts";
export { redactSecrets } from "./redact-secrets.ts";
export { isSecretFile } from "./secret-files.ts";
export { isSecretName, isSecretParameter, isSecretVariable } from "./secret-names.ts";
export type { Span } from "./span.ts";
