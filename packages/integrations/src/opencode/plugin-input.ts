/** The part of opencode's plugin interface that is used here; its types are in @opencode-ai/plugin. */
export interface PluginInput {
  readonly directory: string;
  readonly client: {
    readonly session: {
      abort(options: { readonly path: { readonly id: string } }): Promise<unknown>;
      messages(options: { readonly path: { readonly id: string } }): Promise<{
        readonly data?: readonly { readonly info: MessageInfo }[] | undefined;
      }>;
    };
    readonly tui: {
      showToast(options: {
        readonly body: { readonly message: string; readonly variant: "warning" };
      }): Promise<unknown>;
    };
  };
}

export interface MessageInfo {
  readonly id: string;
  readonly sessionID: string;
  readonly role: string;
  readonly modelID?: string;
  readonly cost?: number;
  readonly tokens?: {
    readonly input: number;
    readonly output: number;
    readonly reasoning: number;
    readonly cache: { readonly read: number; readonly write: number };
  };
}

export interface MessagePart {
  readonly id: string;
  readonly messageID: string;
  readonly sessionID: string;
  readonly type: string;
  readonly text?: string;
  readonly synthetic?: boolean;
  readonly tool?: string;
  readonly callID?: string;
  readonly state?: { readonly status: string; readonly input: unknown; error?: string };
}

interface Call {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
}

/** The callbacks that the plugin returns. A callback that throws refuses the call, or breaks the turn. */
export interface Hooks {
  event(input: { readonly event: { readonly type: string; readonly properties: unknown } }): Promise<void>;
  "chat.message"(
    input: { readonly sessionID: string; readonly model?: { readonly modelID: string } },
    output: {
      readonly message: { readonly model?: { readonly modelID: string } };
      readonly parts: readonly MessagePart[];
    },
  ): Promise<void>;
  "tool.execute.before"(input: Call, output: { readonly args: unknown }): Promise<void>;
  "tool.execute.after"(
    input: Call & { readonly args: unknown },
    output: { output: string; readonly metadata?: { readonly exit?: unknown } | null },
  ): Promise<void>;
  "experimental.chat.messages.transform"(
    input: unknown,
    output: { readonly messages: readonly { readonly info: MessageInfo; readonly parts: readonly MessagePart[] }[] },
  ): Promise<void>;
  dispose(): Promise<void>;
}
