import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject, parseJson } from "../../trajectory/parse-json.ts";
import type { RecordedStatus } from "../../trajectory/recorded-run.ts";
import { listField, objectField, optional, textField } from "../fields.ts";
import type { CallResult } from "../step-list.ts";

/** The result of a call from its output: a text, a list of content, or in old recordings an object. */
export function callOutput(output: unknown): CallResult {
  const { text, success } = outputText(output);
  const structured = structuredOutput(text);
  const body = structured?.output ?? text;
  const status = statusOf(body);
  const exitCode = structured?.exitCode ?? exitCodeOf(body);
  const isError = exitCode === undefined ? (saysFailure(body) ?? success) : exitCode !== 0;
  return {
    result: withoutBookkeeping(body),
    isError: status === "interrupted" ? null : status !== undefined || isError,
    ...optional("status", status),
    ...optional("child", structured?.child),
  };
}

interface OutputText {
  readonly text: string;
  /** null where the recording does not say it. */
  readonly success: boolean | null;
}

function outputText(output: unknown): OutputText & { readonly success: boolean | null } {
  if (typeof output === "string") return { text: output, success: null };
  if (Array.isArray(output)) return { text: contentText(output), success: null };
  const { content, content_items, success } = objectField(output);
  const text = textField(content) ?? contentText(listField(content_items));
  return { text, success: typeof success === "boolean" ? !success : null };
}

/** The text of a list of content; an image is only named. */
export function contentText(content: unknown): string {
  return listField(content)
    .map(objectField)
    .map(({ text, type }) => (typeof text === "string" ? text : `[${textField(type) ?? "content"}]`))
    .join("\n");
}

interface StructuredOutput {
  readonly output?: string;
  readonly exitCode?: number;
  readonly child?: string;
}

/** Older recordings wrap the output of a command into JSON with its exit code; a spawned agent is JSON with its id. */
function structuredOutput(text: string): StructuredOutput | undefined {
  if (!text.startsWith("{")) return undefined;
  const parsed = parseJson(text);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { output, metadata, agent_id } = parsed.value;
  return {
    ...optional("output", typeof output === "string" && isObject(metadata) ? output : undefined),
    ...optional("exitCode", exitCodeField(objectField(metadata))),
    ...optional("child", textField(agent_id)),
  };
}

function exitCodeField({ exit_code }: JsonObject): number | undefined {
  return typeof exit_code === "number" ? exit_code : undefined;
}

/** The lines before the output of a command, in which newer versions tell how it went; empty for other outputs. */
function headerOf(text: string): string {
  const end = text.slice(0, HEADER_CHARS).search(/^Output:$/m);
  return end >= 0 && HEADER_START.test(text) ? text.slice(0, end) : "";
}

const HEADER_CHARS = 10_000;
const HEADER_START = /^(?:Exit code|Command|Chunk ID|Wall time|Process |Script )/;

function exitCodeOf(text: string): number | undefined {
  const code = /^(?:Exit code:|Process exited with code) (-?\d+)$/m.exec(headerOf(text))?.[1];
  return code === undefined ? undefined : Number(code);
}

/** Lines that tell how the call went: some differ each time, and the others say only that it succeeded. */
const BOOKKEEPING = new RegExp(
  "^(?:(?:Chunk ID|Original token count): .*|Wall time:? .* seconds|" +
    "(?:Exit code:|Process exited with code) 0|Script completed)$\\n?",
  "gm",
);

/** Without these lines, and without the title of the output where nothing else is left above it. */
function withoutBookkeeping(text: string): string {
  const header = headerOf(text);
  const kept = header.replace(BOOKKEEPING, "");
  const output = text.slice(header.length);
  return header !== "" && kept === "" ? output.replace(/^Output:\n?/, "") : kept + output;
}

/** What codex writes in place of an output is short. */
const STATUS_CHARS = 300;

const statusTexts: readonly (readonly [RecordedStatus, RegExp])[] = [
  ["interrupted", /^(?:Wall time: .* seconds\n)?aborted(?: by user.*)?$/],
  [
    "denied",
    /^(?:exec command|patch|[\w ]{0,40}) ?rejected by user|^rejected(?::|$)|rejected by user approval settings/,
  ],
  ["unknown-tool", /^unsupported (?:custom tool )?call:/],
  ["invalid-arguments", /^failed to parse function arguments/],
  [
    "timeout",
    /^(?:(?:Exit code|Wall time|Total output lines): .*\n|Output:\n)*command timed out after \d+ milliseconds/,
  ],
];

function statusOf(text: string): RecordedStatus | undefined {
  const head = text.slice(0, STATUS_CHARS);
  return statusTexts.find(([, pattern]) => pattern.test(head))?.[0];
}

const FAILURE = new RegExp(
  "^(?:execution error:|\\w+ failed(?: for [^:]*)?: |apply_patch verification failed|Script failed\\n|" +
    "tool call error:|err: |failed in sandbox)",
);

/** True for the texts of a failure, false for that of a script that ended well. */
function saysFailure(text: string): boolean | null {
  if (FAILURE.test(text)) return true;
  return text.startsWith("Script completed\n") ? false : null;
}
