import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { anyWord } from "../../risk/word-list.ts";

/** The settings that git and people write into a repository, and that neither start a program nor lead elsewhere. */
const usual = new RegExp(
  `^${anyWord(String.raw`
    core\.(?:repositoryformatversion|filemode|logallrefupdates|symlinks|ignorecase|precomposeunicode|hookspath)=.*
    core\.(?:autocrlf|safecrlf|eol|quotepath|longpaths|abbrev|whitespace|untrackedcache)=.* core\.bare=false
    core\.fsmonitor=(?:true|false)? extensions\.(?:objectformat|refstorage)=.* user\.(?:name|email|signingkey)=.*
    remote\.(?:url|pushurl|fetch|tagopt|prune|gh-resolved)=.* branch\..*=.* submodule\.(?:url|active|branch)=.*
    (?:pull|push|fetch|rebase|rerere|gc|color|advice|init)\..*=.* (?:commit|tag)\.gpgsign=.* merge\.conflictstyle=.*
    lfs\.repositoryformatversion=.*
  `)}$`,
  "i",
);

/** True if nothing in the configuration of a repository lets git start a program when it reads. Hooks do not count. */
export function hasUsualSettings(gitFolder: string): boolean {
  const path = join(gitFolder, "config");
  try {
    if (lstatSync(join(gitFolder, "commondir"), { throwIfNoEntry: false }) !== undefined) return false;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined || (stats.isFile() && areUsual(readFileSync(path, "latin1")));
  } catch {
    return false;
  }
}

/** A line that is written in an unusual way is not understood. */
function areUsual(text: string): boolean {
  let section = "";
  return text.split("\n").every((line) => {
    if (/^\s*(?:[#;].*)?$/.test(line)) return true;
    const [, header] = /^\[([a-z]+)(?: "(?:[^"\\]|\\.)*")?\]\s*$/i.exec(line) ?? [];
    if (header !== undefined) {
      section = header;
      return true;
    }
    const [, key, value = ""] = /^\s*([a-z][a-z\d-]*)\s*(?:=\s*(.*[^\s\\]|))?\s*$/i.exec(line) ?? [];
    return key !== undefined && usual.test(`${section}.${key}=${value}`);
  });
}
