import { call, times } from "@sheepdog/guardian/testing";
import type { OtherProject } from "./other-project.ts";

const ring = () => call("ring", { bell: "north" }, "the bell rang");

export const llmRb: OtherProject = {
  name: "llm.rb",
  repository: "llmrb/llm.rb",
  version: "db39265, 2026-06-14",
  files: ["spec/agent_spec.rb", "spec/context_spec.rb"],
  notTranslated: { count: 3, about: "what a context does with the answer of a guard; its LoopGuard has no test" },
  tests: [
    {
      name: "the same call in 29 replies",
      source: "defaults to 25 tool loop attempts",
      script: times(29, ring),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "one call, without a limit of attempts",
      source: "disables advisory tool-limit returns when tool_attempts is nil",
      script: times(1, ring),
      theirs: "silent",
      ours: "agree",
    },
  ],
};
