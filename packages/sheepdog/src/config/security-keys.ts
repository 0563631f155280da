import { z } from "zod";
import { configKey } from "./config-key.ts";

/** The longest time a timer can wait. */
const MAX_SECS = 2_147_483;

const text = z.string().min(1);

const rule = z.strictObject({
  tool: text,
  command: text.optional(),
  path: text.optional(),
  decision: z.enum(["allow", "ask", "deny"]),
});

/** The keys of `[security]`. */
export const securityKeys = z.strictObject({
  pause_before: configKey(
    z.array(text).default([]),
    "longer-list",
    "Tools (globs) that always need approval. The same as rules with the decision `ask`.",
  ),
  rules: configKey(
    z.array(rule).default([]),
    "stricter-rules",
    'Permission rules, such as `tool = "bash"`, `command = "npm publish *"`, `decision = "allow"`. The words of ' +
      "`command` are globs for the program and each argument; a final `*` stands for any further arguments. A rule " +
      "is about one simple command: `allow` says nothing about the rest of a line, `ask` and `deny` apply if any " +
      "command of the line matches. `path` is a glob for files, relative to the workspace. Without both, a rule is " +
      "about every call of the tools (glob). `deny` decides before `ask`, and `ask` before `allow`. The rules of all " +
      "files apply together.",
  ),
  unattended_code: configKey(
    z.enum(["allow", "deny"]).optional(),
    "deny",
    "Whether an unattended run without a sandbox may run code that the agent wrote in the same session. Default: " +
      "`allow` in a git workspace, otherwise `deny`.",
  ),
  reasoning: configKey(
    z.enum(["off", "model"]).default("off"),
    "nothing",
    "`model`: before a call of tier 3 or 4 is asked about or refused, the model is asked whether it fits the " +
      "principles. The answer is shown and recorded, and never allows a call.",
  ),
  sandbox: configKey(
    z.enum(["auto", "required", "off"]).default("auto"),
    "nothing",
    "Whether commands run in a sandbox: `auto` where bubblewrap works, `required` or not at all, `off` never.",
  ),
  sandbox_hosts: configKey(
    z.array(z.string().regex(/^(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/i, "a host, like registry.example.org")).default([]),
    "nothing",
    "Hosts that commands in the sandbox can reach, like `registry.example.org`, on the ports 80 and 443 or the one " +
      "that is named. A private address must be listed itself. Empty: the network is off.",
  ),
  approval_timeout_secs: configKey(
    z.int().min(0).max(MAX_SECS).default(0),
    "lower-limit",
    "Seconds after which a question without an answer counts as no; about loops and limits, the guardian decides. " +
      "0: wait.",
  ),
  max_safety_lessons: configKey(
    z.int().min(0).max(20).default(3),
    "nothing",
    "How many lessons from corrected or harmful calls the model reads at the start. 0: none.",
  ),
  allow_plain_http: configKey(
    z.boolean().default(false),
    "false",
    "Whether the address of a model may be plain `http` to another machine, such as an Ollama in your own network. " +
      "Others on the network can then read the key and the conversation. This machine is always allowed.",
  ),
});
