import { expect, test } from "vitest";
import { notificationCommand } from "./desktop.ts";
import { inert } from "./markup.ts";

const notification = { title: "Run ended", text: `"; do shell script "rm -rf ~" <b>&`, isUrgent: true };

test("a notification is an argument, never code", () => {
  const [program, ...args] = notificationCommand("darwin", notification);
  expect(program).toBe("osascript");
  expect(args.slice(-2)).toEqual([notification.title, notification.text]);
  expect(args.slice(0, -2).join("\n")).not.toContain("rm -rf");
});

test("on Linux, the text has no markup, and options end before it", () => {
  expect(notificationCommand("linux", { ...notification, title: "--icon=/x" })).toEqual([
    ...["notify-send", "--app-name=sheepdog", "--urgency=critical", "--", "--icon=/x"],
    `"; do shell script "rm -rf ~" &lt;b&gt;&amp;`,
  ]);
});

test("text of an agent becomes no link and no mention", () => {
  const text = inert("See https://evil.example/x, evil.example and @everyone.");
  expect(text).not.toMatch(/:\/\/|l\.example|@everyone/);
  expect(text.replaceAll("\u2060", "")).toBe("See https://evil.example/x, evil.example and @everyone.");
});
