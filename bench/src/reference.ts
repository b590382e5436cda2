import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { requirePid, type StartedProgram } from "./started-program.js";

/** Starts the reference server in a separate process. @throws Error if it exits before it is ready. */
export async function startReference(databaseUrl: string): Promise<StartedProgram> {
  const program = path.join(import.meta.dirname, "reference-server.ts");
  const child = spawn(process.execPath, ["--import", "tsx", program, databaseUrl], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit");
  const [port]: unknown[] = await Promise.race([
    once(lines, "line"),
    ended.then(() => {
      throw new Error("The reference server exited before it started listening.");
    }),
  ]);
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    pid: requirePid(child),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
