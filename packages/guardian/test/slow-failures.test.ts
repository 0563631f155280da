import { createGuardian } from "@sheepdog/guardian";
import { expect, test } from "vitest";

interface Pace {
  /** How long the model thinks before each call, and how long each call takes. */
  readonly thinksMs: number;
  readonly takesMs: number;
}

/** The levels that a command brings which fails in the same way again and again; only its times and ids differ. */
function levelsOf(command: string, { thinksMs, takesMs }: Pace): readonly string[] {
  const clock = { now: 1_700_000_000_000 };
  const guardian = createGuardian({ now: () => clock.now });
  const levels: string[] = [];
  for (let count = 0; count < 12 && guardian.stop === undefined; count++) {
    const call = { id: `call_${count}`, tool: "bash", args: { command } };
    clock.now += thinksMs;
    if (guardian.beforeCall(call).allow) {
      clock.now += takesMs;
      const content = `pid ${48_213 + 164 * count}\nbackfill: 1,184 rows left\nerror: "tenant_id" contains null values`;
      guardian.afterCall(call.id, { status: "error", content });
    }
    levels.push(...guardian.endTurn().map(({ level }) => level));
  }
  return guardian.stop === undefined ? levels : [...levels, "halt"];
}

test.each<[string, Pace]>([
  ["takes a moment", { thinksMs: 2_000, takesMs: 1_000 }],
  ["takes a minute", { thinksMs: 12_000, takesMs: 66_000 }],
  ["takes ten minutes", { thinksMs: 12_000, takesMs: 600_000 }],
  ["is called by a slow model", { thinksMs: 90_000, takesMs: 1_000 }],
])("a command that fails again and again ends the run, also if it %s", (_name, pace) => {
  expect(levelsOf("npm run migrate", pace)).toEqual(["hint", "warn", "block", "halt"]);
});

test("looking again after a wait is no reason for force", () => {
  const levels = levelsOf("sleep 60 && curl -f localhost/health", { thinksMs: 5_000, takesMs: 60_000 });
  expect(levels).not.toContain("block");
  expect(levels).not.toContain("halt");
});
