import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const run = fileURLToPath(new URL("../../dist/run.js", import.meta.url));
const settingsError = fileURLToPath(new URL("../../dist/settings-error.js", import.meta.url));

/** Runs a service whose `start` is the given code, and sends the signals once it reports that it is up. */
function program(start: string, signals: NodeJS.Signals[] = []) {
  const code = `import { run } from ${JSON.stringify(run)};
    import { SettingsError } from ${JSON.stringify(settingsError)};
    const log = { info: (fields, text) => console.log(text), error: (fields, text) => console.log(text) };
    // A real service is kept running by its server.
    setInterval(() => undefined, 1000);
    await run("program", async () => { ${start} });
    console.log("up");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      const wasUp = output.includes("up\n");
      output += part.toString();
      if (!wasUp && output.includes("up\n")) for (const signal of signals) child.kill(signal);
    });
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.on("close", (ended) => resolve({ code: ended, output })),
  );
}

it("run stops once, despite a second signal, and exits with status 0", async () => {
  const start = `return { log, async stop() { console.log("closing"); await new Promise((done) => setTimeout(done, 200)); } };`;
  expect(await program(start, ["SIGTERM", "SIGINT"])).toEqual({
    code: 0,
    output: "up\nthe program is stopping\nclosing\n",
  });
});

it("run exits with status 1 when stopping fails or takes too long", async () => {
  const failing = `return { log, stop: async () => { throw new Error("no") } };`;
  expect(await program(failing, ["SIGTERM"])).toEqual({
    code: 1,
    output: "up\nthe program is stopping\nthe program did not stop cleanly\n",
  });
  const hanging = `return { log, stop: () => new Promise(() => undefined), stopWithinMs: 100 };`;
  expect(await program(hanging, ["SIGTERM"])).toEqual({ code: 1, output: "up\nthe program is stopping\n" });
});

it("run prints why the service cannot start: one line per invalid setting, or the error code", async () => {
  expect(await program(`throw new SettingsError("PORT: is required")`)).toEqual({
    code: 1,
    output: "The program cannot start: PORT: is required\n",
  });
  expect(await program(`throw new SettingsError("PORT: is required\\nHOST: is required")`)).toEqual({
    code: 1,
    output: "The program cannot start:\n  PORT: is required\n  HOST: is required\n",
  });
  expect(await program(`throw Object.assign(new AggregateError([]), { code: "ECONNREFUSED" })`)).toEqual({
    code: 1,
    output: "The program cannot start: ECONNREFUSED\n",
  });
});
