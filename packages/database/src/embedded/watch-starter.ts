import { spawn } from "node:child_process";
import { type ServerAccount, spawnAs } from "./account.js";

/**
 * Ends the server when the process that started it is gone without a word (killed): a shell waits at the other
 * end of a pipe that closes with us, and then asks PostgreSQL for a fast shutdown. No server is left over.
 *
 * @returns how to call the watch off, once the server has ended.
 */
export function watchStarter(serverPid: number, account: ServerAccount | undefined): () => void {
  if (process.platform === "win32") return () => undefined;
  const watcher = spawn("/bin/sh", ["-c", 'read -r line; kill -INT "$0"', String(serverPid)], {
    ...spawnAs(account),
    cwd: "/",
    env: {},
    // A group of its own, or Ctrl-C in a terminal would end the watch and nothing else.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a shell there is no watch; the next start ends a server that was left over.
  watcher.on("error", () => undefined);
  watcher.stdin.on("error", () => undefined);
  watcher.unref();
  if ("unref" in watcher.stdin && typeof watcher.stdin.unref === "function") watcher.stdin.unref();
  return () => watcher.kill("SIGKILL");
}
