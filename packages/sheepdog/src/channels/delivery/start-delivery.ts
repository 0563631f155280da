import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Home } from "../../home.ts";
import type { Io } from "../../io.ts";
import { packageRoot } from "../../package-root.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { isClaimed } from "./lease.ts";

/** Variables that sending needs: programs, certificates, proxies, the desktop. No key of a model is among them. */
const passed: readonly RegExp[] = [
  /^(?:PATH|HOME|USER|LANG|TZ|TMPDIR|LC_\w+)$/,
  /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|NODE_USE_ENV_PROXY)$/,
  /^(?:https?|no|all)_proxy$/i,
  /^(?:DISPLAY|WAYLAND_DISPLAY|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS)$/,
];

/** Starts a process that delivers what waits for some channels, unless one does already. */
export type StartDelivery = () => void;

/**
 * The process outlives this one, and gets the secrets over a pipe: they are in no file and in no argument. While it is
 * starting, no second one is started.
 */
export function createDeliveryStarter(home: Home, channels: readonly ChannelSettings[], env: Io["env"]): StartDelivery {
  let started: ChildProcess | undefined;
  return () => {
    const unserved = channels.filter(({ type, account }) => type !== "bell" && !isClaimed(home, account));
    const isStarting = started !== undefined && started.exitCode === null && started.signalCode === null;
    if (unserved.length > 0 && !isStarting) started = start(home, unserved, env);
  };
}

function start(home: Home, channels: readonly ChannelSettings[], env: Io["env"]): ChildProcess {
  const script = fileURLToPath(new URL("bin/sheepdog.js", packageRoot));
  const child = spawn(process.execPath, [script, "notify", "deliver"], {
    cwd: home.dir,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: {
      ...Object.fromEntries(Object.entries(env).filter(([name]) => passed.some((form) => form.test(name)))),
      SHEEPDOG_HOME: home.dir,
    },
  });
  child.on("error", () => {}); // the messages stay in the outbox, and `notify list` shows them
  child.stdin?.on("error", () => {}); // it has ended already
  child.stdin?.end(JSON.stringify(channels));
  child.unref();
  return child;
}
