import { keepShape } from "../async/keep-shape.ts";
import type { RequestOptions } from "./prepared-request.ts";
import type { StreamListener } from "./read-stream.ts";
import type { Heed } from "./reply-draft.ts";
import type { StreamWatch } from "./stream-watch.ts";

type Passing = Pick<RequestOptions, "onWaiting" | "emit" | "onDelta">;

/** Passes on what is heard of a stream, as events and to whoever may interrupt. */
export function listenFor(options: Passing, watch: Pick<StreamWatch, "alive">): StreamListener {
  return new Listening(options, watch);
}

class Listening implements StreamListener {
  private readonly options: Passing;
  private readonly watch: Pick<StreamWatch, "alive">;
  private isFirst = true;

  constructor(options: Passing, watch: Pick<StreamWatch, "alive">) {
    this.options = options;
    this.watch = watch;
  }

  alive(): void {
    this.watch.alive();
    if (this.isFirst) this.options.onWaiting("stream");
    this.isFirst = false;
  }

  said(type: "text" | "thinking", text: string): Heed {
    this.options.emit(type === "text" ? { type: "TextDelta", text } : { type: "ThinkingDelta", text });
    return this.options.onDelta(type, text);
  }

  called(callId: string, tool: string): void {
    this.options.emit({ type: "ToolUseStart", callId, tool });
  }

  wrote(callId: string, text: string): Heed {
    this.options.emit({ type: "ToolInputDelta", callId, text });
    return this.options.onDelta("tool-input", text);
  }
}

keepShape(new Listening({ onWaiting() {}, emit() {}, onDelta: () => "go-on" }, { alive() {} }));
