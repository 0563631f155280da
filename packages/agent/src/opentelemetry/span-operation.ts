/** A value of an attribute. */
export type AttributeValue = string | number | boolean | readonly string[];
/** An attribute that is undefined is left out. */
export type SpanAttributes = Readonly<Record<string, AttributeValue | undefined>>;

/** Why an operation failed: a word of a fixed list, and a sentence if there is one. */
export interface SpanFailure {
  readonly type: string;
  readonly message?: string;
}

/** What to do with a span. Spans are named by keys; times are milliseconds since 1970. */
export type SpanOperation =
  | {
      readonly type: "start";
      readonly span: string;
      /** A span that has started and not ended; absent for the span of a run that no other run started. */
      readonly parent?: string;
      /** Of the span of a run: the id of the run. */
      readonly runId?: string;
      readonly name: string;
      readonly kind: "internal" | "client";
      readonly at: number;
      readonly attributes: SpanAttributes;
    }
  | {
      readonly type: "event";
      readonly span: string;
      readonly name: string;
      readonly at: number;
      readonly attributes: SpanAttributes;
    }
  | {
      readonly type: "end";
      readonly span: string;
      readonly at: number;
      readonly attributes: SpanAttributes;
      readonly failure?: SpanFailure;
    };
