import { dirname } from "node:path";
import { expect, test, vi } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openAgent } from "../../compose/open-agent.ts";
import { configSchema } from "../../config/schema.ts";
import { resolveHome } from "../../home.ts";
import { createCardAsker } from "./cards/card-asker.ts";
import { startChat } from "./chat-controller.ts";

const file = scratchFolder();

test("another model is shown with the address that its requests go to, and those of fallback models", async () => {
  const home = resolveHome({ SHEEPDOG_HOME: await file("home") });
  const cwd = dirname(await file("work/x"));
  const open = (model: unknown, fallback_models: unknown = []) =>
    openAgent({
      config: configSchema.parse({ model, fallback_models }),
      home,
      env: { ANTHROPIC_API_KEY: "a-key" },
      cwd,
      attended: true,
    });
  const opened = await open({ provider: "anthropic", model_id: "claude-x" });
  if (!opened.ok) throw new Error(opened.problems.join("\n"));
  const chat = startChat({
    agent: opened.agent,
    asker: createCardAsker(cwd, { list: [], file: "", allowAlways: async () => undefined }),
    home,
    cwd,
    sessionId: "ses_1",
    history: [],
    isAnimated: false,
    reopen: () =>
      open({ provider: "vllm", model_id: "qwen", base_url: "http://127.0.0.1:8001/v1?key=hunter2" }, [
        { provider: "lmstudio", model_id: "small" },
      ]),
  });
  chat.store.dispatch({ type: "key", key: { type: "paste", text: "/model vllm:qwen" }, at: 0 });
  chat.store.dispatch({ type: "key", key: { type: "press", name: "enter" }, at: 1 });
  await vi.waitFor(() => expect(chat.store.get().session.model).toBe("vllm:qwen"));
  const lines = chat.store.get().entries.flatMap((entry) => (entry.type === "message" ? entry.lines : []));
  expect(lines.slice(-3)).toEqual([
    "The model is now vllm:qwen.",
    "The model is vllm:qwen at http://127.0.0.1:8001/v1",
    "A fallback model is lmstudio:small at http://127.0.0.1:1234/v1",
  ]);
  await chat.close();
});
