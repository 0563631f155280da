/** How a field is written: a wire type of protobuf and what its bytes mean. */
export type FieldType = "string" | "bytes" | "varint" | "fixed32" | "fixed64" | "double" | MessageName;

interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly isRepeated?: true;
}

const one = (name: string, type: FieldType): Field => ({ name, type });
const many = (name: string, type: FieldType): Field => ({ name, type, isRepeated: true });

/** The messages of OTLP 1.x with the field numbers of the published .proto files. Any other field is an error. */
const messages = {
  ExportTraceServiceRequest: { 1: many("resourceSpans", "ResourceSpans") },
  ResourceSpans: { 1: one("resource", "Resource"), 2: many("scopeSpans", "ScopeSpans"), 3: one("schemaUrl", "string") },
  ScopeSpans: { 1: one("scope", "InstrumentationScope"), 2: many("spans", "Span"), 3: one("schemaUrl", "string") },
  Resource: { 1: many("attributes", "KeyValue"), 2: one("droppedAttributesCount", "varint") },
  InstrumentationScope: {
    1: one("name", "string"),
    2: one("version", "string"),
    3: many("attributes", "KeyValue"),
    4: one("droppedAttributesCount", "varint"),
  },
  Span: {
    1: one("traceId", "bytes"),
    2: one("spanId", "bytes"),
    3: one("traceState", "string"),
    4: one("parentSpanId", "bytes"),
    5: one("name", "string"),
    6: one("kind", "varint"),
    7: one("startTimeUnixNano", "fixed64"),
    8: one("endTimeUnixNano", "fixed64"),
    9: many("attributes", "KeyValue"),
    10: one("droppedAttributesCount", "varint"),
    11: many("events", "Event"),
    12: one("droppedEventsCount", "varint"),
    13: many("links", "Link"),
    14: one("droppedLinksCount", "varint"),
    15: one("status", "Status"),
    16: one("flags", "fixed32"),
  },
  Event: {
    1: one("timeUnixNano", "fixed64"),
    2: one("name", "string"),
    3: many("attributes", "KeyValue"),
    4: one("droppedAttributesCount", "varint"),
  },
  Link: { 1: one("traceId", "bytes"), 2: one("spanId", "bytes"), 6: one("flags", "fixed32") },
  Status: { 2: one("message", "string"), 3: one("code", "varint") },
  KeyValue: { 1: one("key", "string"), 2: one("value", "AnyValue") },
  AnyValue: {
    1: one("stringValue", "string"),
    2: one("boolValue", "varint"),
    3: one("intValue", "varint"),
    4: one("doubleValue", "double"),
    5: one("arrayValue", "ArrayValue"),
    7: one("bytesValue", "bytes"),
  },
  ArrayValue: { 1: many("values", "AnyValue") },
} as const satisfies Readonly<Record<string, Readonly<Record<number, unknown>>>>;

export type MessageName =
  | "ExportTraceServiceRequest"
  | "ResourceSpans"
  | "ScopeSpans"
  | "Resource"
  | "InstrumentationScope"
  | "Span"
  | "Event"
  | "Link"
  | "Status"
  | "KeyValue"
  | "AnyValue"
  | "ArrayValue";

/** The field with a number; undefined if the message has none. */
export function fieldOf(message: MessageName, number: number): Field | undefined {
  return (messages[message] as Readonly<Record<number, Field>>)[number];
}

/** Whether a type is a message. */
export function isMessage(type: FieldType): type is MessageName {
  return type in messages;
}
