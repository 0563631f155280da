import { describe } from "vitest";
import { testRedaction } from "../../test/redaction-cases.ts";
import { redactSecrets } from "./redact-secrets.ts";

describe("redactSecrets", () => testRedaction(redactSecrets));
