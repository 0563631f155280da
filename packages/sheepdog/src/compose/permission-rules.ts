import type { GateRule } from "@sheepdog/agent";
import type { Config } from "../config/schema.ts";
import { addTable } from "../config/set-value.ts";
import type { Home } from "../home.ts";
import type { Io } from "../io.ts";

/** The permission rules of a process: those of the configuration, and those that the user adds while an agent runs. */
export interface PermissionRules {
  /** The rules in force. The list grows. */
  readonly list: readonly GateRule[];
  /** The user's file, to which rules are added. */
  readonly file: string;
  /** Adds a rule to the user's file and to the list. Returns why that failed, if it did; then nothing has changed. */
  allowAlways(rule: GateRule): Promise<string | undefined>;
}

export function createPermissionRules({ security }: Config, home: Home, env: Io["env"]): PermissionRules {
  const list = [...permissionRules(security)];
  return {
    list,
    file: home.configFile,
    async allowAlways(rule) {
      const added = await addTable(home.configFile, ["security", "rules"], { ...rule }, env);
      if (!added.ok) return added.problems.join("; ");
      list.push(rule);
      return undefined;
    },
  };
}

/** The rules of the configuration. Tools of `security.pause_before` get a rule that asks. */
export function permissionRules({ pause_before: globs, rules }: Config["security"]): readonly GateRule[] {
  return [...globs.map((tool): GateRule => ({ tool, decision: "ask" })), ...rules];
}
