import { call, fails, message, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { hexId, pick, scramble } from "./values.ts";

const contacts = [
  "Anna",
  "Bilal",
  "Chen",
  "Dora",
  "Emil",
  "Fatma",
  "Gus",
  "Hana",
  "Ivo",
  "Jun",
  "Kira",
  "Leo",
] as const;
const screen = (title: string, lines: readonly string[]) =>
  `<hierarchy rotation="0">\n  <node text="${title}" resource-id="toolbar" bounds="[0,60][1080,200]"/>\n${lines
    .map(
      (line, row) =>
        `  <node text="${line}" clickable="true" bounds="[0,${200 + row * 140}][1080,${340 + row * 140}]"/>`,
    )
    .join("\n")}\n</hierarchy>`;
const list = (first: number) =>
  screen(
    "Contacts",
    [0, 1, 2, 3].map((row) => `${pick(contacts, first + row)} ${hexId(first + row, 4)}`),
  );
const tap = (x: number, y: number, after: string) => call("mobile_tap", { x, y }, after);

describe("phone apps, legitimate", () => {
  check([
    silent(
      "the same swipe, the list moves",
      times(15, (i) => call("mobile_swipe", { direction: "up", distance: 800 }, list(i * 4))),
    ),
    silent(
      "digits of a number typed on the keypad, short answers",
      times(11, (i) => tap(180 + (scramble(i) % 3) * 360, 900 + (scramble(i + 9) % 4) * 180, "ok")),
    ),
    silent(
      "tap on next in an introduction of eight pages",
      times(8, (i) =>
        tap(980, 2200, screen(`Welcome ${i + 1}/8`, [`Tip: ${pick(contacts, i)} shares ${hexId(i, 5)}`])),
      ),
    ),
    withoutForce(
      "contacts that are not in the phone",
      times(10, (i) => call("contacts_search", { name: `${pick(contacts, i)} Berg` }, { contacts: [] })),
    ),
    silent(
      "a greeting to each contact, the same words",
      times(12, (i) =>
        call(
          "sms_send",
          { to: `+4790${scramble(i) % 1_000_000}`, body: "Happy new year!" },
          { status: "sent", id: 400 + i },
        ),
      ),
    ),
    silent(
      "the battery, asked for during a test",
      times(10, (i) => call("adb_shell", { command: "dumpsys battery | grep level" }, `  level: ${96 - i}`)),
    ),
    silent(
      "a person asks again how many messages there are",
      times(5, () => [
        message(),
        call("notifications", { action: "list", app: "messages" }, { count: 2, items: ["Anna: hi", "Leo: call me"] }),
      ]),
    ),
    silent(
      "photos deleted one by one, the next one slides into the same place",
      times(9, (i) => [
        call("mobile_long_press", { x: 180, y: 420 }, screen("1 selected", [`IMG_${4100 + i}.jpg`])),
        tap(980, 130, screen("Gallery", [`IMG_${4101 + i}.jpg`, `IMG_${4102 + i}.jpg`])),
      ]),
    ),
    withoutForce(
      "apps that are not installed, each another one",
      times(8, (i) =>
        fails(
          "mobile_launch_app",
          { package: `com.${pick(contacts, i).toLowerCase()}.app` },
          `Package com.${pick(contacts, i).toLowerCase()}.app is not installed on device emulator-5554`,
        ),
      ),
    ),
    withoutForce("twelve contacts opened and opened again to compare the numbers", [
      ...times(12, (i) =>
        call(
          "contacts_get",
          { id: 70 + i },
          { name: pick(contacts, i), phone: `+47 90${scramble(i) % 1_000_000}`, group: i % 2 ? "work" : "home" },
        ),
      ),
      ...times(12, (i) =>
        call(
          "contacts_get",
          { id: 70 + i },
          { name: pick(contacts, i), phone: `+47 90${scramble(i) % 1_000_000}`, group: i % 2 ? "work" : "home" },
        ),
      ),
    ]),
  ]);
});

describe("phone apps, loops", () => {
  check([
    stopped(
      "a tap on a button that does nothing",
      times(26, () => tap(540, 1800, screen("Sign in", ["E-mail", "Password", "Continue"]))),
      { byCall: 10 },
    ),
    noticed(
      "settings and back, the same two screens",
      times(14, () => [
        tap(540, 700, screen("Settings", ["Network", "Sound", "Display"])),
        call("mobile_press_key", { key: "BACK" }, screen("Home", ["Phone", "Camera", "Settings"])),
      ]),
      { byCall: 20 },
    ),
    stopped(
      "the same text message to one number",
      times(25, (i) =>
        call(
          "sms_send",
          { to: "+4790112233", body: "I am on my way." },
          { status: "sent", id: 900 + i, pid: 2200 + i * 3 },
        ),
      ),
      { byCall: 5 },
    ),
    stopped(
      "an element that is not on the screen",
      times(25, (i) =>
        fails(
          "mobile_click_element",
          { strategy: "id", value: "btn_submit" },
          `NoSuchElementError: element btn_submit was not found after 5000 ms (session ${hexId(i, 8)})`,
        ),
      ),
      { byCall: 6 },
    ),
    noticed(
      "screenshot, tap, wait: three tools with short answers",
      times(10, () => [
        call("mobile_screenshot", { format: "text" }, "Loading"),
        tap(540, 1170, "ok"),
        call("mobile_get_activity", {}, ".SplashActivity"),
      ]),
      { byCall: 24 },
    ),
    noticed(
      "a swipe at the end of the list",
      times(18, () => call("mobile_swipe", { direction: "up", distance: 800 }, list(40))),
      { byCall: 14 },
    ),
  ]);
});
