import type { JsonObject } from "../../trajectory/json-fields.ts";

/** A span as it is recorded, with the resource that made it. */
export interface RawSpan {
  readonly span: JsonObject;
  readonly resource: JsonObject;
}
