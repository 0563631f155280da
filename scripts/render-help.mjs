// Writes the help texts to a file, so that bin/sheepdog.js prints them without loading the command. Part of the build.
import { writeFileSync } from "node:fs";

const dist = new URL("../packages/sheepdog/dist/", import.meta.url);
const { main } = await import(new URL("cli.js", dist).href);

let help = "";
const output = {
  write(text, done) {
    help += text;
    done?.();
  },
};
await main(["--help"], { stdin: [], stdout: output, stderr: output, env: {}, cwd: "/", onInterrupt: () => () => {} });
writeFileSync(new URL("help.txt", dist), help);
