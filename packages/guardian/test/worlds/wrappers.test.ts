import { call, fails, message, pause, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble } from "./values.ts";

const hosts = ["web1", "web2", "db1", "db2", "mq1", "cache1", "bastion", "ci3", "nas", "edge7"] as const;
const settings = [
  "max_conn",
  "tls_min",
  "log_level",
  "proxy_url",
  "gc_ratio",
  "dns_ttl",
  "ntp_pool",
  "swap",
  "umask",
  "cgroup",
] as const;
const exitOne = (command: string) => fails("shell", { command }, "(exit code 1)");

describe("commands behind wrappers, legitimate", () => {
  check([
    withoutForce(
      "grep by ssh on ten hosts, no match",
      times(10, (i) => exitOne(`ssh ${pick(hosts, i)} 'grep -n ${pick(settings, i)} /etc/app.conf'`)),
    ),
    withoutForce(
      "timeout and rg for ten settings, no match",
      times(10, (i) => exitOne(`timeout 20 rg --no-heading ${pick(settings, i)} /opt/app`)),
    ),
    withoutForce(
      "docker exec and test -e for ten files",
      times(10, (i) => exitOne(`docker exec ${pick(hosts, i)} test -e /run/${pick(settings, i)}.pid`)),
    ),
    silent(
      "nohup starts one worker for each shard",
      times(10, (i) =>
        call(
          "shell",
          { command: `nohup python worker.py --shard ${i} > shard${i}.log 2>&1 &` },
          `[${i + 1}] ${4100 + i * 13}`,
        ),
      ),
    ),
    silent(
      "install by ssh, then the same failing check",
      times(7, (i) => [
        call(
          "shell",
          { command: `ssh ci3 'sudo apt-get install -y lib${pick(settings, i).replace("_", "")}-dev'` },
          `Setting up lib${pick(settings, i)}-dev (1.${i}.0) ...`,
        ),
        call(
          "shell",
          { command: "ssh ci3 'cd app && make -s check'" },
          "ld: cannot find -lxml2\nmake: *** [check] Error 1",
        ),
      ]),
    ),
    silent(
      "the size of a download, seen by kubectl exec",
      times(10, (i) => [
        call("shell", { command: "kubectl exec loader-0 -- du -sh /data" }, `${(i + 1) * 1.3}G\t/data`),
        pause(20_000),
      ]),
    ),
    silent(
      "the process list, asked for by a person each time",
      times(4, () => [
        message(),
        call("process", { action: "list" }, "brisk-otter  running  npm run dev\nlazy-fox  exited 0  make"),
      ]),
    ),
  ]);
});

describe("commands behind wrappers, loops", () => {
  check([
    stopped(
      "the same grep by ssh without a match",
      times(25, () => exitOne("ssh db1 'grep -n max_conn /etc/app.conf'")),
      { byCall: 8 },
    ),
    stopped(
      "a poll of a process that says nothing new",
      times(40, (i) =>
        call(
          "process",
          { action: "poll", sessionId: "lazy-fox" },
          { running: true, stdout: "", pid: 4100, elapsed_ms: 900 + i * 411 },
        ),
      ),
      { byCall: 25 },
    ),
    noticed(
      "the same test with another wrapper each time",
      times(12, (i) =>
        call(
          "shell",
          { command: `${pick(["timeout 60", "env CI=1", "nohup", "nice -n 5"], i)} npm test -- ranges` },
          "FAIL test/ranges.test.ts\n  expected [1, 2] to equal [1, 3]\nTests: 1 failed, 8 passed",
        ),
      ),
      { byCall: 12 },
    ),
    noticed(
      "four passes by ssh over ten hosts",
      times(40, (i) =>
        call(
          "shell",
          { command: `ssh ${pick(hosts, i)} 'cat /etc/app.conf'` },
          `# ${pick(hosts, i)}\nid=${hexId(i % 10, 12)}\nworkers=${scramble(i % 10) % 64}`,
        ),
      ),
      { byCall: 40 },
    ),
    stopped(
      "xvfb-run that finds no display",
      times(25, (i) =>
        fails(
          "shell",
          { command: "xvfb-run -a npm run e2e" },
          `xvfb-run: error: Xvfb failed to start (pid ${3000 + i * 7}, ${at(i)})`,
        ),
      ),
      { byCall: 6 },
    ),
  ]);
});
