/** A reply of a session: one model request that calls a tool, and the tool's result. */
export interface ClaudeReply {
  readonly request: string;
  readonly command?: string;
  readonly result?: string;
  readonly outputTokens?: number;
  readonly at?: number;
}

const start = Date.UTC(2026, 10, 3, 9);

/** A session file of Claude Code: the prompt of a person and these replies. */
export function claudeSession(sessionId: string, cwd: string, replies: readonly ClaudeReply[]): string {
  const base = (index: number, at = start + index * 60_000) => ({
    uuid: `${sessionId}-${index}`,
    parentUuid: index === 0 ? null : `${sessionId}-${index - 1}`,
    sessionId,
    timestamp: new Date(at).toISOString(),
    cwd,
    version: "2.1.240",
    isSidechain: false,
    userType: "external",
  });
  const lines = replies.flatMap(({ request, command = "ls", result = "a.ts", outputTokens = 100, at }, index) => {
    const id = `toolu_${request}`;
    const content = [{ type: "tool_use", id, name: "Bash", input: { command } }];
    const usage = { input_tokens: 1_000, output_tokens: outputTokens };
    const message = { id: `msg_${request}`, role: "assistant", model: "claude-sonnet-4-5-20250929", content, usage };
    const results = [{ type: "tool_result", tool_use_id: id, content: result }];
    return [
      { ...base(2 * index + 1, at), type: "assistant", requestId: `req_${request}`, message },
      { ...base(2 * index + 2, at), type: "user", message: { role: "user", content: results } },
    ];
  });
  const prompt = { ...base(0), type: "user", message: { role: "user", content: "List the files." } };
  return [prompt, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
}
