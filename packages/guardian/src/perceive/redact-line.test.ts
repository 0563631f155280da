import { describe } from "vitest";
import { testRedaction } from "../../test/redaction-cases.ts";
import { redactLine } from "./redact-line.ts";

describe("redactLine", () => testRedaction(redactLine));
