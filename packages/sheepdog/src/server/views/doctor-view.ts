import type { Doctor } from "@sheepdog/web/contract";
import { createCheckContext } from "../../doctor/check-context.ts";
import { checks } from "../../doctor/checks/index.ts";
import { runChecks } from "../../doctor/run-checks.ts";
import type { Io } from "../../io.ts";
import type { ViewContext } from "../view-context.ts";

/** Checks of the database take a while, so a result is shown again for this long. */
const FRESH_MS = 20_000;

const statuses = { ok: "ok", warn: "warning", fail: "problem" } as const;

/** A page has no terminal. */
const pageChecks = checks.filter(({ name }) => name !== "terminal");

const latest = new WeakMap<ViewContext["stores"], { readonly at: number; readonly doctor: Promise<Doctor> }>();

/** Checks of the installation. The provider is not asked: a page that is loaded sends nothing to other machines. */
export function doctorView(context: ViewContext): Promise<Doctor> {
  const now = context.now();
  const known = latest.get(context.stores);
  if (known !== undefined && Math.abs(now - known.at) < FRESH_MS) return known.doctor;
  const doctor = examine(context);
  latest.set(context.stores, { at: now, doctor });
  return doctor;
}

async function examine({ env, cwd, home, now }: ViewContext): Promise<Doctor> {
  const checkContext = { ...createCheckContext(pageIo(env, cwd), { isOnline: false, now }), home };
  const results: Doctor["checks"] = [];
  for await (const { name, status, sentence, fix } of runChecks(checkContext, pageChecks))
    results.push({
      name,
      status: name === "provider" && status === "ok" ? "skipped" : statuses[status],
      text: sentence,
      fix: fix ?? null,
    });
  return { checks: results };
}

/** The environment of the server, without its streams. */
function pageIo(env: Io["env"], cwd: string): Io {
  const output: Io["stdout"] = { write: (_text, done) => done?.() };
  return {
    stdin: { async *[Symbol.asyncIterator]() {} },
    stdout: output,
    stderr: output,
    env,
    cwd,
    onInterrupt: () => () => {},
  };
}
