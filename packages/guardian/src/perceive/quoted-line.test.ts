import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { plainDigest } from "./hash.ts";
import { perceiveOutcome } from "./perceive.ts";
import type { Status } from "./print.ts";

const folder = new URL("../../test/fixtures/tool-outputs/", import.meta.url);
const MARK = "» ";

interface Output {
  readonly name: string;
  readonly status: Status;
  readonly text: string;
  readonly expected: string | undefined;
}

/** The blocks of all files; the README of the folder explains their form. */
const outputs: readonly Output[] = readdirSync(folder)
  .filter((file) => file.endsWith(".txt"))
  .flatMap((file) =>
    readFileSync(new URL(file, folder), "utf8")
      .split(/^#### /m)
      .slice(1),
  )
  .map(readBlock);

function readBlock(block: string): Output {
  const [name = "", ...lines] = block.trimEnd().split("\n");
  const [first = ""] = lines;
  const isPart = first.startsWith("quote:");
  const content = isPart ? lines.slice(1) : lines;
  const marked = content.find((line) => line.startsWith(MARK))?.slice(MARK.length);
  return {
    name,
    status: name.endsWith("(ok)") ? "ok" : "error",
    text: content.map((line) => (line.startsWith(MARK) ? line.slice(MARK.length) : line)).join("\n"),
    expected: cut((isPart ? first.slice("quote:".length) : (marked ?? "")).trim()),
  };
}

function cut(line: string): string | undefined {
  return line.length > 160 ? `${line.slice(0, 159)}…` : line || undefined;
}

function quoteOf(text: string, status: Status = "error"): string | undefined {
  return perceiveOutcome({ status, content: text }, undefined, { digest: plainDigest, redact: (line) => line }).excerpt;
}

describe("the line that a message quotes says what went wrong", () => {
  test.each(outputs.map((output) => [output.name, output] as const))("%s", (_, { text, status, expected }) => {
    expect(quoteOf(text, status)).toBe(expected);
  });
});

describe("every result can be quoted", () => {
  const line = "Error: the disk is full";

  test.each([
    ["at the head", `${line}\n${"copied one more file\n".repeat(200_000)}`],
    ["at the end", `${"copied one more file\n".repeat(200_000)}${line}\n`],
  ])("a large result with the error %s", (_, text) => {
    expect(quoteOf(text)).toBe(line);
  });

  test("colours and the progress of a terminal are left out", () => {
    const esc = String.fromCharCode(27);
    expect(quoteOf(`10 %\r50 %\r${esc}[31;1m${line}${esc}[0m\r\ndone`)).toBe(line);
  });

  test("the line is redacted and has at most 160 characters", () => {
    const redact = (text: string) => text.replace(/sk-\w+/g, "…");
    const content = `connecting\nError: key sk-abc123 is not valid ${"x ".repeat(200)}`;
    const { excerpt } = perceiveOutcome({ status: "error", content }, undefined, { digest: plainDigest, redact });
    expect(excerpt).toMatch(/^Error: key … is not valid x x/);
    expect(excerpt).toHaveLength(160);
  });

  test("no line of a private key is quoted", () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA\n".repeat(3)}kQ==`;
    expect(quoteOf(`${key}\n-----END PRIVATE KEY-----\n[exit code 1]`)).not.toMatch(/MII|kQ/);
  });

  test("a result whose output is empty is quoted as it is", () => {
    const content = '{"stdout":"","stderr":"","exit_code":1}';
    expect(quoteOf(content)).toBe(content);
  });

  test("JSON that is cut off", () => {
    expect(quoteOf('{"error":{"message":"the request was too lar')).toBe("the request was too lar");
  });
});
