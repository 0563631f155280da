import { callOut } from "../call-out.ts";
import { keepShape } from "../keep-shape.ts";
import { thrownText, toText } from "./to-text.ts";
import { failed, ok, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

/** A tool at work: it is over when the tool has ended, or once it is cut short, whichever comes first. */
export class Attempt {
  /** What came of it, perhaps after it was cut short. */
  outcome: ToolOutcome | undefined = undefined;
  /** Why it was cut short. */
  why: "timeout" | "interrupted" | undefined = undefined;
  readonly over: Promise<void>;
  private end: (() => void) | undefined = undefined;

  constructor() {
    this.over = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  async make(tool: Tool, input: unknown, context: ToolContext): Promise<void> {
    try {
      this.outcome = readOutcome(await callOut(tool, "run", input, context));
    } catch (thrown) {
      this.outcome = failed(`${tool.name} failed: ${thrownText(thrown)}`);
    }
    this.end?.();
  }

  cutShort(why: "timeout" | "interrupted"): void {
    if (this.outcome !== undefined || this.why !== undefined) return;
    this.why = why;
    this.end?.();
  }
}

/** What a tool gave back, which its types promise but nothing enforces. */
function readOutcome(given: unknown): ToolOutcome {
  if (typeof given !== "object" || given === null || !("status" in given) || !("content" in given)) return ok(toText(given));
  const { status, content } = given;
  if (status !== "ok" && status !== "error" && status !== "timeout" && status !== "interrupted") return ok(toText(given));
  const details = "details" in given ? given.details : undefined;
  const text = toText(content);
  return details === undefined ? { status, content: text } : { status, content: text, details };
}

keepShape(new Attempt());
